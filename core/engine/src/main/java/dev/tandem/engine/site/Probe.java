package dev.tandem.engine.site;

import dev.tandem.http.Exchange;
import dev.tandem.http.Handler;

/// Answers a health check. Its requests go by the probe lane, whatever the load.
///
/// @param handler what the user gave
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
