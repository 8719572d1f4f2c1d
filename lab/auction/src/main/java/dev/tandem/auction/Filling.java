package dev.tandem.auction;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;

/// Creates the tables of an empty database with their population: by the site at its start, or from
/// outside before it.
public final class Filling {
    private Filling() {}

    /// @throws SQLException also if it has a table with rows
    static void fill(Connection connection, Population population) throws SQLException {
        Schema.create(connection);
        new Populator(connection, population).run();
    }

    /// Fills the database that the site's system properties name.
    ///
    /// @param words not used
    /// @throws SQLException also if it is filled already
    public static void main(String[] words) throws SQLException {
        Settings settings = Settings.read(System::getProperty);
        try (var pool = new HikariDataSource()) {
            pool.setDriverClassName(Dialect.ofUrl(settings.url()).driver());
            pool.setJdbcUrl(settings.url());
            pool.setUsername(settings.user());
            pool.setPassword(settings.password());
            pool.setMaximumPoolSize(1);
            try (Connection connection = pool.getConnection()) {
                fill(connection, settings.population());
            }
        }
    }
}
