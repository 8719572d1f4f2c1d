package dev.tandem.admission;

import java.util.concurrent.TimeUnit;

/// Admits a few new sessions whatever live sessions request: when none was admitted for as long as
/// sessions last, a new session's request runs before all others. Guarded by the admission's lock.
///
/// Where sessions end, others are admitted before that and the quota is not used: it matters only
/// where some that never end keep all others out.
final class NewSessionQuota {
    /// 30 s: a session that never ends must not determine how long sessions last.
    static final long LASTS_MAX =
            Tuning.nanos("NewSessionQuota.LASTS_MAX", TimeUnit.SECONDS.toNanos(30));

    /// Requests started since the quota was used.
    private int starts;

    /// Of these, how many there were when it was used.
    private int startsUsed;

    /// When the last new session started that did not use the quota.
    private long since;

    /// Counts a request that starts.
    ///
    /// @param isNewSession whether it is a new session's, without the quota
    void started(boolean isNewSession, long now) {
        starts++;
        if (isNewSession) {
            since = now;
        }
    }

    /// Returns whether a new session is to be admitted: a new session brings as many requests as
    /// sessions have, so each 32nd session is new, and not each 32nd request.
    ///
    /// @param sessions what sessions are like
    boolean isDue(SessionAdmission sessions, long now) {
        double part = PermitQueue.NEW_SHARE;
        double length = sessions.length();
        double lasts = 1e9 * length * sessions.gapSeconds();
        return starts >= part * Math.clamp(length, 1, part)
                && now - since > Math.min(lasts, LASTS_MAX);
    }

    /// A new session is admitted by the quota.
    void use() {
        startsUsed = starts;
        starts = 0;
    }

    /// The request that was admitted by the quota does not start: its client has disconnected, or
    /// it has waited for too long. Another new session has its turn.
    void giveBack() {
        starts = Math.max(starts, startsUsed);
    }
}
