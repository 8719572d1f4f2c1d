package dev.tandem.engine.site;

import dev.tandem.http.Exchange;
import dev.tandem.http.Handler;

/// Handles a health check. Its requests use the probe lane, under any load.
///
/// @param handler the user's
public record Probe(Handler handler) implements Handler {

    @Override
    public void handle(Exchange x) throws Exception {
        handler.handle(x);
    }

    @Override
    public boolean isBlocking() {
        return handler.isBlocking();
    }
}
