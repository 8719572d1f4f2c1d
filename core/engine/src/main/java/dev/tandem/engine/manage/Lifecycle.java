package dev.tandem.engine.manage;

import dev.tandem.engine.Engine;

/// Whether a server takes requests, as `/ready` reports it.
enum Lifecycle {
    STARTING,
    READY,
    /// Serves, and asks balancers to use another server.
    DRAINING,
    STOPPING;

    static Lifecycle of(Engine engine) {
        if (!engine.hasStarted()) {
            return STARTING;
        }
        if (engine.isDraining() || engine.areListenersClosed()) {
            return STOPPING;
        }
        return engine.isWithdrawn() ? DRAINING : READY;
    }
}
