package dev.tandem.staged;

import com.zaxxer.hikari.HikariDataSource;
import dev.tandem.admission.DatabaseLane;
import dev.tandem.admission.DatabasePermit;
import dev.tandem.admission.DatabaseRoute;
import dev.tandem.admission.DatabaseWaits;
import dev.tandem.admission.Decision;
import dev.tandem.engine.database.DataTurn;
import dev.tandem.http.Exchange;
import dev.tandem.http.Filter;
import dev.tandem.staged.DatabaseFailures.Diagnosis;
import java.io.PrintWriter;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/// A pool of connections that tells the server who uses it:
///
/// ```java
/// var database = StagedDataSource.over(new HikariDataSource(config));
/// ```
///
/// To be used in place of the pool by whatever runs in handlers: plain JDBC, an ORM, servlets on
/// our connector. From then on a request of a route that uses the database waits for its connection
/// in the server's data lane, where it holds no thread, is refused at once if the database is down,
/// and is forgotten if its visitor leaves; and who needs no connection never waits for one. Nothing
/// is to be set: the lane admits as many as the pool holds, asked anew for each.
///
/// A connection that a request holds for longer than the deadline is cut: its statements are
/// cancelled, and it does not go back to the pool.
///
/// Safe for use by any thread. Closing ends its watch, and leaves the pool to whoever made it.
public final class StagedDataSource implements DataSource, AutoCloseable {
    /// 20 s: TPC-W's limit for its slowest page. A visitor is gone by then.
    public static final Duration DEADLINE = Duration.ofSeconds(20);

    /// 2 s in place of Hikari's 30: the lane lets nobody ask whom there is no connection for, so
    /// that whoever waits here waits for a database that does not answer.
    static final long CONNECTION_TIMEOUT_MILLIS = 2_000;

    private static final long NO_DEADLINE_NANOS = TimeUnit.DAYS.toNanos(36_500);

    private static final System.Logger LOG = System.getLogger("dev.tandem.staged");

    private final PoolAdapter pool;
    private final long deadlineNanos;
    private final ConnectionWatchdog watchdog;
    private final DatabaseLane lane;

    private StagedDataSource(PoolAdapter pool, Duration deadline) {
        this(pool, deadline, DatabaseWaits.DEFAULT);
    }

    private StagedDataSource(PoolAdapter pool, Duration deadline, DatabaseWaits waits) {
        if (deadline.isNegative() || deadline.isZero()) {
            throw new IllegalArgumentException("the deadline must be over 0, was " + deadline);
        }
        this.pool = pool;
        this.deadlineNanos = deadline.toNanos();
        this.watchdog = new ConnectionWatchdog(pool);
        this.lane = new DatabaseLane(pool.name(), pool.size(), watchdog::wake, waits);
        watchdog.setLane(lane);
    }

    /// With the deadline [#DEADLINE].
    public static StagedDataSource over(HikariDataSource pool) {
        return over(pool, DEADLINE);
    }

    /// Over Hikari's pool. If that waits for connections for as long as it does by default, 30 s,
    /// it will wait for 2 s; one that has opened connections already keeps its time, and the log
    /// says so: have `connectionTimeout` set.
    ///
    /// @param deadline how long a connection may be held; over 0
    public static StagedDataSource over(HikariDataSource pool, Duration deadline) {
        return over(pool, deadline, DatabaseWaits.DEFAULT);
    }

    /// With other waits, for tests in which threads may be stopped for seconds.
    static StagedDataSource over(HikariDataSource pool, Duration deadline, DatabaseWaits waits) {
        if (pool.getConnectionTimeout() >= TimeUnit.SECONDS.toMillis(30)) {
            shortenTimeout(pool);
        }
        return new StagedDataSource(
                PoolAdapter.of(pool, pool, pool::evictConnection), deadline, waits);
    }

