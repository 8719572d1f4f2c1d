package dev.tandem.admission;

/// Measures how busy the server is with requests, for the [HandshakeBudget]: the processor time of
/// its loops and workers, less that of key work. This includes what a loop does for new
/// connections, and excludes the JVM's own threads: handshakes need not wait while its compiler
/// works. Guarded by the lock of [HandshakeAdmission].
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

    /// Reports the load.
    ///
    /// @param threadTime processor time of loops and workers so far
    void measured(long threadTime, boolean areRequestsQueued, long now) {
        if (!isDue(now)) {
            return; // another thread has reported it
        }
        if (isStarted) {
            long handshakes = budget.handshakeTime() - handshakesBefore;
            double passed = (double) (now - measuredAt) * processors;
            double requestLoad = (threadTime - timeBefore - handshakes) / passed;
            budget.adapt(Math.clamp(requestLoad, 0, 1), areRequestsQueued);
        }
        isStarted = true;
        measuredAt = now;
        timeBefore = threadTime;
        handshakesBefore = budget.handshakeTime();
    }
}
