package dev.tandem.staged;

import java.sql.SQLException;

/// Runs what may fail because the connection is broken, where that is no news to anybody.
final class Quietly {
    private Quietly() {}

    @FunctionalInterface
    interface Step {
        void run() throws SQLException;
    }

    static void run(Step step) {
        try {
            step.run();
        } catch (SQLException | RuntimeException | LinkageError _) {
            // Old drivers lack methods: a LinkageError.
        }
    }
}