    /// Over whatever an application has, with the deadline [#DEADLINE]: what a framework's
    /// post-processor needs.
    ///
    /// @return `source` itself if it is one already; null if it is no pool of Hikari's and has none
    ///     under it: then nobody knows how large it is, but perhaps the caller, who can say so by
    ///     [#over(DataSource, String, IntSupplier, Duration)]
    public static @Nullable StagedDataSource wrap(DataSource source) throws SQLException {
        return wrap(source, DEADLINE);
    }

    /// The same, with another deadline; if it is one already, it keeps its own.
    ///
    /// @param deadline how long a connection may be held; over 0
    public static @Nullable StagedDataSource wrap(DataSource source, Duration deadline)
            throws SQLException {
        if (source.isWrapperFor(StagedDataSource.class)) {
            return source.unwrap(StagedDataSource.class);
        }
        if (source instanceof HikariDataSource pool) {
            return over(pool, deadline);
        }
        if (source.isWrapperFor(HikariDataSource.class)) {
            HikariDataSource pool = source.unwrap(HikariDataSource.class);
            // What it lends is not Hikari's own: it is killed, not evicted.
            return new StagedDataSource(PoolAdapter.of(pool, source, _ -> {}), deadline);
        }
        return null;
    }

    private static void shortenTimeout(HikariDataSource pool) {
        if (pool.isRunning()) {
            LOG.log(
                    Level.WARNING,
                    pool.getPoolName()
                            + ": its connectionTimeout is "
                            + pool.getConnectionTimeout()
                            + " ms: so long the first requests wait when the database is down; "
                            + CONNECTION_TIMEOUT_MILLIS
                            + " would do");
        } else {
            pool.setConnectionTimeout(CONNECTION_TIMEOUT_MILLIS);
        }
    }

    /// Over any other. It must test what it lends, or it lends connections that were cut, and are
    /// closed under it, again.
    ///
    /// @param name for those who read its numbers
    /// @param size how many connections it has at most; asked for each request, so it must be quick
    public static StagedDataSource over(
            DataSource source, String name, IntSupplier size, Duration deadline) {
        return new StagedDataSource(PoolAdapter.of(source, name, size), deadline);
    }

    /// Who has places, who waits, and why: for `/explain` and tests.
    public DatabaseLane lane() {
        return lane;
    }

    /// Answers 503 in place of 500 where a handler could not have a connection, or lost it.
    public Filter unavailable() {
        return (x, next) -> {
            try {
                next.handle(x);
            } catch (Exception e) {
                throw x.isCommitted() ? e : toHttpFailure(x, e, false);
            }
        };
    }

    /// For frameworks, which answer failures themselves: whether this one, or a cause of it, means
    /// that the database cannot be had, and a 503 with `Retry-After: 1` would be right. So does
    /// whatever a database's driver says after a connection of this thread's [Stage] turned out to
    /// be broken. That it did so is noticed when it is given back, and only by the pool that it is
    /// of; to ask here changes nothing.
    public boolean isUnavailable(Throwable e) {
        return DatabaseFailures.isUnavailable(e)
                || Stage.hasBrokenConnection() && DatabaseFailures.isSql(e);
    }

    /// What a handler's failure is answered by.
    Exception toHttpFailure(Exchange x, Exception e, boolean wasRevoked) {
        boolean isUnavailable = !wasRevoked && isUnavailable(e);
        return DatabaseFailures.toHttpFailure(x, e, wasRevoked, isUnavailable);
    }

    @Override
    public Connection getConnection() throws SQLException {
        return handle(pool.source()::getConnection);
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        return handle(() -> pool.source().getConnection(user, password));
    }

    @Override
    public void close() {
        watchdog.close();
    }

    private interface Opening {
        Connection open() throws SQLException;
    }

    private Connection handle(Opening opening) throws SQLException {
        var handle = new ConnectionHandle(() -> borrow(opening));
        Stage.onBorrowed(handle);
        return handle.proxy();
    }

