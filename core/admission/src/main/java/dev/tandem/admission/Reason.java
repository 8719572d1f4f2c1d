package dev.tandem.admission;

/// Why a request was refused. The access log's and the metrics' word for it is `name()`.
public enum Reason {
    /// A first-comer, while what those inside will yet ask for is all that the server can do.
    HELD_BACK,

    /// So many wait already that this one would have waited for too long.
    QUEUE_FULL,

    /// It did wait for too long.
    EXPIRED,

    /// Its route's earlier runs have not come back.
    ROUTE_STUCK,

    /// The database that it needs does not answer.
    NO_DATABASE
}
