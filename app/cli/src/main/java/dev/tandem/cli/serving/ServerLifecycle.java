package dev.tandem.cli.serving;

import dev.tandem.Server;

/// Controls a server from its start to its stop.
@FunctionalInterface
public interface ServerLifecycle {

    /// Returns when the server has been stopped.
    void awaitStop(Server server);

    /// Runs a server whose configuration can be reloaded.
    default void awaitStop(OperatedServer operated) {
        awaitStop(operated.server());
    }
}
