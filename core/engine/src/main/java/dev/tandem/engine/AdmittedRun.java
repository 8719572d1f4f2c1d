package dev.tandem.engine;

import dev.tandem.engine.site.RouteTiming;

/// What a thread runs after admission was asked: an exchange, or a message of a WebSocket session.
public interface AdmittedRun {

    /// Returns the timing of its route.
    RouteTiming timing();

    /// Returns its permits.
    AdmittedRequest admission();
}
