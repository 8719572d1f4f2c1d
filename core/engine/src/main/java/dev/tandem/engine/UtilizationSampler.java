package dev.tandem.engine;

import dev.tandem.admission.Admission;
import dev.tandem.admission.Counters;
import dev.tandem.admission.DatabaseLane;
import dev.tandem.admission.HandshakeCounters;
import dev.tandem.admission.Utilization;
import dev.tandem.admission.UtilizationMeter;
import dev.tandem.net.NanoClock;
import java.util.function.Supplier;

/// Measures how much of what the server can do is used: at each heartbeat, and when it is asked
/// while the heartbeat sleeps. Requests do nothing for it. Safe for use by any thread.
public final class UtilizationSampler {
    /// Quotas of processors are read every 2 s.
    private static final long QUOTA_NANOS = 2_000_000_000;

    /// Half a second: then a heartbeat is missing, and a reader measures.
    private static final long DUE_NANOS = 500_000_000;

    private final Admission admission;
    private final Supplier<HandshakeCounters> handshakes;
    private final NanoClock clock;
    private final UtilizationMeter meter = new UtilizationMeter();
    private final ProcessProcessors process = new ProcessProcessors();
    private double processors = Runtime.getRuntime().availableProcessors();
    private long countedAt;
    private long sampledAt;
    private boolean isCounted;

    UtilizationSampler(
            Admission admission, Supplier<HandshakeCounters> handshakes, NanoClock clock) {
        this.admission = admission;
        this.handshakes = handshakes;
        this.clock = clock;
    }

    /// Returns the utilization now.
    public Utilization read() {
        if (isDue()) {
            sample();
        }
        return meter.at(clock.nanos());
    }

    /// Returns the processors that the process may use, as they were counted last.
    public synchronized double processors() {
        return processors;
    }

    private synchronized boolean isDue() {
        return clock.nanos() - sampledAt >= DUE_NANOS;
    }

    synchronized void sample() {
        long now = clock.nanos();
        sampledAt = now;
        if (!isCounted || now - countedAt >= QUOTA_NANOS) {
            isCounted = true;
            countedAt = now;
            processors = process.count();
            admission.reportProcessors(processors);
        }
        Counters counters = admission.counters();
        HandshakeCounters keyWork = handshakes.get();
        meter.sample(
                new UtilizationMeter.Sample(
                        (double) (counters.running() + counters.waiting()) / counters.workers(),
                        databases(),
                        process.usedNanos(),
                        processors,
                        keyWork.full().cost().totalNanos() + keyWork.resumed().cost().totalNanos(),
                        keyWork.share()),
                now);
    }

    private double databases() {
        double most = 0;
        for (DatabaseLane lane : admission.databases()) {
            DatabaseLane.Counts counts = lane.counts();
            int waiting = counts.quickWaiting() + counts.lengthyWaiting() + counts.runningWaiting();
            most = Math.max(most, (double) (counts.granted() + waiting) / counts.connections());
        }
        return most;
    }
}
