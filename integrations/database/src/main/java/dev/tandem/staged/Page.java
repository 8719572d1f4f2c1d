package dev.tandem.staged;

import dev.tandem.http.Exchange;

/// Makes the data of a page: the data stage.
@FunctionalInterface
public interface Page {
    /// May take connections; whatever it leaves open is given back when it returns, without what
    /// was not committed. It may set fields of the answer, but not answer.
    ///
    /// @throws Exception whatever went wrong: 503 if it is the database's not being there, else
    ///     as a handler's
    View data(Exchange x) throws Exception;
}
