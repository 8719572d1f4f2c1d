package dev.tandem.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.admission.AdmissionTask;
import dev.tandem.admission.DatabaseLane;
import dev.tandem.admission.DatabasePermit;
import dev.tandem.testkit.Patience;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.logging.Filter;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Protection of a minimal pool, and the diagnosis of its failures.
class PlainPoolTest {
    private final PlainPool pool = new PlainPool();
    private final StagedDataSource database = over(pool, () -> 2);

    private static StagedDataSource over(PlainPool pool, IntSupplier size) {
        return StagedDataSource.over(pool.source(), "plain", size, Duration.ofMinutes(1));
    }

    @AfterEach
    void close() {
        database.close();
    }

    private static int count(Connection c) throws SQLException {
        try (var rows = c.createStatement().executeQuery("select count(*) from t")) {
            rows.next();
            return rows.getInt(1);
        }
    }

    // ---- Diagnosis of failures.

    @Test
    void brokenConnectionProbesItsOwnPoolOnly() throws SQLException {
        var other = new PlainPool();
        try (StagedDataSource second = over(other, () -> 2)) {
            Connection c = database.getConnection();
            c.unwrap(Connection.class).close(); // as a driver does on detecting a broken connection
            c.close();
            Patience.until("asked", () -> pool.requestCount.get() == 2);
            var failure = new IllegalStateException(new SQLException("broken", "08006"));
            assertTrue(second.isUnavailable(failure), "it says so of some database");
            Patience.until("well", () -> database.lane().counts().granted() == 0);
            assertFalse(database.lane().isDown());
            assertEquals(0, other.requestCount.get());
        }
    }

    @Test
    void useAfterCloseIsNotUnavailability() throws SQLException {
        Connection c = database.getConnection();
        c.close();
        var failure = assertThrows(SQLException.class, c::createStatement);
        assertFalse(database.isUnavailable(failure));
    }

    @Test
    void failureAfterBrokenConnectionIsUnavailability() throws SQLException {
        var failure = new SQLException("Connection is closed"); // no SQLSTATE, as Hikari
        try (var _ = Stage.begin()) {
            assertFalse(database.isUnavailable(failure));
            Connection c = database.getConnection();
            c.unwrap(Connection.class).close();
            assertTrue(database.isUnavailable(failure));
            c.close();
            assertTrue(database.isUnavailable(failure));
            assertFalse(database.isUnavailable(new IllegalStateException("something else")));
        }
    }

