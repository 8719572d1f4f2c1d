package dev.tandem.database;

import dev.tandem.http.Exchange;
import dev.tandem.http.HttpException;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/// Recognizes failures that mean that the database is unavailable.
final class DatabaseFailures {
    /// Of PostgreSQL: it is shutting down, has crashed, or does not accept connections yet.
    private static final Set<String> UNAVAILABLE = Set.of("57P01", "57P02", "57P03");

    /// Of H2: the connection is broken; the database is closed; it was called while it was closing.
    private static final Set<String> H2_UNAVAILABLE = Set.of("90067", "90098", "90121");

    /// SQLSTATE's class of connection exceptions.
    private static final String CONNECTION_CLASS = "08";

    /// SQLSTATE: the connection does not exist. The result of using a closed connection: an
    /// application's error.
    static final String CONNECTION_CLOSED = "08003";

    /// SQLSTATE: the server has rejected one more connection; existing ones may work.
    private static final String REJECTED = "08004";

    private static final int CAUSES_MAX = 16;

    private DatabaseFailures() {}

    /// Returns the failure to respond with: 503 if the database is the cause.
    ///
    /// @param wasRevoked whether the handler held a connection for too long
    /// @param isUnavailable whether the database is unavailable
    static Exception toHttpFailure(
            Exchange x, Exception e, boolean wasRevoked, boolean isUnavailable) {
        if (wasRevoked && !(e instanceof HttpException)) {
            x.header("Retry-After", "3");
            return new HttpException(503, "the database took too long");
        }
        if (isUnavailable) {
            x.header("Retry-After", "1");
            return new HttpException(503, "the database is unavailable: try again soon");
        }
        return e;
    }

    /// What a failure to open a connection says about the database.
    enum Diagnosis {
        /// Nothing: the caller was interrupted, or asked for what the pool does not support.
        NONE,

        /// It may be down: it is to be probed.
        SUSPECT,

        /// It is down.
        DOWN
    }

    /// Diagnoses a failure to open a connection. A pool that had none in time says nothing yet,
    /// unless it gives a reason.
    static Diagnosis diagnose(Throwable e) {
        boolean isSql = false;
        for (Throwable cause : causes(e)) {
            if (cause instanceof InterruptedException) {
                return Diagnosis.NONE;
            }
            if (cause instanceof SQLException sql) {
                isSql = true;
                String state = state(sql);
                boolean isTimeOut = sql instanceof SQLTransientConnectionException;
                if (isUnavailable(sql)
                        && !state.equals(REJECTED)
                        && !(isTimeOut && !state.startsWith(CONNECTION_CLASS))) {
                    return Diagnosis.DOWN;
                }
            }
        }
        return !isSql || e instanceof SQLFeatureNotSupportedException
                ? Diagnosis.NONE
                : Diagnosis.SUSPECT;
    }

    /// Returns whether the database could not be used.
    static boolean isUnavailable(Throwable e) {
        return causes(e).stream()
                .anyMatch(c -> c instanceof SQLException sql && isUnavailable(sql));
    }

    /// Returns whether the failure comes from a database or a driver.
    static boolean isSql(Throwable e) {
        return causes(e).stream().anyMatch(SQLException.class::isInstance);
    }

    /// Returns the failure and its causes, up to a limit.
    private static List<Throwable> causes(Throwable e) {
        return Stream.iterate(e, Objects::nonNull, Throwable::getCause).limit(CAUSES_MAX).toList();
    }

    private static boolean isUnavailable(SQLException e) {
        String state = state(e);
        if (state.equals(CONNECTION_CLOSED)) {
            return false;
        }
        return e instanceof SQLTransientConnectionException
                || e instanceof SQLNonTransientConnectionException
                || e instanceof SQLRecoverableException
                || state.startsWith(CONNECTION_CLASS)
                || UNAVAILABLE.contains(state)
                || H2_UNAVAILABLE.contains(state);
    }

    private static String state(SQLException e) {
        return e.getSQLState() == null ? "" : e.getSQLState();
    }
}
