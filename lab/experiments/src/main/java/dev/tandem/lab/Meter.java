package dev.tandem.lab;

/// Loads a server, and reads the server's CPU time and that of other processes meanwhile.
///
/// @param attemptsMax maximum attempts at a disturbed measurement
record Meter(Wrk wrk, int attemptsMax) {

    /// Returns the maximum attempts until a measurement is undisturbed: a quick run has no time for
    /// a second one.
    static int attemptsMax(Form form) {
        return form == Form.QUICK ? 1 : 3;
    }

    /// Maximum ratio of wall time to CPU time while warming: on a busy machine the server is left
    /// colder, and the measurements report the disturbance.
    private static final int WARM_STRETCH_MAX = 4;

    /// The processors' counters at one moment.
    private record Moment(long nanos, long serverTicks, long ownTicks, Kernel.Activity activity) {
        static Moment now(Child server) throws LabException {
            return new Moment(
                    System.nanoTime(), server.cpuTicks(), Kernel.ownCpuTicks(), Kernel.activity());
        }
    }

    /// Loads a server until it has used the given CPU time, so that a busy machine does not leave
    /// it colder than a quiet one.
    void warm(Child server, Trial trial, double seconds) throws LabException, InterruptedException {
        long enough = server.cpuTicks() + (long) (seconds * Kernel.TICKS_PER_SECOND);
        long end = System.nanoTime() + (long) (WARM_STRETCH_MAX * seconds * 1e9);
        while (System.nanoTime() - end < 0) {
            double left = seconds(enough - server.cpuTicks());
            if (left < 0.5) {
                return;
            }
            wrk.load(server.port(), trial, (int) Math.max(1, Math.round(left)));
            server.needsLife();
        }
    }

    /// Measures once, or again while others disturb; keeps the quietest measurement.
    ///
    /// @throws LabException if the server ends or gives no responses
    Measurement measure(Child server, Trial trial, int repetition, int seconds)
            throws LabException, InterruptedException {
        Measurement best = null;
        for (int attempt = 1; attempt <= attemptsMax; attempt++) {
            Measurement measurement = once(server, trial, repetition, seconds);
            if (best == null || measurement.foreignShare() < best.foreignShare()) {
                best = measurement;
            }
            best = best.withAttempts(attempt);
            if (!measurement.isDisturbed()) {
                break;
            }
        }
        if (best == null) {
            throw new IllegalArgumentException("attemptsMax must be at least 1");
        }
        return best;
    }

    private Measurement once(Child server, Trial trial, int repetition, int seconds)
            throws LabException, InterruptedException {
        Moment before = Moment.now(server);
        Wrk.Load load = wrk.load(server.port(), trial, seconds);
        server.needsLife();
        Moment after = Moment.now(server);
        double wall = (after.nanos - before.nanos) / 1e9;
        double used = seconds(after.serverTicks - before.serverTicks);
        double own = seconds(after.ownTicks - before.ownTicks);
        double busy = seconds(after.activity.busyTicks() - before.activity.busyTicks());
        double stolen = seconds(after.activity.stolenTicks() - before.activity.stolenTicks());
        return new Measurement(
                trial.name(),
                server.name(),
                repetition,
                load,
                used * 1e6 / load.requests(),
                used / wall,
                own / wall,
                (Math.max(0, busy - used - own) + stolen) / wall,
                1);
    }

    private static double seconds(long ticks) {
        return ticks / Kernel.TICKS_PER_SECOND;
    }
}
