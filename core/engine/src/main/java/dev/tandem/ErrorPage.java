package dev.tandem;

import dev.tandem.http.Exchange;
import java.io.IOException;

/// Shows a client that its request failed.
@FunctionalInterface
public interface ErrorPage {

    /// Answers the exchange, whose status is set. Runs where the handler ran: it must not block if
    /// that was not to. A 503 of admission's runs on the event loop, since no worker is to be had:
    /// what blocks there holds up every connection of the loop, a stream or a file from disk costs
    /// the client its answer. Keep such a page in memory.
    ///
    /// @param message what may be told, in a few words; never the cause of a 500
    /// @throws IOException if the client is gone
    void show(Exchange x, String message) throws IOException;

    /// A plain page, in HTML for who accepts it, else in text, with the exchange's id on a 500.
    ErrorPage PLAIN = new PlainErrorPage();
}
