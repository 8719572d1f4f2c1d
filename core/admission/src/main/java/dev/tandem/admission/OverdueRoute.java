package dev.tandem.admission;

/// A route some of whose runs do not return.
///
/// @param route its id
/// @param runs how many there are now, 1 or more
/// @param afterNanos how long a run of this route may take before it is counted as one
public record OverdueRoute(String route, int runs, long afterNanos) {}
