package dev.tandem.staged;

import dev.tandem.http.Exchange;
import java.sql.Connection;

/// Makes the data of a page in one transaction.
@FunctionalInterface
public interface DataPage {
    /// The transaction is committed when it returns, and taken back when it throws.
    ///
    /// @param connection given back as soon as this returns
    View data(Exchange x, Connection connection) throws Exception;
}
