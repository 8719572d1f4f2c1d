package dev.tandem.lab;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A table of 1,000 rows in an in-memory H2 database, behind a pool of ten connections. Created on
/// first use, so that it affects no measurement but its own. Safe for use by any thread.
final class Items implements AutoCloseable {
    static final int COUNT = 1_000;
    static final int POOL_SIZE = 10;

    /// Numbers the databases, so that each has its own name.
    private static final AtomicInteger MADE = new AtomicInteger();

    private static final String SELECT = "select id, name, price from item where id = ?";

    /// Set once, under the lock; null before the first use.
    private volatile @Nullable HikariDataSource pool;

    /// Guarded by the lock.
    private boolean isClosed;

    /// Returns one row, such as `{"id":7,"name":"item number 7","price":49}`.
    ///
    /// @throws SQLException if no connection is available in time, or the query fails
    String random() throws SQLException {
        return row(ThreadLocalRandom.current().nextInt(1, COUNT + 1));
    }

    /// @param id 1 to [#COUNT]
    /// @throws SQLException also if there is no such row
    String row(int id) throws SQLException {
        try (var connection = pool().getConnection();
                var query = connection.prepareStatement(SELECT)) {
            query.setInt(1, id);
            try (var row = query.executeQuery()) {
                if (!row.next()) {
                    throw new SQLException("no item " + id);
                }
                // The names are generated here: letters, digits and spaces need no escaping.
                return "{\"id\":"
                        + row.getInt(1)
                        + ",\"name\":\""
                        + row.getString(2)
                        + "\",\"price\":"
                        + row.getInt(3)
                        + "}";
            }
        }
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        if (pool != null) {
            pool.close();
        }
    }

    private HikariDataSource pool() throws SQLException {
        HikariDataSource ready = pool;
        return ready != null ? ready : open();
    }

    private synchronized HikariDataSource open() throws SQLException {
        if (isClosed) {
            throw new SQLException("the items are closed");
        }
        HikariDataSource ready = pool;
        if (ready != null) {
            return ready;
        }
        var config = new HikariConfig();
        // The database lives as long as one connection to it does: so connections must not expire.
        config.setJdbcUrl("jdbc:h2:mem:items-" + MADE.incrementAndGet());
        config.setMaximumPoolSize(POOL_SIZE);
        config.setMaxLifetime(0);
        var made = new HikariDataSource(config);
        try (var connection = made.getConnection()) {
            fill(connection);
        } catch (SQLException e) {
            made.close();
            throw e;
        }
        pool = made;
        return made;
    }

    private static void fill(Connection connection) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("create table item(id int primary key, name varchar(64), price int)");
        }
        try (var insert = connection.prepareStatement("insert into item values(?, ?, ?)")) {
            for (int id = 1; id <= COUNT; id++) {
                insert.setInt(1, id);
                insert.setString(2, "item number " + id);
                insert.setInt(3, 7 * id);
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }
}
