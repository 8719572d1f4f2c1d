package dev.tandem.workloads.surge;

import dev.tandem.workloads.Distribution;
import dev.tandem.workloads.Lognormal;
import dev.tandem.workloads.Pareto;
import dev.tandem.workloads.Spliced;
import dev.tandem.workloads.Truncated;
import dev.tandem.workloads.Weibull;

/// The distributions that Surge is made of. `docs/workloads.md` says where each comes from, and
/// which are known from memory only.
///
/// @param fileSizes of the files, in bytes; what is drawn is rounded up to whole bytes
/// @param popularityAlpha the file of rank r has requests in proportion to `1 / r ^ alpha`
/// @param requestSizes what the sizes of requested files are to follow, in bytes; cut at the
///     largest file
/// @param references how many embedded files a page has that has any; rounded down
/// @param singlesPerPage how many pages without embedded files there are for each with some; at
///     least 0
/// @param distances of stacks, from 1; rounded up: how many pages were asked for since a page was,
///     and that page, of those that are to be asked for again
/// @param activeOff the pause before an embedded file, in seconds
/// @param inactiveOff what a visitor thinks between two pages, in seconds
public record SurgeModel(
        Distribution fileSizes,
        double popularityAlpha,
        Distribution requestSizes,
        Distribution references,
        double singlesPerPage,
        Distribution distances,
        Distribution activeOff,
        Distribution inactiveOff) {

    private static final double TAIL_BYTES = 133_000;

    /// The largest file: 20 MB. The tail has no bound of its own, and one file of gigabytes would
    /// be all that a run on a laptop shows.
    private static final double FILE_BYTES_MAX = 20e6;

    /// Pauses below a second are within a page.
    private static final double ACTIVE_SECONDS_MAX = 1;

    /// Ten minutes: as long as the papers' runs.
    private static final double THINK_SECONDS_MAX = 600;

    /// Barford and Crovella's parameters.
    public static final SurgeModel PAPER =
            new SurgeModel(
                    new Spliced(
                            0.93,
                            new Truncated(new Lognormal(9.357, 1.318), TAIL_BYTES),
                            new Truncated(new Pareto(TAIL_BYTES, 1.1), FILE_BYTES_MAX)),
                    1.0,
                    new Pareto(1_000, 1.0),
                    new Pareto(1, 2.43),
                    32.0 / 30,
                    new Lognormal(1.5, 0.80),
                    new Truncated(new Weibull(1.46, 0.382), ACTIVE_SECONDS_MAX),
                    new Truncated(new Pareto(1, 1.5), THINK_SECONDS_MAX));

    /// @throws IllegalArgumentException if `singlesPerPage` is out of range
    public SurgeModel {
        if (!(singlesPerPage >= 0) || Double.isInfinite(singlesPerPage)) {
            throw new IllegalArgumentException(
                    "singlesPerPage must be at least 0, was " + singlesPerPage);
        }
    }
}
