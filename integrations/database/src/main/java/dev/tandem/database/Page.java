package dev.tandem.database;

import dev.tandem.http.Exchange;

/// Produces the data of a page: the data stage.
@FunctionalInterface
public interface Page {
    /// May borrow connections; those left open are returned when this method returns, and rolled
    /// back. It may set headers of the response, but not send it.
    ///
    /// @throws Exception any failure: it is reported with 503 if the database is unavailable, else
    ///     as a handler's
    View data(Exchange x) throws Exception;
}
