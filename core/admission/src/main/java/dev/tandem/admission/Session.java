package dev.tandem.admission;

import java.util.concurrent.TimeUnit;

/// A client's run of requests. One belongs to each connection; connections that bring a cookie that
/// is known share one ([Admission#session]). All state is guarded by the admission's lock.
///
/// It is *live*, and goes before new sessions, from its first completed request on. That ends with
/// its age and with a number of requests: after that it is admitted again as a new session.
public final class Session {
    /// 1 h: longer sessions begin anew.
    static final long AGE_MAX = Tuning.nanos("Session.AGE_MAX", TimeUnit.HOURS.toNanos(1));

    /// 30 min: servers forget sessions after as long, by custom.
    static final long IDLE_MAX = Tuning.nanos("Session.IDLE_MAX", TimeUnit.MINUTES.toNanos(30));

    /// A session is not live for more than 10,000 requests: a proxy in front sends all users'
    /// requests by few connections, and each time that one began anew it would wait behind all
    /// others.
    static final int REQUESTS_MAX = Tuning.count("Session.REQUESTS_MAX", 10_000);

    /// While others wait, a session may ask for a sixteenth of what the server can do ahead of new
    /// sessions: sixty times what one of a thousand users does, and no danger to others.
    static final int SHARE_PART = Tuning.count("Session.SHARE_PART", 16);

    /// 4 s of its share may be asked for at once, of a sixteenth a quarter of a second of all that
    /// the server can do: a page with all of its parts.
    static final long SHARE_BURST =
            Tuning.nanos("Session.SHARE_BURST", TimeUnit.SECONDS.toNanos(4));

    long begunAt;
    long lastAt;

    /// When it was counted last as live; see [SessionAdmission#seen].
    long seenAt;

    int requests;

    /// What its requests cost, by their routes' means.
    double cost;

    /// The squares of its pauses, in seconds: divided by how long it lasted, the mean pause that
    /// spans a moment of it.
    double pauseSquares;

    boolean hasCompleted;
    boolean wasRejected;

    /// Whether it is in the table of [Sessions], which ends it.
    boolean isRemembered;

    private boolean isResumed;

    /// Until when what it asked for ahead of new sessions is its share; later than now, and the
    /// share is used up.
    private long sharedUntil;

    /// The connection resumed a TLS session: its client was here before, as the ticket proves. To
    /// be called before its first request.
    public Session resumed() {
        isResumed = true;
        return this;
    }

    boolean isLive(long now) {
        if (!hasCompleted) {
            return isResumed && requests == 0;
        }
        return now - begunAt < AGE_MAX && now - lastAt < IDLE_MAX && requests < REQUESTS_MAX;
    }

    boolean hasShare(long now) {
        return sharedUntil <= now;
    }

    /// Takes a part of its share, if any is left.
    ///
    /// @param nanos how long it has to wait for as much to be its share
    boolean takesShare(long nanos, long now) {
        if (!hasShare(now)) {
            return false;
        }
        sharedUntil = Math.max(sharedUntil, now - SHARE_BURST) + nanos;
        return true;
    }

    void begin(long now) {
        begunAt = now;
        requests = 0;
        cost = 0;
        pauseSquares = 0;
        hasCompleted = false;
        wasRejected = false;
        isRemembered = false;
        isResumed = false;
    }
}
