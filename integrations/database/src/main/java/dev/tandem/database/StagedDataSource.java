package dev.tandem.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.tandem.admission.DatabaseLane;
import dev.tandem.admission.DatabasePermit;
import dev.tandem.admission.DatabaseRoute;
import dev.tandem.admission.DatabaseWaits;
import dev.tandem.admission.Decision;
import dev.tandem.database.DatabaseFailures.Diagnosis;
import dev.tandem.engine.database.DatabaseUse;
import dev.tandem.http.Exchange;
import dev.tandem.http.Filter;
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

/// A data source that reports to the server which routes use it:
///
/// ```java
/// var database = StagedDataSource.over(config);
/// ```
///
/// Used in place of the pool by any code in handlers: plain JDBC, an ORM, servlets on the Tandem
/// connector. A request of a route that uses the database then waits for its connection in the
/// server's database lane, where it holds no thread; it is rejected at once if the database is
/// down, and dropped if its client disconnects. Requests that need no connection never wait for
/// one. Nothing needs to be configured: the lane admits as many requests as the pool has
/// connections, and reads that number for each.
///
/// A connection that a request holds beyond the deadline is revoked: its statements are cancelled,
/// and it is closed instead of being reused.
///
/// Safe for use by any thread. Closing it stops its watchdog, and leaves the pool open.
public final class StagedDataSource implements DataSource, AutoCloseable {
    /// 20 s: TPC-W's limit for its slowest page. The client has given up by then.
    public static final Duration DEADLINE = Duration.ofSeconds(20);

    /// 2 s instead of Hikari's 30 s: the lane admits no more requests than there are connections,
    /// so a request that waits here waits for a database that does not respond.
    static final long CONNECTION_TIMEOUT_MILLIS = 2_000;

    private static final long NO_DEADLINE_NANOS = TimeUnit.DAYS.toNanos(36_500);

    private static final System.Logger LOG = System.getLogger("dev.tandem.database");

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

    /// Opens a pool of Hikari's, with the deadline [#DEADLINE]. Its connection timeout is 2 s if it
    /// is the default of 30 s in `config`, which is not changed.
    ///
    /// @throws com.zaxxer.hikari.pool.HikariPool.PoolInitializationException if the first
    ///     connection fails
    public static StagedDataSource over(HikariConfig config) {
        var own = new HikariConfig();
        config.copyStateTo(own);
        if (hasDefaultTimeout(own)) {
            own.setConnectionTimeout(CONNECTION_TIMEOUT_MILLIS);
        }
        return over(new HikariDataSource(own));
    }

    private static boolean hasDefaultTimeout(HikariConfig config) {
        return config.getConnectionTimeout() >= TimeUnit.SECONDS.toMillis(30);
    }

    /// Wraps Hikari's pool, with the deadline [#DEADLINE].
    public static StagedDataSource over(HikariDataSource pool) {
        return over(pool, DEADLINE);
    }

    /// Wraps Hikari's pool. If its connection timeout is the default of 30 s, it is set to 2 s; a
    /// pool that has opened connections already keeps its timeout, and a warning asks to set
    /// `connectionTimeout`.
    ///
    /// @param deadline how long a connection may be held; over 0
    public static StagedDataSource over(HikariDataSource pool, Duration deadline) {
        return over(pool, deadline, DatabaseWaits.DEFAULT);
    }

    /// Wraps it with other waiting times, for tests in which threads may be stopped for seconds.
    static StagedDataSource over(HikariDataSource pool, Duration deadline, DatabaseWaits waits) {
        if (hasDefaultTimeout(pool)) {
            shortenTimeout(pool);
        }
        return new StagedDataSource(
                PoolAdapter.of(pool, pool, pool::evictConnection), deadline, waits);
    }

    /// Wraps any data source, with the deadline [#DEADLINE]: for a framework's post-processor.
    ///
    /// @return `source` itself if it is one already; null if it is not, and does not wrap, a pool
    ///     of Hikari's: then its size is unknown here, but may be known to the caller, who can use
    ///     [#over(DataSource, String, IntSupplier, Duration)]
    public static @Nullable StagedDataSource wrap(DataSource source) throws SQLException {
        return wrap(source, DEADLINE);
    }

