package dev.tandem.server;

/// A thread that runs exchanges.
interface ContextThread {
    /// Its own.
    IoContext kit();
}
