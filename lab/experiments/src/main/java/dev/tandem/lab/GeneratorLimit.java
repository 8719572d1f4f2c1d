package dev.tandem.lab;

import org.jspecify.annotations.Nullable;

/// The generator's own saturation point: how many replies a second it could take at the CPU that it
/// used for each where a server gave it the most of them. It has one thread, on one processor.
final class GeneratorLimit {
    private GeneratorLimit() {}

    private static final double MILLION = 1e6;

    /// It should be able to do so much more than the fastest server.
    private static final double GOAL = 1.3;

    /// The cell with the most replies a second; null if nothing was measured.
    private static @Nullable Cell fastest(Samples samples) {
        Cell fastest = null;
        double most = 0;
        for (Cell cell : samples.cells()) {
            double replies = samples.median(cell, Play.REPLIES);
            if (replies > most) {
                most = replies;
                fastest = cell;
            }
        }
        return fastest;
    }

    /// Its saturation point as a multiple of the fastest server's throughput.
    static Headline headline(Samples samples) {
        Cell cell = fastest(samples);
        double ratio =
                cell == null
                        ? Double.NaN
                        : point(samples, cell) / samples.median(cell, Play.REPLIES);
        return new Headline(
                "the generator's own saturation point, times the fastest server's throughput",
                ratio,
                "",
                Headline.Goal.atLeast(GOAL));
    }

    /// Replies a second that one processor would give.
    private static double point(Samples samples, Cell cell) {
        return MILLION / samples.median(cell, Play.GENERATOR_MICROS);
    }

    static String note(Samples samples) {
        Cell cell = fastest(samples);
        if (cell == null) {
            return "The generator has not loaded anything.";
        }
        return "The generator's saturation point is reckoned: "
                + Figures.show(samples.median(cell, Play.GENERATOR_MICROS), 1)
                + " µs of CPU for each reply, compiler and collector included, at "
                + cell
                + ", so "
                + Figures.show(point(samples, cell), 0)
                + " replies/s of its processor.";
    }
}
