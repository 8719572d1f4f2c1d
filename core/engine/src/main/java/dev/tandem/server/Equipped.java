package dev.tandem.server;

/// A thread that runs exchanges.
interface Equipped {
    /// Its own.
    Kit kit();
}