    private BorrowedConnection borrow(Opening opening) throws SQLException {
        DatabasePermit permit = acquirePermit();
        boolean isBorrowed = false;
        try {
            Connection connection = opening.open();
            if (connection == null) {
                throw new SQLException(pool.name() + ": the pool has lent null");
            }
            var borrowed = new BorrowedConnection(connection, permit, watchdog, deadline());
            watchdog.onBorrowed(borrowed);
            isBorrowed = true;
            return borrowed;
        } catch (SQLException | RuntimeException e) {
            throw openFailure(e);
        } finally {
            if (!isBorrowed) {
                permit.close(System.nanoTime());
            }
        }
    }

    /// What the caller is told; the watch, what it says of the database.
    private SQLException openFailure(Exception e) throws SQLException {
        boolean isInterrupted = Thread.currentThread().isInterrupted();
        Diagnosis diagnosis = isInterrupted ? Diagnosis.NONE : DatabaseFailures.diagnose(e);
        switch (diagnosis) {
            case DOWN -> watchdog.markDown(e);
            case SUSPECT -> watchdog.startProbe();
            case NONE -> {
                if (e instanceof RuntimeException failure) {
                    throw failure;
                }
                if (e instanceof SQLFeatureNotSupportedException its) {
                    throw its;
                }
            }
        }
        return new NoConnectionException(pool.name() + ": no connection: " + e.getMessage(), e);
    }

    /// Who works for no visitor, such as a job of the night, may take his time.
    private long deadline() {
        long held = DataTurn.current() == null ? NO_DEADLINE_NANOS : deadlineNanos;
        return System.nanoTime() + held;
    }

    private DatabasePermit acquirePermit() throws SQLException {
        DataTurn turn = DataTurn.current();
        if (turn == null) {
            return awaitPermit(lane.otherRoutes(), null);
        }
        DatabaseRoute route = turn.route(lane);
        DatabasePermit reserved = turn.reserved(lane, System.nanoTime());
        return reserved == null ? awaitPermit(route, turn) : reserved;
    }

    /// Waits with this thread: the first requests of a route that nobody knows yet; those that take
    /// one connection after the other, which go before visitors; and those that take a second one,
    /// which go before all others: what they have is of no use until then.
    private DatabasePermit awaitPermit(DatabaseRoute route, @Nullable DataTurn turn)
            throws SQLException {
        var wait = new PermitWait(route, kind(turn));
        boolean isAcquired = false;
        try {
            Decision decision = wait.request();
            if (decision instanceof Decision.Wait) {
                if (turn == null) {
                    wait.await();
                } else {
                    turn.waiting(wait::await);
                }
                decision = wait.decision();
            }
            isAcquired = decision instanceof Decision.Run && wait.permit().used(System.nanoTime());
            if (!isAcquired) {
                throw new NoConnectionException(
                        pool.name() + ": no connection: " + wait.describe(decision), null);
            }
            return wait.permit();
        } finally {
            if (!isAcquired) {
                wait.abandon();
            }
        }
    }

    private DatabasePermit.Kind kind(@Nullable DataTurn turn) {
        if (turn != null && turn.isProbe() || watchdog.hasConnection(Thread.currentThread())) {
            return DatabasePermit.Kind.URGENT;
        }
        if (turn == null) {
            return DatabasePermit.Kind.JOB;
        }
        return turn.hasUsed(lane) ? DatabasePermit.Kind.AGAIN : DatabasePermit.Kind.RUNNING;
    }

    // ---- The rest is the pool's.

    @Override
    public PrintWriter getLogWriter() throws SQLException {
        return pool.source().getLogWriter();
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
        pool.source().setLogWriter(out);
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        pool.source().setLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return pool.source().getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() {
        return Logger.getLogger("dev.tandem.staged");
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return type.isInstance(this) ? type.cast(this) : pool.source().unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return type.isInstance(this) || pool.source().isWrapperFor(type);
    }
}
