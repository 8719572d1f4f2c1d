package dev.tandem.staged;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The connections that a thread takes while it makes one page, for whoever calls handlers and
/// templates by itself, such as a framework's interceptor; [Staged] does so for its pages.
///
/// ```java
/// try (Stage stage = Stage.begin()) {
///     Object model = controller.call();
///     stage.endData(Stage.LateUse.TAKEN_ANEW);   // the connection is another's now
///     view.render(model);
/// }
/// ```
///
/// Whatever takes connections from a [StagedDataSource] on this thread is noticed; nothing need be
/// told of it. Confined to its thread; stages may be nested.
public final class Stage implements AutoCloseable {
    private static final ThreadLocal<@Nullable Stage> CURRENT = new ThreadLocal<>();

    /// From so many on, those that are over are forgotten: a page may take thousands.
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

    /// What becomes of a connection that was given back and is used all the same, as by lazy
    /// loading in a template.
    public enum LateUse {
        /// An `SQLException` that says what is wrong; 08003. What a transaction had not committed
        /// is taken back.
        REFUSED,

        /// Another connection is taken, in no worker's place, and kept until it is closed. A
        /// connection whose transaction is open (no auto-commit) stays where it is.
        TAKEN_ANEW
    }

    /// From now on, on this thread, until it is closed.
    public static Stage begin() {
        var stage = new Stage(CURRENT.get());
        CURRENT.set(stage);
        return stage;
    }

    /// This thread took a connection, for a page or for something else.
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

    /// It took one in place of one that it had given back.
    static void onReacquired() {
        Stage stage = CURRENT.get();
        if (stage != null) {
            stage.lateCount++;
        }
    }

    /// Whether a connection that this thread has or had in its stage turned out to be broken: what
    /// fails after that fails for it.
    static boolean hasBrokenConnection() {
        Stage stage = CURRENT.get();
        return stage != null && stage.wasBroken();
    }

    private boolean wasBroken() {
        return wasBroken || handles.stream().anyMatch(ConnectionHandle::wasBroken);
    }

    /// Data is made: gives back what this thread holds still.
    ///
    /// @throws SQLException if a connection turns out to be broken; the others are given back all
    ///     the same
    public void endData(LateUse lateUse) throws SQLException {
        isRendering = true;
        forEachHandle(each -> each.endDataStage(lateUse));
    }

    /// Whether a connection was held for longer than its deadline: what was made with it may not
    /// be all.
    public boolean wasRevoked() {
        return wasRevoked || handles.stream().anyMatch(ConnectionHandle::wasRevoked);
    }

    /// How many connections are held now.
    public int heldCount() {
        return (int) handles.stream().filter(ConnectionHandle::isHeld).count();
    }

    /// How many were taken since the data stage ended.
    public int lateCount() {
        return lateCount;
    }

    /// Ends on this thread, but what it took is not over: whoever has it goes on elsewhere, as a
    /// framework's asynchronous request does. Connections go back meanwhile, and are taken anew.
    ///
    /// @throws SQLException if a connection turns out to be broken
    public void detach() throws SQLException {
        try {
            endData(LateUse.TAKEN_ANEW);
        } finally {
            unbind();
        }
    }

    /// Once, and with all that were begun in it and forgotten.
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

    /// Gives back all that is left open.
    ///
    /// @throws SQLException if a connection turns out to be broken; the others are given back all
    ///     the same
    @Override
    public void close() throws SQLException {
        unbind();
        forEachHandle(ConnectionHandle::close);
    }

    /// How many that it took it still knows of.
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
