package dev.tandem.admission;

import java.util.concurrent.TimeUnit;

/// A client's run of requests. One belongs to each connection; connections with the same known
/// cookie share one ([Admission#session]). All state is guarded by the admission's lock.
///
/// It is *live*, and has priority over new sessions, from its first completed request on. That ends
/// with its age and with a number of requests: after that it is admitted again as a new session.
public final class Session {
    /// 30 min: servers discard sessions after as long, by custom.
    static final long IDLE_MAX = Tuning.nanos("Session.IDLE_MAX", TimeUnit.MINUTES.toNanos(30));

    /// 1 h: a longer session is admitted as a new one.
    static final long AGE_MAX = 2 * IDLE_MAX;

    /// A session is live for 10,000 requests. Not fewer: a proxy in front sends all users' requests
    /// by few connections, and each time that one became new it would wait behind all others.
    static final int REQUESTS_MAX = Tuning.count("Session.REQUESTS_MAX", 10_000);

    /// While others wait, a session has priority over new ones for a sixteenth of what the server
    /// can do: sixty times what one of a thousand users requests, and no danger to others.
    static final int SHARE_PART = Tuning.count("Session.SHARE_PART", 16);

    /// 4 s of its share may be requested at once, of a sixteenth a quarter of a second of all that
    /// the server can do: a page with all of its parts.
    static final long SHARE_BURST =
            Tuning.nanos("Session.SHARE_BURST", TimeUnit.SECONDS.toNanos(4));

    long startedAt;
    long lastAt;

    /// When it was counted last as live; see [SessionAdmission#countSession].
    long countedAt;

    int requests;

    /// Cost of its requests, by their routes' means.
    double cost;

    /// The squares of its pauses, in seconds: divided by how long it lasted, the mean pause that
    /// spans a moment of it.
    double pauseSquares;

    boolean hasCompleted;
    boolean wasRejected;

    /// Whether it is in the table of [Sessions], which ends it.
    boolean isRemembered;

    /// Whether its client was served before, as a resumed TLS session or a mark proves.
    private boolean wasServedBefore;

    /// Whether other servers serve requests of it, too, and may reject them.
    private boolean isShared;

    /// Until when the requests that had priority use up its share; later than now, and none is
    /// left.
    private long shareUsedUntil;

    /// Returns a session whose connection resumed a TLS session: its client had a connection
    /// before, as the ticket proves, so it is live from its first request on.
    public static Session ofResumedTls() {
        var session = new Session();
        session.wasServedBefore = true;
        return session;
    }

    /// Returns a session whose requests a load balancer divides between several servers.
    ///
    /// @param isKnown whether it has had a response, as its mark proves, so that it is live from
    ///     its first request here on
    public static Session shared(boolean isKnown) {
        var session = new Session();
        session.wasServedBefore = isKnown;
        session.isShared = true;
        return session;
    }

    boolean isShared() {
        return isShared;
    }

    boolean isLive(long now) {
        if (!hasCompleted) {
            return wasServedBefore && requests == 0;
        }
        return now - startedAt < AGE_MAX && now - lastAt < IDLE_MAX && requests < REQUESTS_MAX;
    }

    boolean hasShare(long now) {
        return shareUsedUntil <= now;
    }

    /// Takes a part of its share.
    ///
    /// @param nanos how long it takes until its share is as much
    /// @return false if none is left
    boolean takeShare(long nanos, long now) {
        if (!hasShare(now)) {
            return false;
        }
        shareUsedUntil = Math.max(shareUsedUntil, now - SHARE_BURST) + nanos;
        return true;
    }

    void giveShareBack(long nanos) {
        shareUsedUntil -= nanos;
    }

    /// Starts anew.
    void start(long now) {
        startedAt = now;
        requests = 0;
        cost = 0;
        pauseSquares = 0;
        hasCompleted = false;
        wasRejected = false;
        isRemembered = false;
        wasServedBefore = false;
    }
}
