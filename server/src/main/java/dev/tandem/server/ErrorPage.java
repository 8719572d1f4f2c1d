package dev.tandem.server;

import dev.tandem.http.Exchange;
import java.io.IOException;

/// Shows a client that its request failed.
@FunctionalInterface
public interface ErrorPage {

    /// Answers the exchange, whose status is set. Runs where the handler ran: it must not block if
    /// that was not to.
    ///
    /// @param message what may be told, in a few words; never the cause of a 500
    /// @throws IOException if the client is gone
    void show(Exchange x, String message) throws IOException;

    /// A plain page, in HTML for who accepts it, else in text, with the exchange's id on a 500.
    ErrorPage PLAIN = new PlainErrorPage();
}
