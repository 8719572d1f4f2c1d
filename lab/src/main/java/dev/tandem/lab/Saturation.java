package dev.tandem.lab;

/// Finds how many sessions a second use up a server's processors: a short load tells what one
/// costs, and the next is nearer. Meanwhile a JVM warms, so the last one counts.
final class Saturation {
    /// A load that is this far from saturation tells it well, and does not overload the server.
    private static final double AIM = 0.75;

    /// From one load to the next it may grow so much at most: a cold JVM tells too little.
    private static final double GROWTH_MAX = 8;

    private static final int STEPS = 6;

    private Saturation() {}

    /// What a load tells.
    ///
    /// @param rate sessions per second that were served
    /// @param processors how many the server used of them
    record Told(double rate, double processors) {
        /// @param most how many processors the server has
        double saturation(int most) {
            return rate * most / Math.max(processors, 1e-3);
        }

        double next(int most) {
            return Math.min(GROWTH_MAX * rate, AIM * saturation(most));
        }
    }

    /// Plays a load.
    interface Load {
        Told play(double rate) throws LabException, InterruptedException;
    }

    /// @param first a rate that no server is overloaded by
    /// @param processors how many the server has
    /// @return sessions per second
    static double find(Load load, double first, int processors)
            throws LabException, InterruptedException {
        double rate = first;
        Told told = load.play(rate);
        for (int step = 1; step < STEPS; step++) {
            told = load.play(told.next(processors));
        }
        return told.saturation(processors);
    }
}
