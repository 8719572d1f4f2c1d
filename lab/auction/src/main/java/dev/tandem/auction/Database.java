package dev.tandem.auction;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/// Transactions. Safe for use by any thread.
final class Database {
    /// The maximum number of attempts for a transaction that the database aborts in favor of
    /// another.
    private static final int TRIES_MAX = 4;

    /// Serialization failure; PostgreSQL's deadlock.
    private static final Set<String> AGAIN = Set.of("40001", "40P01");

    private final DataSource source;

    Database(DataSource source) {
        this.source = source;
    }

    interface Work<T> {
        T run(Connection connection) throws SQLException;
    }

    /// Runs each query by itself, without a transaction.
    <T> T read(Work<T> work) throws SQLException {
        try (Connection connection = source.getConnection()) {
            return work.run(connection);
        }
    }

    interface Search<T> {
        @Nullable T run(Connection connection) throws SQLException;
    }

    /// As [#read], for data that may be missing.
    <T> @Nullable T find(Search<T> search) throws SQLException {
        try (Connection connection = source.getConnection()) {
            return search.run(connection);
        }
    }

    /// Runs a transaction. An exception rolls it back; a deadlock is tried again.
    <T> T write(Work<T> work) throws SQLException {
        for (int tries = 1; ; tries++) {
            try (Connection connection = source.getConnection()) {
                return transaction(connection, work);
            } catch (SQLException e) {
                if (tries == TRIES_MAX || !AGAIN.contains(Objects.toString(e.getSQLState(), ""))) {
                    throw e;
                }
            }
        }
    }

    private static <T> T transaction(Connection connection, Work<T> work) throws SQLException {
        connection.setAutoCommit(false);
        boolean isDone = false;
        try {
            T result = work.run(connection);
            connection.commit();
            isDone = true;
            return result;
        } finally {
            if (!isDone) {
                connection.rollback();
            }
            connection.setAutoCommit(true);
        }
    }
}
