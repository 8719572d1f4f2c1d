package dev.tandem.cli;

import dev.tandem.server.Server;

/// What happens from a server's start to its end.
@FunctionalInterface
interface Stay {

    /// Returns when the server has been stopped.
    void stay(Server server);

    /// The same of a server that may be told another configuration.
    default void stay(Operations operations) {
        stay(operations.server());
    }
}
