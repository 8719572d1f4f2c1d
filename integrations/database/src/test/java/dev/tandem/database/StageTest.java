package dev.tandem.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.tandem.database.Stage.LateUse;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Stages as a framework uses them: connections are returned when the data stage ends, and data
/// sources are unwrapped.
class StageTest {
    private static final AtomicInteger NAMES = new AtomicInteger();

    private final HikariDataSource pool = new HikariDataSource();
    private final StagedDataSource database;

    StageTest() throws SQLException {
        pool.setJdbcUrl("jdbc:h2:mem:stage" + NAMES.incrementAndGet() + ";DB_CLOSE_DELAY=-1");
        pool.setMaximumPoolSize(2);
        database = Objects.requireNonNull(StagedDataSource.wrap(pool));
    }

    @AfterEach
    void close() {
        database.close();
        pool.close();
    }

    private int active() {
        return pool.getHikariPoolMXBean().getActiveConnections();
    }

    private static boolean isOne(Connection c) throws SQLException {
        try (var rows = c.createStatement().executeQuery("select 1")) {
            return rows.next() && rows.getInt(1) == 1;
        }
    }

    @Test
    void returnedConnectionIsReacquiredOnUse() throws SQLException {
        try (Stage stage = Stage.begin()) {
            Connection kept = database.getConnection(); // as an open session keeps it
            assertTrue(isOne(kept));
            stage.endData(LateUse.REACQUIRE);
            assertEquals(0, active());
            assertEquals(0, stage.heldCount());
            assertEquals(0, database.lane().counts().granted());
            assertFalse(kept.isClosed());
            assertTrue(isOne(kept), "lazy loading");
            assertEquals(1, stage.lateCount());
            assertEquals(1, stage.heldCount());
            kept.close();
            assertTrue(kept.isClosed());
            assertEquals(0, active());
            assertThrows(SQLException.class, () -> isOne(kept));
        }
    }

    @Test
    void detachedStageKeepsHandlesUsable() throws SQLException {
        Stage stage = Stage.begin();
        Connection kept = database.getConnection();
        stage.detach();
        assertEquals(0, active());
        assertTrue(isOne(kept), "by another thread, as it were");
        kept.close();
        assertEquals(0, active());
    }

    @Test
    void lateUseIsRejectedWithHint() throws SQLException {
        try (Stage stage = Stage.begin()) {
            Connection kept = database.getConnection();
            stage.endData(LateUse.REJECT);
            assertEquals(0, active());
            var rejected = assertThrows(SQLException.class, () -> isOne(kept));
            assertTrue(rejected.toString().contains("model"), rejected.toString());
            assertEquals("08003", rejected.getSQLState());
            kept.close();
        }
    }

    @Test
    void openTransactionIsKeptUntilStageCloses() throws SQLException {
        try (Stage stage = Stage.begin()) {
            Connection kept = database.getConnection();
            kept.setAutoCommit(false);
            kept.createStatement().execute("create table t (id int)");
            kept.createStatement().execute("insert into t values (1)");
            stage.endData(LateUse.REACQUIRE);
            assertEquals(1, stage.heldCount());
            kept.commit();
        }
        assertEquals(0, active());
        try (Connection c = database.getConnection();
                var rows = c.createStatement().executeQuery("select count(*) from t")) {
            rows.next();
            assertEquals(1, rows.getInt(1));
        }
    }

    @Test
    void stagesCanBeNested() throws SQLException {
        try (Stage outer = Stage.begin()) {
            Connection first = database.getConnection();
            try (Stage inner = Stage.begin()) {
                database.getConnection();
                assertEquals(1, inner.heldCount());
            }
            assertEquals(1, active());
            assertEquals(1, outer.heldCount());
            first.close();
            assertEquals(0, outer.heldCount());
        }
    }

    @Test
    void wrappedPoolIsFoundAndWrappedOnce() throws SQLException {
        assertSame(database, StagedDataSource.wrap(database));
        assertSame(database, StagedDataSource.wrap(traced(database)));
        try (StagedDataSource under = Objects.requireNonNull(StagedDataSource.wrap(traced(pool)));
                Connection c = under.getConnection()) {
            assertTrue(isOne(c));
            assertEquals(2, under.lane().counts().connections());
            assertEquals(1, under.lane().counts().granted());
        }
        assertEquals(0, active());
        assertNull(StagedDataSource.wrap(new JdbcDataSource()), "its size is unknown");
    }

    /// Wraps a data source as tracing libraries do.
    private static DataSource traced(DataSource source) {
        return (DataSource)
                Proxy.newProxyInstance(
                        StageTest.class.getClassLoader(),
                        new Class<?>[] {DataSource.class},
                        (_, method, arguments) -> {
                            try {
                                return method.invoke(source, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        });
    }
}
