package dev.tandem.cli.serving;

import dev.tandem.Server;

/// Controls a server from its start to its stop.
@FunctionalInterface
public interface ServerLifecycle {

    /// Returns when the server has been stopped.
    ///
    /// @param announce says that the server serves; called once, by the calling thread, after
    ///     signals have got their effect: a client of that message may send one at once
    void awaitStop(Server server, Runnable announce);

    /// Runs a server whose configuration can be reloaded.
    default void awaitStop(OperatedServer operated, Runnable announce) {
        awaitStop(operated.server(), announce);
    }
}
