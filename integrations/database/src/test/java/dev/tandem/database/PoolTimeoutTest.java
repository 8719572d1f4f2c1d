package dev.tandem.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.tandem.testkit.LogCapture;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Hikari's default timeout of 30 s is too long for the first requests while the database is down.
class PoolTimeoutTest {
    private static HikariConfig config() {
        var config = new HikariConfig();
        config.setJdbcUrl("jdbc:h2:mem:timeout");
        return config;
    }

    @Test
    void poolOfAConfigurationHasAShortTimeoutAndNoWarning() throws SQLException {
        HikariConfig config = config();
        try (LogCapture log = LogCapture.of("dev.tandem.database");
                var database = StagedDataSource.over(config)) {
            HikariDataSource pool = database.unwrap(HikariDataSource.class);
            assertEquals(StagedDataSource.CONNECTION_TIMEOUT_MILLIS, pool.getConnectionTimeout());
            assertTrue(pool.isRunning());
            assertEquals(List.of(), log.lines());
        }
        assertEquals(TimeUnit.SECONDS.toMillis(30), config.getConnectionTimeout());
    }

    @Test
    void chosenTimeoutIsKept() throws SQLException {
        HikariConfig config = config();
        config.setConnectionTimeout(5_000);
        try (var database = StagedDataSource.over(config)) {
            assertEquals(5_000, database.unwrap(HikariDataSource.class).getConnectionTimeout());
        }
    }

    @Test
    void runningPoolKeepsItsTimeoutAndIsWarnedAbout() {
        try (LogCapture log = LogCapture.of("dev.tandem.database");
                var database = StagedDataSource.over(new HikariDataSource(config()))) {
            assertTrue(database.lane() != null);
            List<String> messages = log.messages(_ -> true);
            assertEquals(1, messages.size(), messages.toString());
            assertTrue(messages.getFirst().contains("connectionTimeout is 30000 ms"));
        }
    }
}
