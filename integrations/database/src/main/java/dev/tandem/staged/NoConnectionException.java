package dev.tandem.staged;

import java.sql.SQLTransientConnectionException;
import org.jspecify.annotations.Nullable;

/// There was no connection to be lent: known already, and no news of the database.
final class NoConnectionException extends SQLTransientConnectionException {
    private static final long serialVersionUID = 1L;

    /// SQLSTATE: the client could not make a connection.
    private static final String STATE = "08001";

    NoConnectionException(String message, @Nullable Throwable cause) {
        super(message, STATE, cause);
    }
}
