package dev.tandem.spring;

import dev.tandem.testkit.FreePort;
import dev.tandem.testkit.Patience;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/// A real Redis installed on this machine, on a free port, without persistence.
final class RedisServer implements AutoCloseable {
    private static final String PROGRAM = "redis-server";

    private final Path folder;
    private final int port;
    private Process process;

    private RedisServer(Path folder, int port) throws IOException {
        this.folder = folder;
        this.port = port;
        this.process = launch(folder, port);
    }

    /// Returns whether it is installed.
    static boolean isHere() {
        return Arrays.stream(System.getenv("PATH").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, PROGRAM)));
    }

    /// @param folder for its log
    static RedisServer start(Path folder) throws Exception {
        var server = new RedisServer(folder, FreePort.find());
        server.awaitResponse();
        return server;
    }

    private static Process launch(Path folder, int port) throws IOException {
        List<String> command =
                List.of(PROGRAM, "--port", "" + port, "--bind", "127.0.0.1", "--save", "");
        return new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
    }

    private void awaitResponse() throws IOException {
        try {
            Patience.until("it responds", this::isThere);
        } catch (AssertionError e) {
            close();
            throw new IOException(Files.readString(folder.resolve("log")), e);
        }
    }

    /// Starts it again at the same port, without what it knew.
    void startAgain() throws IOException {
        process = launch(folder, port);
        awaitResponse();
    }

    private boolean isThere() {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(5_000);
            socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
            return socket.getInputStream().read() == '+';
        } catch (IOException e) {
            return false;
        }
    }

    String url() {
        return "redis://127.0.0.1:" + port;
    }

    @Override
    public void close() {
        stop();
    }

    void stop() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
