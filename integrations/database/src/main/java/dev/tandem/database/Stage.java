package dev.tandem.database;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Tracks the connections that a thread borrows while it produces one page. For code that calls
/// handlers and templates itself, such as a framework's interceptor; [Staged] does so for its
/// pages.
///
/// ```java
/// try (Stage stage = Stage.begin()) {
///     Object model = controller.call();
///     stage.endData(Stage.LateUse.REACQUIRE);   // from now on the connection serves others
///     view.render(model);
/// }
/// ```
///
/// Every connection borrowed from a [StagedDataSource] on this thread is tracked; the borrowing
/// code need not know. Confined to its thread; stages may be nested.
public final class Stage implements AutoCloseable {
    private static final ThreadLocal<@Nullable Stage> CURRENT = new ThreadLocal<>();

    /// Number of handles from which closed ones are removed: a page may use thousands.
    private static final int PRUNE_FROM = 64;

    private final List<ConnectionHandle> handles = new ArrayList<>(2);
    private final @Nullable Stage outer;
    private int pruneFrom = PRUNE_FROM;
    private boolean wasRevoked;
    private boolean wasBroken;
    private int lateCount;
    private boolean isRendering;

    private Stage(@Nullable Stage outer) {
        this.outer = outer;
    }

    /// What happens to a returned connection that is used again, for example by lazy loading in a
    /// template.
    public enum LateUse {
        /// An `SQLException` with a reason is thrown; 08003. An open transaction is rolled back.
        REJECT,

        /// Another connection is borrowed, without a worker slot, and kept until it is closed. A
        /// connection with an open transaction (no auto-commit) is not returned.
        REACQUIRE
    }

    /// Starts a stage on this thread, until it is closed.
    public static Stage begin() {
        var stage = new Stage(CURRENT.get());
        CURRENT.set(stage);
        return stage;
    }

    /// Called when this thread has borrowed a connection, for a page or anything else.
    static void onBorrowed(ConnectionHandle handle) {
        Stage stage = CURRENT.get();
        if (stage != null) {
            stage.pruneClosed();
            stage.handles.add(handle);
            stage.lateCount += stage.isRendering ? 1 : 0;
        }
    }

    private void pruneClosed() {
        if (handles.size() >= pruneFrom) {
            wasRevoked = wasRevoked();
            wasBroken = wasBroken();
            handles.removeIf(ConnectionHandle::isClosed);
            pruneFrom = Math.max(PRUNE_FROM, 2 * handles.size());
        }
    }

    /// Called when it has borrowed one in place of a returned one.
    static void onReacquired() {
        Stage stage = CURRENT.get();
        if (stage != null) {
            stage.lateCount++;
        }
    }

    /// Returns whether a connection of this thread's stage turned out to be broken: later failures
    /// are attributed to it.
    static boolean hasBrokenConnection() {
        Stage stage = CURRENT.get();
        return stage != null && stage.wasBroken();
    }

    private boolean wasBroken() {
        return wasBroken || handles.stream().anyMatch(ConnectionHandle::wasBroken);
    }

    /// Ends the data stage: returns the connections that this thread still holds.
    ///
    /// @throws SQLException if a connection turns out to be broken; the others are returned
    ///     nevertheless
    public void endData(LateUse lateUse) throws SQLException {
        isRendering = true;
        forEachHandle(each -> each.endDataStage(lateUse));
    }

    /// Returns whether a connection was held beyond its deadline: the data may be incomplete.
    public boolean wasRevoked() {
        return wasRevoked || handles.stream().anyMatch(ConnectionHandle::wasRevoked);
    }

    /// Returns how many connections are held now.
    public int heldCount() {
        return (int) handles.stream().filter(ConnectionHandle::isHeld).count();
    }

    /// Returns how many were borrowed since the data stage ended.
    public int lateCount() {
        return lateCount;
    }

    /// Ends the stage on this thread, while its handles stay in use elsewhere, as in a framework's
    /// asynchronous request. Connections are returned meanwhile, and borrowed again when used.
    ///
    /// @throws SQLException if a connection turns out to be broken
    public void detach() throws SQLException {
        try {
            endData(LateUse.REACQUIRE);
        } finally {
            unbind();
        }
    }

    /// Removes this stage from the thread once, with all stages that were started in it and never
    /// closed.
    private void unbind() {
        Stage bound = CURRENT.get();
        while (bound != null && bound != this) {
            bound = bound.outer;
        }
        if (bound == null) {
            return;
        }
        if (outer == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(outer);
        }
    }

    /// Returns all connections that are left open.
    ///
    /// @throws SQLException if a connection turns out to be broken; the others are returned
    ///     nevertheless
    @Override
    public void close() throws SQLException {
        unbind();
        forEachHandle(ConnectionHandle::close);
    }

    /// Returns how many handles are tracked.
    int trackedCount() {
        return handles.size();
    }

    @FunctionalInterface
    private interface HandleAction {
        void apply(ConnectionHandle handle) throws SQLException;
    }

    private void forEachHandle(HandleAction action) throws SQLException {
        @Nullable Throwable failure = null;
        for (ConnectionHandle each : handles) {
            try {
                action.apply(each);
            } catch (SQLException | RuntimeException | Error e) {
                if (failure == null) {
                    failure = e;
                } else if (failure != e) {
                    failure.addSuppressed(e);
                }
            }
        }
        switch (failure) {
            case null -> {}
            case SQLException e -> throw e;
            case Error e -> throw e;
            default -> throw (RuntimeException) failure;
        }
    }
}
