package dev.tandem.admission;

/// Measures how busy the server is with requests that handshakes must not delay, for the
/// [HandshakeBudget]: the processor time of its loops and workers, less that of key work.
///
/// Of that time only the part counts that belongs to requests that followed others on their
/// connections. What a new connection brings (accept, first request, close) is caused by its
/// handshake: if it held the next handshakes back, they would wait while the processor is idle. The
/// JVM's own threads do not count: handshakes need not wait while its compiler works. Guarded by
/// the lock of [HandshakeAdmission].
final class HandshakeLoad {
    private final HandshakeBudget budget;
    private final int processors;
    private boolean isStarted;
    private long measuredAt;
    private RequestLoad before = new RequestLoad(0, 0, 0, false);
    private long handshakesBefore;

    /// The part of requests that followed others on their connections; all until it is known.
    private double laterPart = 1;

    HandshakeLoad(HandshakeBudget budget, int processors) {
        this.budget = budget;
        this.processors = processors;
    }

    boolean isDue(long now) {
        return !isStarted || now - measuredAt >= ElapsedClock.TICK_NANOS;
    }

    /// Reports the load.
    void measured(RequestLoad load, long now) {
        if (!isDue(now)) {
            return; // another thread has reported it
        }
        if (isStarted) {
            learnLaterPart(load);
            long handshakes = budget.handshakeTime() - handshakesBefore;
            double passed = (double) (now - measuredAt) * processors;
            double used = (load.threadTime() - before.threadTime() - handshakes) / passed;
            budget.adapt(Math.clamp(used * laterPart, 0, 1), load.areQueued());
        }
        isStarted = true;
        measuredAt = now;
        before = load;
        handshakesBefore = budget.handshakeTime();
    }

    /// Keeps what is known while no request arrives: long ones may be running.
    private void learnLaterPart(RequestLoad load) {
        double first = load.first() - before.first();
        double later = load.later() - before.later();
        if (first + later > 0) {
            laterPart = (laterPart + later / (first + later)) / 2;
        }
    }
}
