package dev.tandem.admission;

/// Averages the [Utilization] of a server over about two seconds: shorter means are mostly chance,
/// and longer ones are older than what a load balancer asks for every two seconds.
///
/// Pure: the engine's heartbeat reports samples, and time is an argument. Any thread may call any
/// method; the path of a request calls none.
public final class UtilizationMeter {
    /// 2 s, the interval of HAProxy's agent checks.
    private static final double MEAN_NANOS = 2e9;

    /// 1 s without a sample: the heartbeat sleeps, since there is nothing to do, and what was
    /// measured fades.
    private static final long SILENCE_NANOS = 1_000_000_000;

    /// 0.1 s: what runs at a moment says nothing of a longer time before it.
    private static final long BEAT_NANOS = ElapsedClock.TICK_NANOS;

    /// 0.5 s: shorter windows of processor time are inexact, as kernels count in hundredths of a
    /// second.
    private static final long WINDOW_NANOS = 500_000_000;

    private Utilization mean = Utilization.NONE;
    private boolean isStarted;
    private long sampledAt;
    private long windowAt;
    private long processorsBefore;
    private long handshakesBefore;
    private double processors;
    private double handshakes;

    /// What a server has done and does, at one moment.
    ///
    /// @param workers requests that run or wait, per worker
    /// @param databases requests that have or wait for a connection, per connection
    /// @param processorNanos that the process has used since its start; -1 if it is not known
    /// @param processors that the process may use, more than 0; a part of one is possible
    /// @param handshakeNanos that key work has used since the start
    /// @param handshakeShare of the processors that key work may use, 0 to 1
    public record Sample(
            double workers,
            double databases,
            long processorNanos,
            double processors,
            long handshakeNanos,
            double handshakeShare) {

        /// @throws IllegalArgumentException if there is no processor
        public Sample {
            if (!(processors > 0)) {
                throw new IllegalArgumentException("processors must be over 0, was " + processors);
            }
        }
    }

    /// Adds a sample; to be called about ten times a second while there is work, and before
    /// [#at] where it was not called for half a second.
    public synchronized void sample(Sample sample, long now) {
        if (!isStarted) {
            isStarted = true;
            beginWindow(sample, now);
            sampledAt = now;
            return;
        }
        long passed = Math.max(0, now - sampledAt);
        if (passed > SILENCE_NANOS) {
            mean = fadedAt(now); // no request has run or waited meanwhile
        }
        endWindow(sample, now);
        double part = part(Math.min(passed, BEAT_NANOS));
        double partOfWindow = part(passed);
        mean =
                new Utilization(
                        between(mean.workers(), sample.workers(), part),
                        between(mean.processors(), processors, partOfWindow),
                        between(mean.databases(), sample.databases(), part),
                        between(mean.handshakes(), handshakes, partOfWindow));
        sampledAt = now;
    }

    /// Measures what was used since the window began, if it is long enough.
    private void endWindow(Sample sample, long now) {
        long window = now - windowAt;
        if (window >= WINDOW_NANOS) {
            double capacity = sample.processors() * window;
            long used = sample.processorNanos() - processorsBefore;
            processors = sample.processorNanos() < 0 ? 0 : Math.max(0, used) / capacity;
            double budget = Math.max(sample.handshakeShare(), HandshakeBudget.SHARE_MIN) * capacity;
            handshakes = Math.max(0, sample.handshakeNanos() - handshakesBefore) / budget;
        }
        if (window >= WINDOW_NANOS || window < 0) {
            beginWindow(sample, now);
        }
    }

    private void beginWindow(Sample sample, long now) {
        windowAt = now;
        processorsBefore = sample.processorNanos();
        handshakesBefore = sample.handshakeNanos();
    }

    /// Returns the utilization at a moment: what was measured, less what has faded since the
    /// heartbeat fell asleep.
    public synchronized Utilization at(long now) {
        return isStarted && now - sampledAt <= SILENCE_NANOS ? mean : fadedAt(now);
    }

    private Utilization fadedAt(long now) {
        if (!isStarted) {
            return Utilization.NONE;
        }
        double part = part(Math.max(0, now - sampledAt));
        return new Utilization(
                between(mean.workers(), 0, part),
                between(mean.processors(), 0, part),
                between(mean.databases(), 0, part),
                between(mean.handshakes(), 0, part));
    }

    private static double part(long nanos) {
        return 1 - Math.exp(-nanos / MEAN_NANOS);
    }

    private static double between(double from, double to, double part) {
        return from + (to - from) * part;
    }
}
