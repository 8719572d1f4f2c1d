package dev.tandem.staged;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The connections that a thread takes while it makes one page. Confined to it.
final class Stage implements AutoCloseable {
    private static final ThreadLocal<@Nullable Stage> CURRENT = new ThreadLocal<>();

    private final List<Lent> taken = new ArrayList<>(2);
    private final @Nullable Stage outer;
    private int late;
    private boolean isRendering;

    private Stage(@Nullable Stage outer) {
        this.outer = outer;
    }

    /// From now on, until it is closed.
    static Stage begin() {
        var stage = new Stage(CURRENT.get());
        CURRENT.set(stage);
        return stage;
    }

    /// This thread took a connection, for a page or for something else.
    static void took(Lent lent) {
        Stage stage = CURRENT.get();
        if (stage != null) {
            stage.taken.add(lent);
            stage.late += stage.isRendering ? 1 : 0;
        }
    }

    /// Gives back whatever the data stage left open, without what it did not commit.
    void endData() throws SQLException {
        for (Lent each : taken) {
            each.close();
        }
        isRendering = true;
    }

    boolean wasCut() {
        return taken.stream().anyMatch(Lent::isCut);
    }

    /// How many connections are held now.
    int held() {
        return (int) taken.stream().filter(each -> !each.isClosed()).count();
    }

    /// How many were taken since the data stage ended.
    int late() {
        return late;
    }

    @Override
    public void close() throws SQLException {
        if (outer == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(outer);
        }
        for (Lent each : taken) {
            each.close();
        }
    }
}
