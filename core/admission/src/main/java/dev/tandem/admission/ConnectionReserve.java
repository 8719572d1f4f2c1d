package dev.tandem.admission;

/// How many of a database's connections lengthy requests may not take, so that quick ones need not
/// wait until one of them ends (t_reserve). The purpose, and that it adapts each second, are those
/// of Courtwright, Yue and Wang (DSN 2009); the rule is our own.
///
/// None, as long as quick requests soon get one anyway, since they go first: a connection that is
/// idle while a request waits is wasted. One more for each second in which they waited for lengthy
/// ones for longer than a user could notice. One fewer when they have not for a while, or as soon
/// as the idling takes too much of all connections' time. Guarded by the lane's lock.
final class ConnectionReserve {
    /// 10 ms, in the mean: what quick requests may wait before any connection is reserved.
    private static final long WAIT_MAX = StandingQueue.TARGET_NANOS / 2;

    /// Part of all connections' time that may be idle while lengthy requests wait.
    private static final double IDLE_MAX = Tuning.number("ConnectionReserve.IDLE_MAX", 0.1);

    /// 30 s without slow quick requests until one fewer is reserved, or after a reserve turned out
    /// too expensive until one more is tried again: each trial costs a second of waiting or of
    /// idling.
    private static final int CALM_SECONDS = Tuning.count("ConnectionReserve.CALM_SECONDS", 30);

    private int size;
    private int quick;
    private long waitNanos;
    private double idleNanos;
    private long at;
    private int calmSeconds;
    private int restSeconds;

    /// Returns how many are reserved, without those that lengthy requests have a right to.
    ///
    /// @param connections how many there are
    int size(int connections) {
        return Math.min(size, connections - ConnectionShare.least(connections));
    }

    /// A quick request was granted a connection.
    ///
    /// @param waitedNanos for a lengthy one; 0 if it did not wait, or for other quick ones
    void quickStarted(long waitedNanos) {
        quick++;
        waitNanos += waitedNanos;
    }

    /// Time has passed.
    ///
    /// @param idle connections that were free since the last call, while lengthy requests waited
    void passed(long time, int idle) {
        idleNanos += (double) idle * (time - at);
        at = time;
    }

    /// Ends a second.
    ///
    /// @param nanos how long it was
    void second(int connections, long nanos) {
        boolean isTooExpensive = idleNanos > IDLE_MAX * connections * nanos;
        boolean isSlow = quick > 0 && waitNanos > WAIT_MAX * quick;
        calmSeconds = isSlow ? 0 : calmSeconds + 1;
        restSeconds = Math.max(0, restSeconds - 1);
        if (isTooExpensive) {
            restSeconds = CALM_SECONDS;
            shrink();
        } else if (isSlow && restSeconds == 0 && size(connections) == size) {
            size++;
        } else if (calmSeconds >= CALM_SECONDS) {
            shrink();
        }
        quick = 0;
        waitNanos = 0;
        idleNanos = 0;
    }

    private void shrink() {
        size = Math.max(0, size - 1);
        calmSeconds = 0;
    }
}
