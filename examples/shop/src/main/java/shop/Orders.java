package shop;

import com.zaxxer.hikari.HikariConfig;
import dev.tandem.database.StagedDataSource;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;

/// The orders, in a database.
final class Orders implements AutoCloseable {
    record Order(long id, String item, int count) {}

    /// What a client sends.
    record NewOrder(String item, int count) {
        NewOrder {
            if (count < 1) {
                throw new IllegalArgumentException("count must be at least 1, was " + count);
            }
        }
    }

    private final StagedDataSource database;

    Orders(String url) throws SQLException {
        var config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(4);
        // A request waits for its connection before it has a thread.
        database = StagedDataSource.over(config);
        try (var connection = database.getConnection();
                var statement = connection.createStatement()) {
            statement.execute(
                    "create table if not exists orders (id bigint auto_increment primary key,"
                            + " item varchar(100) not null, amount int not null)");
        }
    }

    Order add(NewOrder order) throws SQLException {
        try (var connection = database.getConnection();
                var insert =
                        connection.prepareStatement(
                                "insert into orders (item, amount) values (?, ?)",
                                Statement.RETURN_GENERATED_KEYS)) {
            insert.setString(1, order.item());
            insert.setInt(2, order.count());
            insert.executeUpdate();
            try (var keys = insert.getGeneratedKeys()) {
                keys.next();
                return new Order(keys.getLong(1), order.item(), order.count());
            }
        }
    }

    /// @throws NoSuchElementException if there is none
    Order find(long id) throws SQLException {
        try (var connection = database.getConnection();
                var select =
                        connection.prepareStatement("select item, amount from orders where id = ?")) {
            select.setLong(1, id);
            try (var row = select.executeQuery()) {
                if (!row.next()) {
                    throw new NoSuchElementException("no order " + id);
                }
                return new Order(id, row.getString(1), row.getInt(2));
            }
        }
    }

    List<Order> all() throws SQLException {
        try (var connection = database.getConnection();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("select id, item, amount from orders order by id")) {
            var orders = new ArrayList<Order>();
            while (rows.next()) {
                orders.add(new Order(rows.getLong(1), rows.getString(2), rows.getInt(3)));
            }
            return orders;
        }
    }

    @Override
    public void close() {
        database.close();
    }
}
