package dev.tandem.engine.site;

import dev.tandem.http.Exchange;
import dev.tandem.http.ExchangeWrapper;

/// A response of which nothing was sent yet, so that another one can be made in its place. Confined
/// to the thread of its exchange.
public interface UncommittedResponse {

    /// Forgets the response of a handler that failed: its content, and headers that describe it.
    void dropContent();

    /// Does so for the exchange that wrappers pass calls to.
    static void drop(Exchange x) {
        Exchange inner = x;
        while (!(inner instanceof UncommittedResponse) && inner instanceof ExchangeWrapper next) {
            inner = next.wrapped();
        }
        if (inner instanceof UncommittedResponse response) {
            response.dropContent();
        }
    }
}
