package dev.tandem.database;

import java.sql.SQLTransientConnectionException;
import org.jspecify.annotations.Nullable;

/// No connection was available. The cause is known already, and says nothing new about the
/// database.
final class NoConnectionException extends SQLTransientConnectionException {
    private static final long serialVersionUID = 1L;

    /// SQLSTATE: the client could not establish a connection.
    private static final String STATE = "08001";

    NoConnectionException(String message, @Nullable Throwable cause) {
        super(message, STATE, cause);
    }
}
