package dev.tandem.lab;

/// Finds how many sessions per second saturate a server's processors: a short load shows the cost
/// of one, and the next load is nearer to saturation. Meanwhile a JVM warms, so the last one
/// counts.
final class Saturation {
    /// A load at this share of saturation measures it well, and does not overload the server.
    private static final double AIM = 0.75;

    /// Maximum growth from one load to the next: the first uses a hundredth of a processor, which
    /// is the kernel's resolution, and a cold JVM is too slow to be representative.
    private static final double GROWTH_MAX = 4;

    /// From a hundred sessions per second, that is enough for 25,000, and two more that are near.
    private static final int STEPS = 6;

    /// If the saturation is known approximately.
    private static final int STEPS_AGAIN = 2;

    /// Above this share the generator may have been late, which leaves the server idle.
    private static final double GENERATOR_MAX = 0.9;

    private Saturation() {}

    /// Result of a load.
    ///
    /// @param served sessions per second
    /// @param processors how many the server used for them
    /// @param generatorShare how much of its processor the generator used
    record Result(double served, double processors, double generatorShare) {
        /// @param most how many processors the server has
        double saturation(int most) {
            return served * most / processors;
        }

        /// Whether the result is usable.
        boolean isCarried() {
            return served > 0 && processors > 0 && generatorShare <= GENERATOR_MAX;
        }
    }

    /// Runs a load.
    interface Load {
        Result play(double rate) throws LabException, InterruptedException;
    }

    /// @param first a rate that overloads no server
    /// @param processors how many the server has
    /// @return sessions per second
    /// @throws LabException if the generator was saturated by every load, usually because of other
    ///     programs
    static double find(Load load, double first, int processors)
            throws LabException, InterruptedException {
        return find(load, first, processors, STEPS);
    }

    /// Measures it more exactly.
    ///
    /// @param found approximately
    static double again(Load load, double found, int processors)
            throws LabException, InterruptedException {
        return find(load, AIM * found, processors, STEPS_AGAIN);
    }

    private static double find(Load load, double first, int processors, int steps)
            throws LabException, InterruptedException {
        double rate = first;
        double found = Double.NaN;
        for (int step = 0; step < steps; step++) {
            Result reported = load.play(rate);
            if (reported.isCarried()) {
                found = reported.saturation(processors);
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
