package dev.tandem.admission;

/// A class of requests with a limit on how many run at once and a bounded queue with a deadline.
///
/// A request's lane follows from the measured times of its route; only probes are declared.
public enum Lane {
    /// Health checks: they run in addition to the workers' limit and are never starved.
    PROBE,

    /// Requests of routes that take about as long as the fastest.
    QUICK,

    /// Requests of routes that take several times as long, and of routes that are not measured yet.
    /// They leave some workers to the quick ones.
    LENGTHY
}
