package dev.tandem.lab.commands;

import dev.tandem.cli.command.Arguments;
import dev.tandem.cli.command.Failure;
import dev.tandem.cli.command.Terminal;
import dev.tandem.lab.Json;
import dev.tandem.load.Load;
import dev.tandem.load.LoadException;
import dev.tandem.load.LoadReport;
import dev.tandem.load.LoadRun;
import dev.tandem.load.Workload;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// Runs a load for a command: a signal ends it early, and the results so far are still printed.
record LoadRuns(Arguments arguments, Terminal terminal) {
    /// States that the target belongs to the user.
    static final String OWN = "--i-may-load-it";

    static final String JSON = "--json";

    /// How long an ending process waits for the report.
    private static final long REPORT_MILLIS_MAX = 5_000;

    LoadReport play(Load load, Workload workload) {
        Thread here = Thread.currentThread();
        try (LoadRun run = load.start(workload)) {
            var stop = new Thread(() -> stop(run, here));
            Runtime.getRuntime().addShutdownHook(stop);
            try {
                return run.await();
            } finally {
                forget(stop);
            }
        } catch (IllegalArgumentException e) {
            throw arguments.usageError(String.valueOf(e.getMessage()));
        } catch (LoadException e) {
            throw Failure.failed(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Failure.failed("interrupted");
        }
    }

    /// Lets the command's thread print its report before the process ends.
    private static void stop(LoadRun run, Thread command) {
        run.stop();
        try {
            command.join(REPORT_MILLIS_MAX);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void forget(Thread stop) {
        try {
            Runtime.getRuntime().removeShutdownHook(stop);
        } catch (IllegalStateException e) {
            // Nothing to do: the process is ending.
        }
    }

    /// Writes all figures to the file that `--json` names.
    void write(LoadReport report) {
        if (arguments.has(JSON)) {
            Path file = Path.of(arguments.value(JSON));
            try {
                Files.writeString(file, Json.of(report.figures()), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw Failure.failed("cannot write " + file + ": " + e.getMessage());
            }
        }
    }
}
