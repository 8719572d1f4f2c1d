package dev.tandem.workloads.surge;

import dev.tandem.workloads.Distribution;
import dev.tandem.workloads.Lognormal;
import dev.tandem.workloads.Pareto;
import dev.tandem.workloads.Spliced;
import dev.tandem.workloads.Truncated;
import dev.tandem.workloads.Weibull;

/// The distributions that Surge is made of. `docs/workloads.md` gives the source of each, and lists
/// those that are known from memory only.
///
/// @param fileSizes of the files, in bytes; drawn values are rounded up to whole bytes
/// @param popularityAlpha the file of rank r has requests in proportion to `1 / r ^ alpha`
/// @param requestSizes the intended sizes of requested files, in bytes; cut at the largest file
/// @param references the number of embedded files of a page that has any; rounded down
/// @param singlesPerPage the number of pages without embedded files for each page with some; at
///     least 0
/// @param distances of stacks, from 1; rounded up: the number of pages requested since a page was,
///     and that page, counting only pages with requests left
/// @param activeOff the pause before an embedded file, in seconds
/// @param inactiveOff a user's think time between two pages, in seconds
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
    /// dominate a run on a laptop.
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
