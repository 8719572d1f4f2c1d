package dev.tandem.server;

/// How much of the processors' time handshakes may use, and what they cost.
///
/// Each handshake is paid for by the CPU time that it used; until that is known, by what its kind
/// has cost so far. Who has the lane of full handshakes pays for the resumed ones as well, so that
/// both together keep to the share and visitors who come back go before newcomers. The share is
/// what the requests of those inside leave ([#adapt]).
///
/// Times are nanoseconds. Not safe for use by several threads.
final class HandshakeBudget {
    /// An eighth: what full handshakes have at least, so that a server which is busy with those
    /// inside still lets some in.
    static final double SHARE_MIN = 0.125;

    /// How much less handshakes get for what those inside use: a quarter more than that. So what is
    /// kept free grows with the load, and requests need not wait for a processor.
    static final double INSIDE_WEIGHT = 1.25;

    /// 0.3 ms: what a full handshake costs on BoringSSL. Until there is a price.
    static final long PRICE_AT_FIRST = 300_000;

    /// A price follows the last thirty or so.
    private static final double NEW_PART = 1.0 / 32;

    /// A kind of handshake; confined to the budget.
    final class Kind {
        private final boolean isFull;

        /// When the next may begin.
        private long freeAt = Long.MIN_VALUE / 2;

        /// When the last one began.
        private long begunAt = Long.MIN_VALUE / 2;

        private double price = PRICE_AT_FIRST;
        private long count;
        private long spent;

        private Kind(boolean isFull) {
            this.isFull = isFull;
        }

        /// What one costs, learned.
        long price() {
            return (long) price;
        }

        /// How many it was learned from.
        long count() {
            return count;
        }

        /// What all of them have cost.
        long spent() {
            return spent;
        }

        /// How long the next one has to wait; 0: it may begin.
        long waitAt(long now) {
            return Math.max(0, freeAt - now);
        }

        /// One begins; pays its price in advance.
        void begins(long now) {
            begunAt = now;
            pay(now, price);
        }

        /// One that began has done its key work.
        ///
        /// @param paid what was paid in advance
        /// @param cost in CPU time
        void worked(long now, long paid, long cost) {
            handshakeTime += cost;
            settle(now, cost - paid);
        }

        /// Key work that was not paid in advance.
        void worked(long now, long cost) {
            handshakeTime += cost;
            pay(now, cost);
        }

        private void pay(long now, double cost) {
            freeAt = bounded(now, Math.max(freeAt, now) + time(cost));
            if (!isFull) {
                full.pay(now, cost);
            }
        }

        private void settle(long now, long difference) {
            freeAt = bounded(now, freeAt + time(difference));
            if (!isFull) {
                full.settle(now, difference);
            }
        }

        /// How long what costs so much takes by our share.
        private long time(double cost) {
            return (long) (cost / (share * processors));
        }

        /// So that the least share is kept.
        private long bounded(long now, long wanted) {
            long latest = begunAt + (long) (price / (SHARE_MIN * processors));
            return Math.min(wanted, Math.max(now, latest));
        }

        /// All that one of this kind has cost is known.
        void learn(long cost) {
            price += (cost - price) * Math.max(NEW_PART, 1.0 / (count + 1));
            count++;
            spent += cost;
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

    /// Of all processors, 0 to 1.
    double share() {
        return share;
    }

    /// CPU time that key work has used.
    long handshakeTime() {
        return handshakeTime;
    }

    /// Learns how much those inside use.
    ///
    /// @param inside the part of all processors, 0 to 1, that all but key work uses
    /// @param isPressed whether requests wait for a worker
    void adapt(double inside, boolean isPressed) {
        double wanted = Math.clamp(1 - INSIDE_WEIGHT * inside, SHARE_MIN, 1);
        share = isPressed ? Math.max(SHARE_MIN, Math.min(wanted, share / 2)) : (share + wanted) / 2;
    }
}
