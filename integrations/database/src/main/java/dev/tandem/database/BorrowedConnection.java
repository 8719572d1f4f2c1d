package dev.tandem.database;

import dev.tandem.admission.DatabasePermit;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/// A connection borrowed from the pool, with the permit that it holds. Used by its borrower;
/// revoked by the watchdog.
///
/// ```
///   BORROWED --close--> RETURNED              clean, to be borrowed again; closed if broken
///     |
///     +--revoke--> REVOKED --close, discard--> DISCARDED   closed before the pool has it back
/// ```
///
/// A revoked connection is never handed out again open, and a returned one is never revoked: so a
/// late revocation cannot hit the connection's next borrower. The permit is released when the pool
/// has the connection back, and not before.
final class BorrowedConnection {
    /// Number of its last statements that can be cancelled; only one of them runs.
    private static final int STATEMENTS_MAX = 64;

    private enum State {
        BORROWED,
        RETURNED,
        REVOKED,
        DISCARDED
    }

    private final Connection connection;
    private final DatabasePermit permit;
    private final ConnectionWatchdog watchdog;
    private final long deadline;
    private final Thread borrower = Thread.currentThread();
    private final AtomicReference<State> state = new AtomicReference<>(State.BORROWED);
    private final Deque<Statement> statements = new ArrayDeque<>();

    /// Held while statements are cancelled, so that the pool does not have the connection back
    /// meanwhile.
    private final Object cancelling = new Object();

    private volatile boolean wasBroken;

    /// @param deadline by [System#nanoTime()]
    BorrowedConnection(
            Connection connection,
            DatabasePermit permit,
            ConnectionWatchdog watchdog,
            long deadline) {
        this.connection = connection;
        this.permit = permit;
        this.watchdog = watchdog;
        this.deadline = deadline;
    }

    Connection connection() {
        return connection;
    }

    boolean isBorrowedBy(Thread thread) {
        return borrower == thread;
    }

    /// Returns whether it was held for too long.
    boolean isRevoked() {
        State now = state.get();
        return now == State.REVOKED || now == State.DISCARDED;
    }

    /// Returns whether it was revoked, and has not been discarded.
    boolean isPendingDiscard() {
        return state.get() == State.REVOKED;
    }

    /// Returns whether the database, or something on the way to it, has closed the connection.
    boolean isBroken() {
        return wasBroken || state.get() == State.BORROWED && isReportedClosed();
    }

    /// Returns whether no work would be lost: there is no open transaction.
    boolean isOutsideTransaction() {
        try {
            return isBroken() || connection.getAutoCommit();
        } catch (SQLException e) {
            return true; // it cannot be used any more
        }
    }

    boolean isOverdue(long now) {
        return now - deadline > 0;
    }

    /// Returns the time since the deadline, in nanoseconds.
    long overdue(long now) {
        return now - deadline;
    }

    /// Tracks a statement that may have to be cancelled.
    void track(Statement statement) {
        synchronized (statements) {
            if (statements.size() == STATEMENTS_MAX) {
                statements.removeFirst();
            }
            statements.addLast(statement);
        }
    }

    /// Returns it to the pool, rolling back what was not committed. Has no effect the second time.
    void close() throws SQLException {
        if (state.compareAndSet(State.BORROWED, State.RETURNED)) {
            returnToPool();
        } else {
            discard();
        }
    }

    private void returnToPool() throws SQLException {
        try {
            wasBroken = isReportedClosed();
            if (!wasBroken) {
                rollback(connection);
            }
        } catch (SQLException | RuntimeException | Error e) {
            wasBroken = true;
            throw e;
        } finally {
            closeAndRelease();
        }
    }

    /// Whatever fails, the permit is released afterwards.
    private void closeAndRelease() throws SQLException {
        try {
            if (wasBroken) {
                closePhysical();
            }
        } finally {
            try {
                connection.close();
            } finally {
                release();
            }
        }
    }

    private void release() {
        watchdog.onReturned(this);
        permit.close(System.nanoTime());
    }

    /// Revokes the connection because it was held for too long: its borrower cannot use it any
    /// more.
    ///
    /// @return false if it was revoked or returned before
    boolean revoke() {
        return state.compareAndSet(State.BORROWED, State.REVOKED);
    }

    /// Cancels its statements, unless it has been discarded. Takes as long as the database's driver
    /// does.
    void cancel() {
        synchronized (cancelling) {
            List<Statement> running;
            synchronized (statements) {
                running = new ArrayList<>(statements);
            }
            for (Statement statement : running.reversed()) {
                if (isPendingDiscard()) {
                    // Finished already, or a driver that cannot cancel: it is closed soon.
                    Sql.runIgnoringFailure(statement::cancel);
                }
            }
            if (isPendingDiscard()) {
                Sql.runIgnoringFailure(() -> watchdog.discard(connection));
            }
        }
    }

    /// Closes a revoked connection and returns the rest of it to the pool, even if its borrower
    /// never closes it. Has no effect the second time. Takes as long as the database's driver does.
    void discard() {
        if (!state.compareAndSet(State.REVOKED, State.DISCARDED)) {
            return;
        }
        try {
            closePhysical();
            synchronized (cancelling) {
                Sql.runIgnoringFailure(connection::close);
            }
        } finally {
            release();
        }
    }

    /// Closes the physical connection; or, if the driver cannot close one in use, cleans it.
    private void closePhysical() {
        Sql.runIgnoringFailure(() -> watchdog.discard(connection));
        Sql.runIgnoringFailure(
                () -> {
                    Connection physical = connection.unwrap(Connection.class);
                    Sql.runIgnoringFailure(() -> physical.abort(Runnable::run));
                    Sql.runIgnoringFailure(() -> rollback(physical));
                    if (physical != connection) {
                        physical.close();
                    }
                });
    }

    /// Rolls back what was not committed.
    private static void rollback(Connection from) throws SQLException {
        if (!from.isClosed() && !from.getAutoCommit()) {
            from.rollback();
            from.setAutoCommit(true);
        }
    }

    /// Drivers close connections that turn out to be broken, and pools those that their drivers
    /// report.
    private boolean isReportedClosed() {
        try {
            return connection.isClosed() || connection.unwrap(Connection.class).isClosed();
        } catch (SQLException | RuntimeException | LinkageError e) {
            return false; // it cannot say
        }
    }
}
