package dev.tandem.staged;

import dev.tandem.admission.DataPlace;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/// A connection of the pool that is lent, and the place it is held by. Used by the one who has it;
/// cut by the watch.
final class Lent {
    /// So many of its last statements can be cancelled; only one of them runs.
    private static final int STATEMENTS_MAX = 64;

    private final Connection connection;
    private final DataPlace place;
    private final Watch watch;
    private final long deadline;
    private final AtomicBoolean isClosed = new AtomicBoolean();
    private final Deque<Statement> statements = new ArrayDeque<>();
    private volatile boolean isCut;

    /// @param deadline by [System#nanoTime()]
    Lent(Connection connection, DataPlace place, Watch watch, long deadline) {
        this.connection = connection;
        this.place = place;
        this.watch = watch;
        this.deadline = deadline;
    }

    Connection connection() {
        return connection;
    }

    /// Whether it was held for too long.
    boolean isCut() {
        return isCut;
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
        if (!isClosed.compareAndSet(false, true)) {
            return;
        }
        try (Connection closing = connection) {
            if (!isCut && !closing.getAutoCommit()) {
                closing.rollback();
                closing.setAutoCommit(true);
            }
        } finally {
            watch.returned(this);
            place.close(System.nanoTime());
        }
    }

    /// Ends what it does. Takes as long as the database's driver does.
    void cut() {
        isCut = true;
        List<Statement> running;
        synchronized (statements) {
            running = new ArrayList<>(statements);
        }
        for (Statement statement : running.reversed()) {
            try {
                statement.cancel();
            } catch (SQLException | RuntimeException _) {
                // Over already, or a driver that cannot: the connection is aborted soon.
            }
        }
    }

    /// Closes the socket under it. Its place is free from now on, also if nobody ever closes it.
    void abort() {
        try {
            connection.unwrap(Connection.class).abort(Runnable::run);
        } catch (SQLException | RuntimeException _) {
            // It is broken already.
        } finally {
            place.close(System.nanoTime());
        }
    }
}
