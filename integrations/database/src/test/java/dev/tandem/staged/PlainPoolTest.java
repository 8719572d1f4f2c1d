package dev.tandem.staged;

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

/// What a pool that does nothing by itself is protected from, and what its failures tell.
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

    // ---- What a failure tells.

    @Test
    void aBrokenConnectionIsNewsOfItsOwnPool_andOfNoOther() throws SQLException {
        var other = new PlainPool();
        try (StagedDataSource second = over(other, () -> 2)) {
            Connection c = database.getConnection();
            c.unwrap(Connection.class).close(); // as a driver does that finds it broken
            c.close();
            Patience.until("asked", () -> pool.requestCount.get() == 2);
            var failure = new IllegalStateException(new SQLException("broken", "08006"));
            assertTrue(second.isUnavailable(failure), "it says so of some database");
            Patience.until("well", () -> database.lane().counts().taken() == 0);
            assertFalse(database.lane().isDown());
            assertEquals(0, other.requestCount.get());
        }
    }

    @Test
    void useAfterItsEndIsTheApplicationsFault() throws SQLException {
        Connection c = database.getConnection();
        c.close();
        var failure = assertThrows(SQLException.class, c::createStatement);
        assertFalse(database.isUnavailable(failure));
    }

    @Test
    void whateverFailsAfterAStagesConnectionBroke_failsForIt() throws SQLException {
        var failure = new SQLException("Connection is closed"); // without a state, as of Hikari
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
    void notEveryFailureToOpenOneSaysThatTheDatabaseIsDown() throws SQLException {
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
    void oneThatSaysSoDoes_andTheDatabaseIsAskedUntilItIsBack(boolean isWrapped) {
        var refused = new SQLException("refused", "08001");
        pool.failure.set(isWrapped ? new IllegalStateException(refused) : refused);
        SQLException none = assertThrows(SQLException.class, database::getConnection);
        assertTrue(database.isUnavailable(none));
        Patience.until("back", () -> pool.requestCount.get() > 1 && !database.lane().isDown());
    }

    @Test
    void aDriverThatLacksMethodsKeepsNoConnection_andIsBackAllTheSame() throws SQLException {
        pool.isOld = true;
        database.getConnection().close();
        assertEquals(1, pool.idle.size());
        assertEquals(0, database.lane().counts().taken());
        pool.failure.set(new SQLException("refused", "08001"));
        assertThrows(SQLException.class, database::getConnection);
        Patience.until("back", () -> pool.requestCount.get() > 2 && !database.lane().isDown());
    }

    // ---- What it gets back.

    /// One that was held for too long, in its transaction.
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
            permit.ask(System.nanoTime());
            permit.used(System.nanoTime());
            Connection c = pool.borrow();
            c.createStatement().execute("create table t (id int)");
            c.setAutoCommit(false);
            c.createStatement().execute("insert into t values (1)");
            borrowed = new BorrowedConnection(c, permit, watchdog, System.nanoTime() - 1);
        }
    }

    @Test
    void whatWasCutIsNotLentAgainWithItsTransaction() throws SQLException {
        var held = new OverdueConnection();
        pool.atReturn = () -> assertEquals(1, held.lane.counts().taken(), "its place is");
        assertTrue(held.borrowed.revoke());
        held.borrowed.cancel();
        held.borrowed.close();
        pool.atReturn = () -> {};
        assertEquals(0, held.lane.counts().taken());
        assertTrue(held.borrowed.isRevoked());
        try (Connection next = pool.borrow()) {
            assertTrue(next.getAutoCommit());
            assertEquals(0, count(next));
        }
    }

    @Test
    void nobodyNeedCloseWhatWasCut() throws SQLException {
        var held = new OverdueConnection();
        pool.atReturn = () -> assertEquals(1, held.lane.counts().taken(), "its place is");
        assertTrue(held.borrowed.revoke());
        held.borrowed.discard();
        assertEquals(1, pool.idle.size(), "the pool has what is left of it");
        assertEquals(0, held.lane.counts().taken());
        held.borrowed.close();
        assertEquals(1, pool.idle.size());
    }

    @Test
    void aLateCutDoesNotMeetWhoeverHasTheConnectionNext() throws SQLException {
        var held = new OverdueConnection();
        Connection under = held.borrowed.connection().unwrap(Connection.class);
        var cancelled = new AtomicInteger();
        held.borrowed.track(statement(cancelled::incrementAndGet));
        held.borrowed.close();
        Connection next = pool.borrow();
        assertSame(under, next.unwrap(Connection.class));
        assertFalse(held.borrowed.revoke());
        held.borrowed.cancel();
        held.borrowed.discard();
        assertEquals(0, cancelled.get());
        assertEquals(0, count(next));
    }

    @Test
    void whatIsAbortedIsNotLentAgainAlive() throws SQLException {
        Connection c = database.getConnection();
        c.setAutoCommit(false);
        Connection under = c.unwrap(Connection.class);
        c.abort(Runnable::run);
        assertTrue(under.isClosed());
        assertTrue(c.isClosed());
        assertEquals(1, pool.idle.size());
        assertEquals(0, database.lane().counts().taken());
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
    void thePoolHasItBackWhenItsStatementsAreCancelled_andNoSooner() throws Exception {
        var held = new OverdueConnection();
        var cancelling = new CountDownLatch(1);
        var ends = new CopyOnWriteArrayList<Thread>();
        var idleMeanwhile = new AtomicInteger(-1);
        held.borrowed.track(
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
        assertTrue(held.borrowed.revoke());
        Thread cancel = Thread.ofPlatform().start(held.borrowed::cancel);
        cancelling.await();
        ends.add(Thread.ofPlatform().start(held.borrowed::discard));
        cancel.join();
        ends.getFirst().join();
        assertEquals(0, idleMeanwhile.get());
        assertEquals(1, pool.idle.size());
    }

    // ---- Stages.

    @Test
    void oneThatCannotBeGivenBackDoesNotKeepOthers_norTheStage() throws SQLException {
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
            assertEquals(0, database.lane().counts().taken());
            second.getConnection().close();
            assertEquals(0, stage.lateCount(), "it is over on this thread");

            Stage closed = Stage.begin();
            database.getConnection();
            second.getConnection();
            assertThrows(IllegalStateException.class, closed::close);
            assertEquals(1, other.idle.size());
            assertEquals(0, second.lane().counts().taken());
        }
    }

    @Test
    void aConnectionThatIsTakenAnewIsSetAsTheOneBefore() throws SQLException {
        try (Stage stage = Stage.begin()) {
            Connection kept = database.getConnection();
            kept.createStatement().execute("create schema other");
            kept.setSchema("OTHER");
            kept.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            stage.endData(Stage.LateUse.TAKEN_ANEW);
            pool.idle.clear();
            assertEquals("OTHER", kept.getSchema());
            assertEquals(Connection.TRANSACTION_SERIALIZABLE, kept.getTransactionIsolation());
        }
    }

    @Test
    void halfATransactionIsNotGoneOnWithByAnotherConnection() throws SQLException {
        try (Stage stage = Stage.begin()) {
            Connection c = database.getConnection();
            c.createStatement().execute("create table t (id int)");
            c.setAutoCommit(false);
            c.createStatement().execute("insert into t values (1)");
            c.unwrap(Connection.class).close(); // it breaks
            stage.endData(Stage.LateUse.TAKEN_ANEW);
            var failure = assertThrows(SQLException.class, c::createStatement);
            assertTrue(database.isUnavailable(failure));
        }
    }

    @Test
    void aStageRemembersNoMoreThanItNeeds() throws SQLException {
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
            stage.endData(Stage.LateUse.REFUSED);
            assertTrue(kept.isClosed());
        }
    }

    // ---- The watch.

    @Test
    void theWatchSurvivesAnError_andSaysItOnce() throws SQLException {
        var said = new AtomicInteger();
        var log = Logger.getLogger("dev.tandem.staged");
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
            Patience.until("it goes on", () -> errors.get() > 3);
            assertEquals(1, said.get());
        } finally {
            log.setFilter(before);
        }
    }

    @Test
    void whoHasAConnectionAlreadyGetsTheSecondBeforeOthers() throws Exception {
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
