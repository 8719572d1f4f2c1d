package dev.tandem.admission;

import java.util.concurrent.TimeUnit;

/// What new sessions are owed, whatever live ones ask: when none has been admitted for as long as
/// sessions last, some are all the same, and go first. Guarded by the admission's lock.
///
/// Where sessions end, others are admitted before that, and nothing is owed: it counts only where
/// some that never end keep all others out.
final class NewSessionDebt {
    /// 30 s: a session that stays for ever must not say how long sessions last.
    static final long LASTS_MAX =
            Tuning.nanos("NewSessionDebt.LASTS_MAX", TimeUnit.SECONDS.toNanos(30));

    /// Since the last that was owed.
    private int starts;

    /// When the last new session started that was not owed.
    private long since;

    /// @param isFirst whether it is a new session's that was not owed
    void started(boolean isFirst, long now) {
        starts++;
        if (isFirst) {
            since = now;
        }
    }

    /// Returns whether one is owed: a new session brings as many requests as sessions have, so each
    /// 32nd session is new, and not each 32nd request.
    ///
    /// @param sessions what sessions are like
    boolean isDue(SessionAdmission sessions, long now) {
        double part = RequestLane.NEW_SHARE;
        double length = sessions.length();
        double lasts = 1e9 * length * sessions.gapSeconds();
        return starts >= part * Math.clamp(length, 1, part)
                && now - since > Math.min(lasts, LASTS_MAX);
    }

    /// One is admitted.
    void paid() {
        starts = 0;
    }
}
