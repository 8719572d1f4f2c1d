package dev.tandem.admission;

/// The only two numbers that admission needs. Both have a default.
///
/// @param processors that handlers may use, 1 to 65,536; where the search for the number of
///     workers begins, and the least of it
/// @param workersMax the most that run at once, `processors` to 65,536; beyond it none is
///     admitted, whatever would pay
public record Limits(int processors, int workersMax) {

    /// Of the search: 50 for each processor, at least 200, as many threads as a JVM bears
    /// easily.
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

    /// Where the search begins: 4 for each processor, at least 8, since most handlers wait at
    /// times. Not more: should they compute, the event loop has but its share of the processor
    /// among them until fewer are found, and a client that is not accepted cannot even be rejected.
    int workersFirst() {
        return Math.min(Math.max(8, 4 * processors), workersMax);
    }

    public Limits withWorkersMax(int workersMax) {
        return new Limits(processors, workersMax);
    }
}