    @Test
    void interruptionAndUnsupportedCallsDoNotMarkDatabaseDown() throws SQLException {
        var interrupted = new SQLException("interrupted", new InterruptedException());
        pool.failure.set(interrupted);
        assertThrows(SQLException.class, database::getConnection);
        assertFalse(database.lane().isDown());
        pool.failure.set(new SQLFeatureNotSupportedException("no users"));
        assertThrows(SQLFeatureNotSupportedException.class, () -> database.getConnection("a", "b"));
        assertFalse(database.lane().isDown());
        assertEquals(2, pool.requestCount.get(), "and is not asked");

        pool.failure.set(new SQLTransientConnectionException("none in time"));
        SQLException none = assertThrows(SQLException.class, database::getConnection);
        assertFalse(database.lane().isDown());
        assertTrue(database.isUnavailable(none));
        Patience.until("asked", () -> pool.requestCount.get() == 4);
        try (Connection c = database.getConnection()) {
            assertTrue(c.isValid(1));
        }
        assertFalse(database.lane().isDown());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void connectionFailureMarksDatabaseDownUntilProbeSucceeds(boolean isWrapped) {
        var refused = new SQLException("refused", "08001");
        pool.failure.set(isWrapped ? new IllegalStateException(refused) : refused);
        SQLException none = assertThrows(SQLException.class, database::getConnection);
        assertTrue(database.isUnavailable(none));
        Patience.until("back", () -> pool.requestCount.get() > 1 && !database.lane().isDown());
    }

    @Test
    void driverWithoutNewMethodsIsSupported() throws SQLException {
        pool.isOld = true;
        database.getConnection().close();
        assertEquals(1, pool.idle.size());
        assertEquals(0, database.lane().counts().granted());
        pool.failure.set(new SQLException("refused", "08001"));
        assertThrows(SQLException.class, database::getConnection);
        Patience.until("back", () -> pool.requestCount.get() > 2 && !database.lane().isDown());
    }

    // ---- Returned connections.

    /// A connection overdue beyond its deadline, in a transaction.
    private final class OverdueConnection {
        final DatabaseLane lane = new DatabaseLane("plain", () -> 1, () -> {});
        final ConnectionWatchdog watchdog =
                new ConnectionWatchdog(PoolAdapter.of(pool.source(), "plain", () -> 1));
        final BorrowedConnection borrowed;

        OverdueConnection() throws SQLException {
            watchdog.setLane(lane);
            var permit =
                    new DatabasePermit(
                            lane.otherRoutes(), DatabasePermit.Kind.JOB, AdmissionTask.of(_ -> {}));
            permit.request(System.nanoTime());
            permit.use(System.nanoTime());
            Connection c = pool.borrow();
            c.createStatement().execute("create table t (id int)");
            c.setAutoCommit(false);
            c.createStatement().execute("insert into t values (1)");
            borrowed = new BorrowedConnection(c, permit, watchdog, System.nanoTime() - 1);
        }
    }

    @Test
    void revokedConnectionIsNotReusedWithItsTransaction() throws SQLException {
        var overdue = new OverdueConnection();
        pool.atReturn =
                () -> assertEquals(1, overdue.lane.counts().granted(), "its permit is held");
        assertTrue(overdue.borrowed.revoke());
        overdue.borrowed.cancel();
        overdue.borrowed.close();
        pool.atReturn = () -> {};
        assertEquals(0, overdue.lane.counts().granted());
        assertTrue(overdue.borrowed.isRevoked());
        try (Connection next = pool.borrow()) {
            assertTrue(next.getAutoCommit());
            assertEquals(0, count(next));
        }
    }

    @Test
    void revokedConnectionIsReturnedWithoutClose() throws SQLException {
        var overdue = new OverdueConnection();
        pool.atReturn =
                () -> assertEquals(1, overdue.lane.counts().granted(), "its permit is held");
        assertTrue(overdue.borrowed.revoke());
        overdue.borrowed.discard();
        assertEquals(1, pool.idle.size(), "the pool has what is left of it");
        assertEquals(0, overdue.lane.counts().granted());
        overdue.borrowed.close();
        assertEquals(1, pool.idle.size());
    }

    @Test
    void lateRevocationDoesNotAffectNextBorrower() throws SQLException {
        var overdue = new OverdueConnection();
        Connection under = overdue.borrowed.connection().unwrap(Connection.class);
        var cancelled = new AtomicInteger();
        overdue.borrowed.track(statement(cancelled::incrementAndGet));
        overdue.borrowed.close();
        Connection next = pool.borrow();
        assertSame(under, next.unwrap(Connection.class));
        assertFalse(overdue.borrowed.revoke());
        overdue.borrowed.cancel();
        overdue.borrowed.discard();
        assertEquals(0, cancelled.get());
        assertEquals(0, count(next));
    }

    @Test
    void abortedConnectionIsNotReused() throws SQLException {
        Connection c = database.getConnection();
        c.setAutoCommit(false);
        Connection under = c.unwrap(Connection.class);
        c.abort(Runnable::run);
        assertTrue(under.isClosed());
        assertTrue(c.isClosed());
        assertEquals(1, pool.idle.size());
        assertEquals(0, database.lane().counts().granted());
    }

    private static Statement statement(Runnable cancel) {
        return PlainPool.proxy(
                Statement.class,
                (_, _, _) -> {
                    cancel.run();
                    return null;
                });
    }

    @Test
    void connectionIsReturnedAfterItsStatementsAreCancelled() throws Exception {
        var overdue = new OverdueConnection();
        var cancelling = new CountDownLatch(1);
        var ends = new CopyOnWriteArrayList<Thread>();
        var idleMeanwhile = new AtomicInteger(-1);
        overdue.borrowed.track(
                statement(
                        () -> {
                            cancelling.countDown();
                            Patience.until(
                                    "it waits",
                                    () ->
                                            !ends.isEmpty()
                                                    && ends.getFirst().getState()
                                                            == Thread.State.BLOCKED);
                            idleMeanwhile.set(pool.idle.size());
                        }));
        assertTrue(overdue.borrowed.revoke());
        Thread cancel = Thread.ofPlatform().start(overdue.borrowed::cancel);
        cancelling.await();
        ends.add(Thread.ofPlatform().start(overdue.borrowed::discard));
        cancel.join();
        ends.getFirst().join();
        assertEquals(0, idleMeanwhile.get());
        assertEquals(1, pool.idle.size());
    }

    // ---- Stages.

    @Test
    void failureToReturnOneDoesNotAffectOthers() throws SQLException {
        var other = new PlainPool();
        pool.atReturn =
                () -> {
                    throw new IllegalStateException("cannot");
                };
        try (StagedDataSource second = over(other, () -> 2)) {
            Stage stage = Stage.begin();
            database.getConnection();
            second.getConnection();
            assertThrows(IllegalStateException.class, stage::detach);
            assertEquals(1, other.idle.size());
            assertEquals(0, database.lane().counts().granted());
            second.getConnection().close();
            assertEquals(0, stage.lateCount(), "it is over on this thread");

            Stage closed = Stage.begin();
            database.getConnection();
            second.getConnection();
            assertThrows(IllegalStateException.class, closed::close);
            assertEquals(1, other.idle.size());
            assertEquals(0, second.lane().counts().granted());
        }
    }

    @Test
    void reacquiredConnectionHasPreviousSettings() throws SQLException {
        try (Stage stage = Stage.begin()) {
            Connection kept = database.getConnection();
            kept.createStatement().execute("create schema other");
            kept.setSchema("OTHER");
            kept.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            stage.endData(Stage.LateUse.REACQUIRE);
            pool.idle.clear();
            assertEquals("OTHER", kept.getSchema());
            assertEquals(Connection.TRANSACTION_SERIALIZABLE, kept.getTransactionIsolation());
        }
    }

    @Test
    void brokenTransactionIsNotContinuedOnAnotherConnection() throws SQLException {
        try (Stage stage = Stage.begin()) {
            Connection c = database.getConnection();
            c.createStatement().execute("create table t (id int)");
            c.setAutoCommit(false);
            c.createStatement().execute("insert into t values (1)");
            c.unwrap(Connection.class).close(); // the connection breaks
            stage.endData(Stage.LateUse.REACQUIRE);
            var failure = assertThrows(SQLException.class, c::createStatement);
            assertTrue(database.isUnavailable(failure));
        }
    }

    @Test
    void stageForgetsClosedHandles() throws SQLException {
        try (Stage stage = Stage.begin()) {
            Connection broken = database.getConnection();
            broken.unwrap(Connection.class).close();
            broken.close();
            Connection kept = database.getConnection();
            for (int i = 0; i < 1_000; i++) {
                database.getConnection().close();
            }
            assertTrue(stage.trackedCount() < 200, "remembers " + stage.trackedCount());
            assertTrue(database.isUnavailable(new SQLException("later")), "one was broken");
            stage.endData(Stage.LateUse.REJECT);
            assertTrue(kept.isClosed());
        }
    }

    // ---- The watchdog.

    @Test
    void watchdogSurvivesAnErrorAndLogsItOnce() throws SQLException {
        var said = new AtomicInteger();
        var log = Logger.getLogger("dev.tandem.database");
        Filter before = log.getFilter();
        log.setFilter(
                each -> {
                    said.addAndGet(each.getThrown() instanceof AssertionError ? 1 : 0);
                    return true;
                });
        var errors = new AtomicInteger();
        IntSupplier size =
                () -> {
                    if (Thread.currentThread().getName().startsWith("tandem-data")) {
                        errors.incrementAndGet();
                        throw new AssertionError("of the one who says the size");
                    }
                    return 1;
                };
        try (StagedDataSource watched = over(new PlainPool(), size);
                var _ = watched.getConnection()) {
            Patience.until("it continues", () -> errors.get() > 3);
            assertEquals(1, said.get());
        } finally {
            log.setFilter(before);
        }
    }

    @Test
    void secondConnectionOfAThreadPrecedesOthers() throws Exception {
        Connection first = database.getConnection();
        Connection others = database.getConnection();
        var isServed = new AtomicBoolean();
        Thread waiting =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    try (var _ = database.getConnection()) {
                                        isServed.set(true);
                                    } catch (SQLException e) {
                                        throw new IllegalStateException(e);
                                    }
                                });
        Patience.until("waits", () -> database.lane().counts().runningWaiting() == 1);
        Thread.ofPlatform()
                .start(
                        () -> {
                            Patience.until(
                                    "both wait",
                                    () -> database.lane().counts().runningWaiting() == 2);
                            Sql.runIgnoringFailure(others::close);
                        });
        Connection second = database.getConnection();
        assertFalse(isServed.get());
        second.close();
        first.close();
        waiting.join();
        assertTrue(isServed.get());
    }
}
