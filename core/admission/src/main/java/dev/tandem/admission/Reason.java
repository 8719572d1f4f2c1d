package dev.tandem.admission;

/// Reason of a rejection. The access log and the metrics record its `name()`.
public enum Reason {
    /// A new session, while what live ones will yet ask for is all that the server can do.
    HELD_BACK,

    /// So many wait already that this one would have waited for too long.
    QUEUE_FULL,

    /// It has waited for too long.
    EXPIRED,

    /// Its route's earlier runs have not returned.
    ROUTE_STUCK,

    /// The database that it needs does not answer.
    NO_DATABASE
}
