package dev.tandem.engine;

/// A thread that runs exchanges.
public interface ContextThread {
    /// Returns its own context.
    IoContext context();
}
