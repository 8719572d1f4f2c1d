package dev.tandem.server;

/// A thread that runs exchanges.
interface ContextThread {
    /// Returns its own context.
    IoContext context();
}
