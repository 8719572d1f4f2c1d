package rival;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;

/// The target's table: 1,000 rows in memory behind ten connections, created on first use.
final class Items {
    private static final int COUNT = 1_000;
    private static final int POOL_SIZE = 10;

    private Items() {}

    /// Created on first use.
    private static final class Pool {
        static final HikariDataSource SOURCE = open();

        private static HikariDataSource open() {
            var config = new HikariConfig();
            config.setJdbcUrl("jdbc:h2:mem:items");
            config.setMaximumPoolSize(POOL_SIZE);
            config.setMaxLifetime(0);
            var source = new HikariDataSource(config);
            try (var connection = source.getConnection();
                    var statement = connection.createStatement()) {
                statement.execute(
                        "create table item(id int primary key, name varchar(64), price int)");
                statement.execute(
                        "insert into item select x, 'item number ' || x, 7 * x"
                                + " from system_range(1, "
                                + COUNT
                                + ")");
                return source;
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /// One row, such as `{"id":7,"name":"item number 7","price":49}`.
    static String random() throws SQLException {
        try (var connection = Pool.SOURCE.getConnection();
                var query =
                        connection.prepareStatement(
                                "select id, name, price from item where id = ?")) {
            query.setInt(1, ThreadLocalRandom.current().nextInt(1, COUNT + 1));
            try (var row = query.executeQuery()) {
                row.next();
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
}
