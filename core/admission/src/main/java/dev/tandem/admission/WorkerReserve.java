package dev.tandem.admission;

import java.util.concurrent.TimeUnit;

/// How many workers are kept for quick requests, so that lengthy ones cannot take them (t_reserve),
/// from how many quick ones use and from how often they had to wait. The purpose, and that it
/// adapts each second, are those of Courtwright, Yue and Wang (DSN 2009); the rule is our own.
///
/// As many as quick requests use on average (Little's law), and a multiple of that number's square
/// root: how many of them run at a moment varies by about that much. The multiple is raised if
/// quick requests had to wait, and lowered if they had not. Guarded by the admission's
/// lock.
final class WorkerReserve {
    /// The margin grows if more than one quick request in a hundred had to wait; it shrinks if
    /// fewer than a fifth of that had.
    private static final double WAITED_MAX = Tuning.number("WorkerReserve.WAITED_MAX", 0.01);

    private static final double MARGIN_FIRST = Tuning.number("WorkerReserve.MARGIN_FIRST", 1);

    private static final double MARGIN_MAX = 4 * MARGIN_FIRST;

    /// In a second; up is faster than down, since a user that waits is worse than an idle worker.
    private static final double MARGIN_UP = MARGIN_FIRST / 4;

    private static final double MARGIN_DOWN = MARGIN_FIRST / 10;

    /// After 2 s without a quick request lengthy ones have all workers: they delay none.
    private static final int QUIET_SECONDS = Tuning.count("WorkerReserve.QUIET_SECONDS", 2);

    /// 10 ms in which no run ends, and ten times the mean time between two quick requests, is a
    /// stall of the machine: chance does that once in twenty thousand. Shorter times count: without
    /// them, quick requests waited for more than twice their time.
    private static final long STALL_LEAST = StandingQueue.TARGET_NANOS / 2;

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    /// Workers that quick requests use, on average.
    private double used;

    private double margin = MARGIN_FIRST;
    private int quick;
    private int waited;

    /// Consecutive seconds without a quick request.
    private int quietSeconds = QUIET_SECONDS;

    private long endedAt;

    /// A longer time in which no run ends is a stall; set each second.
    private long stallFrom = Long.MAX_VALUE;

    private long stalledUntil;

    /// Returns the number of workers for quick requests, of which they use some now.
    ///
    /// @param workers how many there are
    int size(int workers) {
        int wanted = used == 0 ? 0 : (int) Math.ceil(used + margin * Math.sqrt(used));
        return Math.min(wanted, workers - lengthyLeast(workers));
    }

    /// Returns whether there were quick requests lately, however few.
    boolean isNeeded() {
        return quietSeconds < QUIET_SECONDS;
    }

    /// A quick request starts.
    void quickStarted(boolean hasWaited, long now) {
        quick++;
        if (hasWaited && now > stalledUntil) {
            waited++;
        }
    }

    /// A run has ended. If none did for long, the machine had no processor for the JVM, or the JVM
    /// stood still: a request that waits for that would wait with any reserve. More than a second
    /// was lack of requests, and counts as one second.
    void ended(long now) {
        long gap = now - endedAt;
        endedAt = now;
        if (gap > stallFrom) {
            stalledUntil = now + Math.min(gap, SECOND);
        }
    }

    /// Ends a second.
    ///
    /// @param workers that quick requests use on average, of the routes that are quick now
    /// @param isTaken whether lengthy requests have more than their least part: if not, quick ones
    ///     wait for each other, and a larger reserve does not help
    void second(double workers, boolean isTaken) {
        quietSeconds = quick > 0 ? 0 : quietSeconds + 1;
        used = workers < 0.01 ? 0 : workers; // there are no requests to keep workers for
        if (isTaken && waited > WAITED_MAX * quick) {
            margin = Math.min(MARGIN_MAX, margin + MARGIN_UP);
        } else if (waited <= WAITED_MAX / 5 * quick) {
            margin = Math.max(0, margin - MARGIN_DOWN);
        }
        stallFrom = Math.max(STALL_LEAST, 10 * SECOND / Math.max(quick, 1));
        quick = 0;
        waited = 0;
    }

    /// Returns how many workers lengthy requests have before quick ones, so that these cannot
    /// starve them: a quarter, at least one.
    static int lengthyLeast(int workers) {
        return Math.max(1, workers / 4);
    }
}
