package dev.tandem.admission;

import java.util.concurrent.TimeUnit;

/// What first-comers are owed, whatever those ask who are inside: when none has been let in for as
/// long as sessions last, some are all the same, and go first. Guarded by the admission's lock.
///
/// Where sessions end, others come in before that, and nothing is owed: it counts only where some
/// who never end keep all others out.
final class NewSessionDebt {
    /// A first-comer brings a session: so each 32nd session is theirs, and not each 32nd request.
    private static final int PART = Tuning.count("NewSessionDebt.PART", 32);

    /// 32 requests, and 30 s: who stays for ever must not say how long a session is.
    private static final double LENGTH_MAX = Tuning.number("NewSessionDebt.LENGTH_MAX", 32);

    private static final long LASTS_MAX =
            Tuning.nanos("NewSessionDebt.LASTS_MAX", TimeUnit.SECONDS.toNanos(30));

    /// Since the last who was owed it.
    private int starts;

    /// When the last first-comer started who was not owed it.
    private long since;

    /// Somebody has started.
    ///
    /// @param isFirst a first-comer who was not owed it
    void started(boolean isFirst, long now) {
        starts++;
        if (isFirst) {
            since = now;
        }
    }

    /// @param newcomers what sessions are like
    boolean isDue(SessionAdmission newcomers, long now) {
        double length = newcomers.length();
        double requests = Math.min(Math.max(length, 1), LENGTH_MAX);
        double lasts = 1e9 * length * newcomers.gapSeconds();
        return starts >= PART * requests && now - since > Math.min(lasts, LASTS_MAX);
    }

    /// One is let in.
    void paid() {
        starts = 0;
    }
}
