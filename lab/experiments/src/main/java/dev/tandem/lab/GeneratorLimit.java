package dev.tandem.lab;

import org.jspecify.annotations.Nullable;

/// The generator's own saturation point: how many replies per second it could process, from its CPU
/// time per reply in the scenario with the most replies. It has one thread, on one processor.
final class GeneratorLimit {
    private GeneratorLimit() {}

    private static final double MILLION = 1e6;

    /// Minimum ratio of the generator's capacity to the fastest server's throughput.
    private static final double GOAL = 1.3;

    /// Returns the scenario with the most replies per second; null if nothing was measured.
    private static @Nullable Scenario fastest(Samples samples) {
        Scenario fastest = null;
        double most = 0;
        for (Scenario scenario : samples.scenarios()) {
            double replies = samples.median(scenario, AppliedLoad.REPLIES);
            if (replies > most) {
                most = replies;
                fastest = scenario;
            }
        }
        return fastest;
    }

    /// Its saturation point as a multiple of the fastest server's throughput.
    static Headline headline(Samples samples) {
        Scenario scenario = fastest(samples);
        double ratio =
                scenario == null
                        ? Double.NaN
                        : point(samples, scenario) / samples.median(scenario, AppliedLoad.REPLIES);
        return new Headline(
                "the generator's own saturation point, times the fastest server's throughput",
                ratio,
                "",
                Headline.Goal.atLeast(GOAL));
    }

    /// Replies per second at one full processor.
    private static double point(Samples samples, Scenario scenario) {
        return MILLION / samples.median(scenario, AppliedLoad.GENERATOR_MICROS);
    }

    static String note(Samples samples) {
        Scenario scenario = fastest(samples);
        if (scenario == null) {
            return "The generator has not loaded anything.";
        }
        return "The generator's saturation point is calculated: "
                + Figures.show(samples.median(scenario, AppliedLoad.GENERATOR_MICROS), 1)
                + " µs of CPU for each reply, compiler and collector included, at "
                + scenario
                + ", so "
                + Figures.show(point(samples, scenario), 0)
                + " replies/s of its processor.";
    }
}