    /// Wraps any data source with another deadline; an existing [StagedDataSource] keeps its own.
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
            // Its connections are not Hikari's own: they are closed, not evicted.
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
                            + " ms: the first requests wait that long when the database is down; "
                            + CONNECTION_TIMEOUT_MILLIS
                            + " is enough");
        } else {
            pool.setConnectionTimeout(CONNECTION_TIMEOUT_MILLIS);
        }
    }

    /// Wraps any other pool. It must validate connections when it hands them out; otherwise it
    /// hands out revoked ones, which have been closed underneath it.
    ///
    /// @param name of the pool in logs and metrics
    /// @param size its maximum number of connections; called for each request, so it must be fast
    public static StagedDataSource over(
            DataSource source, String name, IntSupplier size, Duration deadline) {
        return new StagedDataSource(PoolAdapter.of(source, name, size), deadline);
    }

    /// Returns the lane, for `/explain` and tests.
    public DatabaseLane lane() {
        return lane;
    }

    /// Returns a filter that responds with 503 instead of 500 if a handler could not get a
    /// connection, or lost it.
    public Filter unavailable() {
        return (x, next) -> {
            try {
                next.handle(x);
            } catch (Exception e) {
                throw x.isCommitted() ? e : toHttpFailure(x, e, false);
            }
        };
    }

    /// Returns whether a failure, or a cause of it, means that the database is unavailable, so that
    /// 503 with `Retry-After: 1` is the right response. For frameworks, which respond to failures
    /// themselves. This includes whatever the driver reports after a connection of this thread's
    /// [Stage] turned out to be broken. A broken connection is detected when it is returned, and
    /// only by its own pool; this call has no side effect.
    public boolean isUnavailable(Throwable e) {
        return DatabaseFailures.isUnavailable(e)
                || Stage.hasBrokenConnection() && DatabaseFailures.isSql(e);
    }

    /// Returns the failure to respond with for a handler's failure.
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
                throw new SQLException(pool.name() + ": the pool returned null");
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

    /// Returns the caller's exception, and reports to the watchdog what it says about the database.
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

    /// Background jobs, which belong to no request, have no deadline.
    private long deadline() {
        long held = DatabaseUse.current() == null ? NO_DEADLINE_NANOS : deadlineNanos;
        return System.nanoTime() + held;
    }

    private DatabasePermit acquirePermit() throws SQLException {
        DatabaseUse use = DatabaseUse.current();
        if (use == null) {
            return awaitPermit(lane.otherRoutes(), null);
        }
        DatabaseRoute route = use.route(lane);
        DatabasePermit reserved = use.useConnection(lane, System.nanoTime());
        return reserved == null ? awaitPermit(route, use) : reserved;
    }

    /// Waits for a permit on this thread: the first requests of a route that is not known yet;
    /// those that use one connection after another, which precede new ones; and those that need a
    /// second connection at the same time, which precede all others, because the first one is
    /// useless until then.
    private DatabasePermit awaitPermit(DatabaseRoute route, @Nullable DatabaseUse use)
            throws SQLException {
        var wait = new PermitWait(route, kind(use));
        boolean isAcquired = false;
        try {
            Decision decision = wait.request();
            if (decision instanceof Decision.Wait) {
                if (use == null) {
                    wait.await();
                } else {
                    use.awaitConnection(wait::await);
                }
                decision = wait.decision();
            }
            isAcquired = decision instanceof Decision.Run && wait.permit().use(System.nanoTime());
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

    private DatabasePermit.Kind kind(@Nullable DatabaseUse use) {
        if (use != null && use.isProbe() || watchdog.hasConnection(Thread.currentThread())) {
            return DatabasePermit.Kind.URGENT;
        }
        if (use == null) {
            return DatabasePermit.Kind.JOB;
        }
        return use.hasUsedConnection(lane)
                ? DatabasePermit.Kind.REPEATED
                : DatabasePermit.Kind.RUNNING;
    }

    // ---- The rest delegates to the pool.

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
        return Logger.getLogger("dev.tandem.database");
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
