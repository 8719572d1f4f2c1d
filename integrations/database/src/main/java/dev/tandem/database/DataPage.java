package dev.tandem.database;

import dev.tandem.http.Exchange;
import java.sql.Connection;

/// Produces the data of a page in one transaction.
@FunctionalInterface
public interface DataPage {
    /// The transaction is committed when this method returns, and rolled back when it throws.
    ///
    /// @param connection returned to the pool as soon as this method returns
    View data(Exchange x, Connection connection) throws Exception;
}
