package dev.tandem;

import dev.tandem.http.Exchange;
import java.io.IOException;

/// Writes the response to a failed request.
@FunctionalInterface
public interface ErrorPage {

    /// Responds to the exchange, whose status is set. Runs where the handler ran: it must not block
    /// if the handler must not. For a 503 of admission it runs on the event loop, since no worker
    /// is available: blocking there would hold up every connection of the loop, and a stream or a
    /// file from disk would fail the response. Keep such a page in memory.
    ///
    /// @param message a few words that the client may see; never the cause of a 500
    /// @throws IOException if the client has disconnected
    void show(Exchange x, String message) throws IOException;

    /// A plain page, in HTML for clients that accept it, else in text, with the exchange's id on a
    /// 500.
    ErrorPage PLAIN = new PlainErrorPage();
}
