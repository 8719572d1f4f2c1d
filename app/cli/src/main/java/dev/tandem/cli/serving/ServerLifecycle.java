package dev.tandem.cli.serving;

import dev.tandem.Server;

/// What happens from a server's start to its end.
@FunctionalInterface
public interface ServerLifecycle {

    /// Returns when the server has been stopped.
    void awaitStop(Server server);

    /// The same of a server whose configuration can be read again.
    default void awaitStop(OperatedServer operated) {
        awaitStop(operated.server());
    }
}
