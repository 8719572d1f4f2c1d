package dev.tandem.admission;

/// Reason of a rejection. The access log and the metrics record its `name()`.
public enum Reason {
    /// A new session's request, while live sessions are expected to need all that the server can
    /// do.
    HELD_BACK,

    /// The queue is so long that the request would have waited for too long.
    QUEUE_FULL,

    /// The request has waited for too long.
    EXPIRED,

    /// Earlier runs of its route have not returned.
    ROUTE_STUCK,

    /// The database that it needs does not respond.
    NO_DATABASE
}
