package dev.tandem.auction;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/// Transactions. Safe for use by any thread.
final class Database {
    /// How often a transaction is tried that the database gave up in favour of another.
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

    /// Each query for itself.
    <T> T read(Work<T> work) throws SQLException {
        try (Connection connection = source.getConnection()) {
            return work.run(connection);
        }
    }

    interface Search<T> {
        @Nullable T run(Connection connection) throws SQLException;
    }

    /// As [#read], of what may not be there.
    <T> @Nullable T find(Search<T> search) throws SQLException {
        try (Connection connection = source.getConnection()) {
            return search.run(connection);
        }
    }

    /// All or nothing. What is thrown takes back all that was done; a deadlock is tried again.
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
