package dev.tandem.admission;

/// How much processor time handshakes may use, and what they cost.
///
/// Each handshake is charged the processor time that it used; until that is known, the mean of its
/// kind. The lane of full handshakes is charged for the resumed ones as well, so that both together
/// keep to the share, and resumed sessions go before new ones. The share is what requests do not
/// use ([#adapt]).
///
/// Times are nanoseconds. Guarded by the lock of [HandshakeAdmission].
final class HandshakeBudget {
    /// An eighth: the least share of full handshakes, so that a server that is busy with requests
    /// still accepts some.
    static final double SHARE_MIN = Tuning.number("HandshakeBudget.SHARE_MIN", 0.125);

    /// The share is lowered by 1.25 times what requests use: the part that is kept free grows with
    /// the load, so that requests need not wait for a processor.
    static final double REQUESTS_WEIGHT = Tuning.number("HandshakeBudget.REQUESTS_WEIGHT", 1.25);

    /// A kind of handshake; confined to the budget.
    final class Kind {
        private final boolean isFull;

        /// The time from which the next may start.
        private long freeAt = Long.MIN_VALUE / 2;

        /// The time at which the last one started.
        private long startedAt = Long.MIN_VALUE / 2;

        /// 0.3 ms, a full handshake on BoringSSL, until one is learned.
        private final LearnedMean cost = new LearnedMean(300_000, 0, LearnedMean.SHORT);

        private long count;
        private long totalCost;

        private Kind(boolean isFull) {
            this.isFull = isFull;
        }

        /// Returns the mean cost of one.
        long meanCost() {
            return (long) cost.mean();
        }

        /// Returns the number of handshakes that it was learned from.
        long count() {
            return count;
        }

        /// Returns the cost of all of them.
        long totalCost() {
            return totalCost;
        }

        /// Returns how long the next one has to wait; 0 if it may start.
        long waitAt(long now) {
            return Math.max(0, freeAt - now);
        }

        /// Returns how long so many take with the present share.
        long timeOf(int handshakes) {
            return time(handshakes * cost.mean(), share);
        }

        /// Charges the mean cost of one that starts.
        void start(long now) {
            startedAt = now;
            charge(now, cost.mean());
        }

        /// Charges the difference for one that has done its key work.
        ///
        /// @param charged in advance
        /// @param used processor time
        void worked(long now, long charged, long used) {
            handshakeTime += used;
            correct(now, used - charged);
        }

        /// Charges key work that was not charged in advance.
        void worked(long now, long used) {
            handshakeTime += used;
            charge(now, used);
        }

        private void charge(long now, double used) {
            freeAt = bounded(now, Math.max(freeAt, now) + time(used, share));
            if (!isFull) {
                full.charge(now, used);
            }
        }

        private void correct(long now, long difference) {
            freeAt = bounded(now, freeAt + time(difference, share));
            if (!isFull) {
                full.correct(now, difference);
            }
        }

        /// Returns how long work takes with a share of the processors.
        private long time(double work, double part) {
            return (long) (work / (part * processors));
        }

        /// Keeps the least share.
        private long bounded(long now, long wanted) {
            long latest = startedAt + time(cost.mean(), SHARE_MIN);
            return Math.min(wanted, Math.max(now, latest));
        }

        /// Learns what one of this kind has cost in all.
        void learn(long nanos) {
            cost.add(nanos);
            count++;
            totalCost += nanos;
        }
    }

    private final int processors;
    private final Kind full = new Kind(true);
    private final Kind resumed = new Kind(false);
    private double share = 1;
    private long handshakeTime;

    /// @param processors how many there are, at least 1
    HandshakeBudget(int processors) {
        this.processors = processors;
    }

    Kind full() {
        return full;
    }

    Kind resumed() {
        return resumed;
    }

    /// Returns the share of all processors, 0 to 1.
    double share() {
        return share;
    }

    /// Returns the processor time that key work has used.
    long handshakeTime() {
        return handshakeTime;
    }

    /// Adapts the share.
    ///
    /// @param requestLoad the part of all processors, 0 to 1, that requests use which handshakes
    ///     must not delay
    /// @param areRequestsQueued whether requests wait for a worker
    void adapt(double requestLoad, boolean areRequestsQueued) {
        double wanted = Math.clamp(1 - REQUESTS_WEIGHT * requestLoad, SHARE_MIN, 1);
        share =
                areRequestsQueued
                        ? Math.max(SHARE_MIN, Math.min(wanted, share / 2))
                        : (share + wanted) / 2;
    }
}
