package dev.tandem.cli;

import dev.tandem.Server;
import dev.tandem.cli.command.Failure;
import dev.tandem.cli.command.Terminal;
import dev.tandem.cli.serving.ServerLifecycle;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// A training run for the JVM's AOT cache: starts the server as users do and sends typical first
/// requests. The launcher runs it once, for the JVM to record what was loaded, linked and called
/// most (JEP 483, 514 and 515). Ends by itself: it fails if the server does not respond within
/// [#TIMEOUT_MILLIS].
final class TrainingRun implements ServerLifecycle {
    private static final int TIMEOUT_MILLIS = 5_000;

    /// Enough for the JVM to profile methods; well under a second in all.
    private static final int REPETITIONS = 300;

    /// One minute of an open console, whose first readings would otherwise cost as much as all
    /// later ones, because they are not compiled yet.
    private static final int CONSOLE_REPETITIONS = 60;

    private static final String FILE = "file.bin";

    private final CommandExecutor executor;
    private final Supplier<Iterable<CommandProvider>> providers;

    /// Runs a command line.
    @FunctionalInterface
    interface CommandExecutor {
        /// @return its status
        int execute(Terminal terminal, ServerLifecycle lifecycle, List<String> words);
    }

    /// @param executor of the commands that are run
    /// @param providers whose commands are run, too
    TrainingRun(CommandExecutor executor, Supplier<Iterable<CommandProvider>> providers) {
        this.executor = executor;
        this.providers = providers;
    }

    /// @throws Failure if the server could not be started or did not respond
    void run() {
        try {
            Path root = Files.createTempDirectory("tandem-rehearsal-");
            try {
                Files.write(root.resolve(FILE), new byte[1024]);
                train(List.of("serve", root.toString(), "--manage", "127.0.0.1:0"));
                for (CommandProvider provider : providers.get()) {
                    provider.trainingRuns(root).forEach(this::train);
                }
            } finally {
                Files.deleteIfExists(root.resolve(FILE));
                Files.delete(root);
            }
        } catch (IOException e) {
            throw Failure.failed("cannot write to the temporary folder: " + e.getMessage());
        }
    }

    @Override
    public void awaitStop(Server server) {
        Signals.exitOnFirstHaltOnSecond();
        try {
            request(server.port(), REPETITIONS, TrainingRun::requestAll);
            if (server.managementAddress() instanceof InetSocketAddress management) {
                request(management.getPort(), CONSOLE_REPETITIONS, TrainingRun::requestConsole);
            }
        } catch (IOException e) {
            throw Failure.failed("the training run got no response: " + e.getMessage());
        }
    }

    @FunctionalInterface
    private interface RequestSender {
        void send(OutputStream out, InputStream in) throws IOException;
    }

    private static void request(int port, int times, RequestSender sender) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.setTcpNoDelay(true);
            var in = new BufferedInputStream(socket.getInputStream());
            for (int i = 0; i < times; i++) {
                sender.send(socket.getOutputStream(), in);
            }
        }
    }

    private void train(List<String> command) {
        var silent =
                new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        var words = new ArrayList<>(command);
        words.addAll(List.of("--listen", "127.0.0.1:0"));
        int status = executor.execute(new Terminal(silent, System.err, false), this, words);
        if (status != 0) {
            throw Failure.failed("the training run of " + String.join(" ", words) + " failed");
        }
    }

    /// `serve` has only the file, and responds with 404 to the others, which are trained, too. Not
    /// `/db`: everything loaded here is loaded by every start, and a database has a thousand
    /// classes.
    private static void requestAll(OutputStream out, InputStream in) throws IOException {
        for (String path : new String[] {"/hello", "/hello-loop", "/block?ms=0", "/" + FILE}) {
            request("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n", out, in);
        }
        request("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\nhi", out, in);
    }

    private static void requestConsole(OutputStream out, InputStream in) throws IOException {
        for (String path : new String[] {"/console/state", "/explain", "/metrics"}) {
            request(
                    "GET "
                            + path
                            + " HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n\r\n",
                    out,
                    in);
        }
    }

    private static void request(String request, OutputStream out, InputStream in)
            throws IOException {
        out.write(request.getBytes(StandardCharsets.US_ASCII));
        int length = -1;
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            int colon = line.indexOf(':');
            if (colon > 0 && line.substring(0, colon).equalsIgnoreCase("Content-Length")) {
                length = Integer.parseInt(line.substring(colon + 1).strip());
            }
        }
        if (length < 0 || in.readNBytes(length).length != length) {
            throw new IOException(
                    "incomplete response to " + request.lines().findFirst().orElse(""));
        }
    }

    private static String line(InputStream in) throws IOException {
        var line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new IOException("the connection was closed");
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }
}
