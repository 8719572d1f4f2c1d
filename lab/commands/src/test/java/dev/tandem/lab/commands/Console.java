package dev.tandem.lab.commands;

import dev.tandem.Server;
import dev.tandem.cli.Commands;
import dev.tandem.cli.command.Terminal;
import dev.tandem.cli.serving.ServerLifecycle;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/// Runs commands in memory and keeps their output.
final class Console {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final boolean isColoured;
    private final ServerLifecycle stay;

    /// @param meanwhile called while a server that a command has started runs
    Console(boolean isColoured, Consumer<Server> meanwhile) {
        this(
                isColoured,
                (Server server, Runnable announce) -> {
                    announce.run();
                    meanwhile.accept(server);
                });
    }

    /// @param stay what happens while a server runs
    Console(boolean isColoured, ServerLifecycle stay) {
        this.isColoured = isColoured;
        this.stay = stay;
    }

    /// Returns a console without colours, for commands that start no server.
    static Console plain() {
        return new Console(
                false,
                server -> {
                    throw new AssertionError("a server was started");
                });
    }

    int execute(String... args) {
        return new Commands(new Terminal(print(out), print(err), isColoured), stay).execute(args);
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
