package dev.tandem.lab;

/// Finds how many sessions a second use up a server's processors: a short load tells what one
/// costs, and the next is nearer. Meanwhile a JVM warms, so the last one counts.
final class Saturation {
    /// A load that is this far from saturation tells it well, and does not overload the server.
    private static final double AIM = 0.75;

    /// From one load to the next it grows so much at most: the first cost a hundredth of a
    /// processor, which is as fine as the kernel counts, and a cold JVM tells too little.
    private static final double GROWTH_MAX = 4;

    /// From a hundred sessions a second, that is enough for 25,000, and two more that are near.
    private static final int STEPS = 6;

    /// Above this share the generator may have been late, and the server idle for that.
    private static final double GENERATOR_MAX = 0.9;

    private Saturation() {}

    /// What a load tells.
    ///
    /// @param served sessions per second
    /// @param processors how many the server used for them
    /// @param generatorShare how much of its processor the generator used
    record Told(double served, double processors, double generatorShare) {
        /// @param most how many processors the server has
        double saturation(int most) {
            return served * most / processors;
        }

        /// Whether it tells anything.
        boolean isCarried() {
            return served > 0 && processors > 0 && generatorShare <= GENERATOR_MAX;
        }
    }

    /// Plays a load.
    interface Load {
        Told play(double rate) throws LabException, InterruptedException;
    }

    /// @param first a rate that no server is overloaded by
    /// @param processors how many the server has
    /// @return sessions per second
    /// @throws LabException if the generator was saturated by every load, mostly by what else runs
    static double find(Load load, double first, int processors)
            throws LabException, InterruptedException {
        double rate = first;
        double found = Double.NaN;
        for (int step = 0; step < STEPS; step++) {
            Told told = load.play(rate);
            if (told.isCarried()) {
                found = told.saturation(processors);
                rate = Math.min(GROWTH_MAX * rate, AIM * found);
            } else {
                rate /= 2;
            }
        }
        if (Double.isNaN(found)) {
            throw new LabException(
                    "saturation cannot be found: the generator's processor is busy; end what else"
                            + " runs, or give it by --saturation");
        }
        return found;
    }
}
