package dev.tandem.admission;

/// A route with runs that do not return.
///
/// @param route its id
/// @param runs number of such runs now, 1 or more
/// @param afterNanos how long a run of this route may take before it counts as one
public record OverdueRoute(String route, int runs, long afterNanos) {}
