package dev.tandem.staged;

import dev.tandem.admission.DatabasePermit;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/// A connection of the pool that is lent, and the place it is held by. Used by the one who has it;
/// cut by the watch.
///
/// ```
///   LENT --close--> RETURNED                   clean, to be lent again; killed if it is broken
///     |
///     +--cut--> CUT --close, end--> DISCARDED    killed, before the pool has it back
/// ```
///
/// One that was cut is never lent again alive, and one that was returned is never cut: so a late
/// cut cannot meet whoever has the connection next. Its place is free when the pool has it back,
/// and no sooner.
final class BorrowedConnection {
    /// So many of its last statements can be cancelled; only one of them runs.
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

    /// Held while statements are cancelled, so that the pool does not have it back meanwhile.
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

    /// Whether it was held for too long.
    boolean isRevoked() {
        State now = state.get();
        return now == State.REVOKED || now == State.DISCARDED;
    }

    /// Whether it was cut, and nobody ends it yet.
    boolean isPendingDiscard() {
        return state.get() == State.REVOKED;
    }

    /// Whether the database, or what is on the way to it, has ended it.
    boolean isBroken() {
        return wasBroken || state.get() == State.BORROWED && isReportedClosed();
    }

    /// Whether nothing of it would be lost: it is in no transaction.
    boolean isOutsideTransaction() {
        try {
            return isBroken() || connection.getAutoCommit();
        } catch (SQLException e) {
            return true; // it is of no use to anybody
        }
    }

    boolean isOverdue(long now) {
        return now - deadline > 0;
    }

    /// By how much, in nanoseconds.
    long overdue(long now) {
        return now - deadline;
    }

    /// A statement that may have to be cancelled.
    void track(Statement statement) {
        synchronized (statements) {
            if (statements.size() == STATEMENTS_MAX) {
                statements.removeFirst();
            }
            statements.addLast(statement);
        }
    }

    /// Gives it back, without what was not committed. Does nothing the second time.
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

    /// Whatever fails, its place is free afterwards.
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

    /// It is held for too long: whoever has it gets no further by it.
    ///
    /// @return false if it was cut or given back before
    boolean revoke() {
        return state.compareAndSet(State.BORROWED, State.REVOKED);
    }

    /// Cancels what it does, unless it is ended already. Takes as long as the database's driver
    /// does.
    void cancel() {
        synchronized (cancelling) {
            List<Statement> running;
            synchronized (statements) {
                running = new ArrayList<>(statements);
            }
            for (Statement statement : running.reversed()) {
                if (isPendingDiscard()) {
                    // Over already, or a driver that cannot: it is killed soon.
                    Sql.runIgnoringFailure(statement::cancel);
                }
            }
            if (isPendingDiscard()) {
                Sql.runIgnoringFailure(() -> watchdog.discard(connection));
            }
        }
    }

    /// Kills one that was cut and lets the pool have what is left of it, also if nobody closes it.
    /// Does nothing the second time. Takes as long as the database's driver does.
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

    /// Closed for good; or, by a driver that cannot close what is in use, clean.
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

    /// What was not committed.
    private static void rollback(Connection from) throws SQLException {
        if (!from.isClosed() && !from.getAutoCommit()) {
            from.rollback();
            from.setAutoCommit(true);
        }
    }

    /// Drivers close what turns out to be broken, and pools what drivers say so of.
    private boolean isReportedClosed() {
        try {
            return connection.isClosed() || connection.unwrap(Connection.class).isClosed();
        } catch (SQLException | RuntimeException | LinkageError e) {
            return false; // it cannot say
        }
    }
}
