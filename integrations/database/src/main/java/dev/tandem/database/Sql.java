package dev.tandem.database;

import java.sql.SQLException;

/// Runs SQL actions whose failure has no consequence, because the connection is broken or about to
/// be closed.
final class Sql {
    private Sql() {}

    @FunctionalInterface
    interface Action {
        void run() throws SQLException;
    }

    static void runIgnoringFailure(Action step) {
        try {
            step.run();
        } catch (SQLException | RuntimeException | LinkageError _) {
            // Old drivers lack methods: a LinkageError.
        }
    }
}
