package dev.tandem.admission;

/// Measures how busy the server is with requests, for the [HandshakeBudget]: what its loops and
/// workers use less what key work does. So it contains what a loop does for new connections, too.
/// It does not contain the JVM's own threads: handshakes need not wait while its compiler works.
/// Guarded by the lock of [HandshakeAdmission].
final class HandshakeLoad {
    private final HandshakeBudget budget;
    private final int processors;
    private boolean isStarted;
    private long measuredAt;
    private long timeBefore;
    private long handshakesBefore;

    HandshakeLoad(HandshakeBudget budget, int processors) {
        this.budget = budget;
        this.processors = processors;
    }

    boolean isDue(long now) {
        return !isStarted || now - measuredAt >= ElapsedClock.TICK_NANOS;
    }

    /// @param threadTime processor time of loops and workers so far
    void measured(long threadTime, boolean areRequestsQueued, long now) {
        if (!isDue(now)) {
            return; // another thread was faster
        }
        if (isStarted) {
            long handshakes = budget.handshakeTime() - handshakesBefore;
            double passed = (double) (now - measuredAt) * processors;
            double inside = (threadTime - timeBefore - handshakes) / passed;
            budget.adapt(Math.clamp(inside, 0, 1), areRequestsQueued);
        }
        isStarted = true;
        measuredAt = now;
        timeBefore = threadTime;
        handshakesBefore = budget.handshakeTime();
    }
}
