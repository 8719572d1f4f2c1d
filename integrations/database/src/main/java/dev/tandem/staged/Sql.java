package dev.tandem.staged;

import java.sql.SQLException;

/// Runs what may fail because the connection is broken, where that is no news to anybody.
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
