package dev.tandem.lab;

/// Loads a server and reads meanwhile what that cost it, and what others did on the machine.
///
/// @param attemptsMax how often a disturbed take is tried
record Meter(Wrk wrk, int attemptsMax) {

    /// How often a take is tried until it is quiet: a quick run has no time for a second try.
    static int attemptsMax(Form form) {
        return form == Form.QUICK ? 1 : 3;
    }

    /// How much longer than its CPU time a warming may take: on a busy machine the server is left
    /// colder, and the takes say that it was disturbed.
    private static final int WARM_STRETCH_MAX = 4;

    /// The processors' accounts at one moment.
    private record Moment(long nanos, long serverTicks, long ownTicks, Kernel.Activity activity) {
        static Moment now(Child server) throws LabException {
            return new Moment(
                    System.nanoTime(), server.cpuTicks(), Kernel.ownCpuTicks(), Kernel.activity());
        }
    }

    /// Loads a server until it has used so much CPU, so that a busy machine does not leave it
    /// colder than a quiet one.
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

    /// Takes once, or again while others disturb; keeps the quietest take.
    ///
    /// @throws LabException if the server ends or gives no answers
    Take take(Child server, Trial trial, int round, int seconds)
            throws LabException, InterruptedException {
        Take best = null;
        for (int attempt = 1; attempt <= attemptsMax; attempt++) {
            Take take = once(server, trial, round, seconds);
            if (best == null || take.foreignShare() < best.foreignShare()) {
                best = take;
            }
            best = best.withAttempts(attempt);
            if (!take.isDisturbed()) {
                break;
            }
        }
        if (best == null) {
            throw new IllegalArgumentException("attemptsMax must be at least 1");
        }
        return best;
    }

    private Take once(Child server, Trial trial, int round, int seconds)
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
        return new Take(
                trial.name(),
                server.name(),
                round,
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
