package dev.tandem.staged;

import dev.tandem.http.Exchange;
import dev.tandem.http.HttpException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Which failures are the database's not being there.
final class DatabaseFailures {
    /// Of PostgreSQL: it was shut down, has crashed, does not take connections yet.
    private static final Set<String> GONE = Set.of("57P01", "57P02", "57P03");

    /// Of H2: the connection is broken; the database is closed; it was called while it closes.
    private static final Set<String> H2_GONE = Set.of("90067", "90098", "90121");

    /// SQLSTATE's class of connection exceptions.
    private static final String CONNECTION = "08";

    private static final int CAUSES_MAX = 16;

    private DatabaseFailures() {}

    /// What a handler's failure is answered by: 503, if it is the database's.
    ///
    /// @param wasCut whether it held a connection for too long
    /// @param isGone whether the database cannot be had
    static Exception answering(Exchange x, Exception e, boolean wasCut, boolean isGone) {
        if (wasCut && !(e instanceof HttpException)) {
            x.header("Retry-After", "3");
            return new HttpException(503, "the database took too long");
        }
        if (isGone) {
            x.header("Retry-After", "1");
            return new HttpException(503, "the database is not to be had: try again soon");
        }
        return e;
    }

    /// Whether the database could not be used.
    static boolean isGone(Throwable e) {
        return find(e) != null;
    }

    /// Whether a connection that was lent turned out to be of no use.
    static boolean isNews(Throwable e) {
        SQLException found = find(e);
        return found != null && !(found instanceof NoConnectionException);
    }

    private static @Nullable SQLException find(Throwable e) {
        @Nullable Throwable cause = e;
        for (int i = 0; i < CAUSES_MAX && cause != null; i++) {
            if (cause instanceof SQLException sql && isGone(sql)) {
                return sql;
            }
            cause = cause.getCause();
        }
        return null;
    }

    private static boolean isGone(SQLException e) {
        String state = e.getSQLState() == null ? "" : e.getSQLState();
        return e instanceof SQLTransientConnectionException
                || e instanceof SQLNonTransientConnectionException
                || e instanceof SQLRecoverableException
                || state.startsWith(CONNECTION)
                || GONE.contains(state)
                || H2_GONE.contains(state);
    }
}
