package dev.tandem.cli.serving;

import dev.tandem.Server;

/// What happens from a server's start to its end.
@FunctionalInterface
public interface Stay {

    /// Returns when the server has been stopped.
    void stay(Server server);

    /// The same of a server whose configuration can be read again.
    default void stay(Operated operated) {
        stay(operated.server());
    }
}
