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
final class Lent {
    /// So many of its last statements can be cancelled; only one of them runs.
    private static final int STATEMENTS_MAX = 64;

    private enum State {
        LENT,
        RETURNED,
        CUT,
        DISCARDED
    }

    private final Connection connection;
    private final DatabasePermit place;
    private final Watch watch;
    private final long deadline;
    private final Thread taker = Thread.currentThread();
    private final AtomicReference<State> state = new AtomicReference<>(State.LENT);
    private final Deque<Statement> statements = new ArrayDeque<>();

    /// Held while statements are cancelled, so that the pool does not have it back meanwhile.
    private final Object cancelling = new Object();

    private volatile boolean wasBroken;

    /// @param deadline by [System#nanoTime()]
    Lent(Connection connection, DatabasePermit place, Watch watch, long deadline) {
        this.connection = connection;
        this.place = place;
        this.watch = watch;
        this.deadline = deadline;
    }

    Connection connection() {
        return connection;
    }

    boolean isTakenBy(Thread thread) {
        return taker == thread;
    }

    /// Whether it was held for too long.
    boolean isCut() {
        State now = state.get();
        return now == State.CUT || now == State.DISCARDED;
    }

    /// Whether it was cut, and nobody ends it yet.
    boolean isToBeEnded() {
        return state.get() == State.CUT;
    }

    /// Whether the database, or what is on the way to it, has ended it.
    boolean isBroken() {
        return wasBroken || state.get() == State.LENT && looksBroken();
    }

    /// Whether nothing of it would be lost: it is in no transaction.
    boolean isInNone() {
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
    void remember(Statement statement) {
        synchronized (statements) {
            if (statements.size() == STATEMENTS_MAX) {
                statements.removeFirst();
            }
            statements.addLast(statement);
        }
    }

    /// Gives it back, without what was not committed. Does nothing the second time.
    void close() throws SQLException {
        if (state.compareAndSet(State.LENT, State.RETURNED)) {
            giveBack();
        } else {
            end();
        }
    }

    private void giveBack() throws SQLException {
        try {
            wasBroken = looksBroken();
            if (!wasBroken) {
                takeBack(connection);
            }
        } catch (SQLException | RuntimeException | Error e) {
            wasBroken = true;
            throw e;
        } finally {
            closeAndOver();
        }
    }

    /// Whatever fails, its place is free afterwards.
    private void closeAndOver() throws SQLException {
        try {
            if (wasBroken) {
                kill();
            }
        } finally {
            try {
                connection.close();
            } finally {
                over();
            }
        }
    }

    private void over() {
        watch.returned(this);
        place.close(System.nanoTime());
    }

    /// It is held for too long: whoever has it gets no further by it.
    ///
    /// @return false if it was cut or given back before
    boolean cut() {
        return state.compareAndSet(State.LENT, State.CUT);
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
                if (isToBeEnded()) {
                    // Over already, or a driver that cannot: it is killed soon.
                    Quietly.run(statement::cancel);
                }
            }
            if (isToBeEnded()) {
                Quietly.run(() -> watch.discard(connection));
            }
        }
    }

    /// Kills one that was cut and lets the pool have what is left of it, also if nobody closes it.
    /// Does nothing the second time. Takes as long as the database's driver does.
    void end() {
        if (!state.compareAndSet(State.CUT, State.DISCARDED)) {
            return;
        }
        try {
            kill();
            synchronized (cancelling) {
                Quietly.run(connection::close);
            }
        } finally {
            over();
        }
    }

    /// Closed for good; or, by a driver that cannot close what is in use, clean.
    private void kill() {
        Quietly.run(() -> watch.discard(connection));
        Quietly.run(
                () -> {
                    Connection under = connection.unwrap(Connection.class);
                    Quietly.run(() -> under.abort(Runnable::run));
                    Quietly.run(() -> takeBack(under));
                    if (under != connection) {
                        under.close();
                    }
                });
    }

    /// What was not committed.
    private static void takeBack(Connection from) throws SQLException {
        if (!from.isClosed() && !from.getAutoCommit()) {
            from.rollback();
            from.setAutoCommit(true);
        }
    }

    /// Drivers close what turns out to be broken, and pools what drivers say so of.
    private boolean looksBroken() {
        try {
            return connection.isClosed() || connection.unwrap(Connection.class).isClosed();
        } catch (SQLException | RuntimeException | LinkageError e) {
            return false; // it cannot say
        }
    }
}
