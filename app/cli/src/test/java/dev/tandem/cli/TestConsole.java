package dev.tandem.cli;

import dev.tandem.Server;
import dev.tandem.cli.command.Terminal;
import dev.tandem.cli.serving.ServerLifecycle;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/// Runs commands in memory and keeps what they print.
final class TestConsole {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final boolean isColoured;
    private final ServerLifecycle lifecycle;

    /// @param meanwhile called while a server that a command has started runs
    TestConsole(boolean isColoured, Consumer<Server> meanwhile) {
        this(
                isColoured,
                (Server server, Runnable announce) -> {
                    announce.run();
                    meanwhile.accept(server);
                });
    }

    /// @param lifecycle of servers that commands start
    TestConsole(boolean isColoured, ServerLifecycle lifecycle) {
        this.isColoured = isColoured;
        this.lifecycle = lifecycle;
    }

    /// Returns a console without a terminal, for commands that start no server.
    static TestConsole plain() {
        return new TestConsole(
                false,
                server -> {
                    throw new AssertionError("a server was started");
                });
    }

    int execute(String... args) {
        return new Commands(new Terminal(print(out), print(err), isColoured), lifecycle)
                .execute(args);
    }

    String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    private static PrintStream print(ByteArrayOutputStream to) {
        return new PrintStream(to, true, StandardCharsets.UTF_8);
    }
}
