package dev.tandem.admission;

/// A class of work with a limit on how many run at once and a bounded queue with a deadline.
///
/// Which lane a request takes is measured, not configured; only probes are declared.
public enum Lane {
    /// Health checks: they run beside the workers' limit and are never starved.
    PROBE,

    /// Requests of routes that take a time like the fastest.
    QUICK,

    /// Requests of routes that take several times as long, and of routes not known yet: they
    /// leave a reserve of workers to the quick ones.
    LENGTHY
}
