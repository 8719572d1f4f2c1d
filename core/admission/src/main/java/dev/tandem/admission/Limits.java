package dev.tandem.admission;

/// The only two numbers that admission needs. Both have a default.
///
/// @param processors that handlers may use, 1 to 65,536: the smallest number of workers, and where
///     the search for their number starts
/// @param workersMax the largest number of workers, `processors` to 65,536, whatever more would
///     bring
public record Limits(int processors, int workersMax) {

    /// Returns the limits for a number of processors: up to 50 workers for each, and up to 200 in
    /// any case; a JVM runs so many threads easily.
    public static Limits of(int processors) {
        return new Limits(processors, Math.max(200, 50 * processors));
    }

    /// @throws IllegalArgumentException naming limit and value, if it is out of range
    public Limits {
        if (processors < 1 || processors > 65_536) {
            throw new IllegalArgumentException("processors must be 1..65536, was " + processors);
        }
        if (workersMax < processors || workersMax > 65_536) {
            throw new IllegalArgumentException(
                    "workersMax must be " + processors + "..65536, was " + workersMax);
        }
    }

    /// Returns the number of workers that the search starts with: 4 for each processor, at least 8,
    /// since most handlers wait at times. Not more: if they compute, an event loop shares the
    /// processor with all of them until fewer are found, and a client that is not accepted cannot
    /// even be rejected.
    int workersFirst() {
        return Math.min(Math.max(8, 4 * processors), workersMax);
    }

    public Limits withWorkersMax(int workersMax) {
        return new Limits(processors, workersMax);
    }
}
