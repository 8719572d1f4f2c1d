package dev.tandem.cli;

import dev.tandem.cli.command.Arguments;
import dev.tandem.cli.command.Command;
import dev.tandem.cli.command.Failure;
import dev.tandem.cli.command.Option;
import dev.tandem.cli.command.Terminal;
import java.util.List;

/// `tandem drain`: has a running server leave its load balancers, finish its requests and stop.
///
/// @param terminal where the end is reported
record DrainCommand(Terminal terminal) {
    private static final Option WAIT =
            new Option("--wait", "SECONDS", "120", "how long to wait until it has stopped");

    private static final int WAIT_MAX = 86_400;

    /// A tenth of a second between two looks.
    private static final int INTERVAL_MILLIS = 100;

    Command command() {
        return new Command(
                "drain",
                "",
                "has a server leave its load balancers, and stop",
                List.of(
                        "Balancers take away its requests first, so none is lost. The server must",
                        "have been started with [fleet] and --manage ADDR:PORT or unix:/PATH."),
                List.of(ManagementClient.SERVER, ManagementClient.TOKEN, WAIT),
                this::run);
    }

    private void run(Arguments arguments) {
        int seconds = arguments.number(WAIT);
        if (seconds > WAIT_MAX) {
            throw arguments.usageError("--wait must be 0.." + WAIT_MAX + ", was " + seconds);
        }
        var server = ManagementClient.of(arguments);
        server.post("/drain");
        long until = System.nanoTime() + seconds * 1_000_000_000L;
        while (System.nanoTime() - until < 0) {
            if (!server.isListening()) {
                terminal.out().println("stopped");
                terminal.out().flush();
                return;
            }
            pause();
        }
        throw Failure.failed("it has not stopped within " + seconds + " s, and continues to drain");
    }

    private static void pause() {
        try {
            Thread.sleep(INTERVAL_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Failure.failed("interrupted; the server continues to drain");
        }
    }
}
