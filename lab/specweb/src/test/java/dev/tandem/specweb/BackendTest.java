package dev.tandem.specweb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The pages' client, with simulators that misbehave.
@Timeout(60)
class BackendTest {
    private static final String CONTENT = "<pre>\n0\na&b\n</pre>";
    private static final String GOOD =
            "HTTP/1.1 200 OK\r\nContent-Length: " + CONTENT.length() + "\r\n\r\n" + CONTENT;

    private static final Executor ASIDE = task -> Thread.ofPlatform().daemon().start(task);

    private static Backend asking(ServerSocket simulator) {
        return new Backend("http://127.0.0.1:" + simulator.getLocalPort() + "/besim");
    }

    /// Responds to one query of a connection, and reports how many there were until its end.
    private static CompletableFuture<Integer> response(Socket socket, String... responses) {
        return CompletableFuture.supplyAsync(
                () -> {
                    int asked = 0;
                    try (socket) {
                        socket.setSoTimeout(20_000);
                        while (head(socket.getInputStream())) {
                            byte[] bytes = responses[asked].getBytes(StandardCharsets.US_ASCII);
                            socket.getOutputStream().write(bytes);
                            asked++;
                        }
                        return asked;
                    } catch (IOException e) {
                        throw new IllegalStateException(e);
                    }
                },
                ASIDE);
    }

    /// @return false at the stream's end
    private static boolean head(InputStream in) throws IOException {
        int newlines = 0;
        while (newlines < 2) {
            int next = in.read();
            if (next < 0) {
                return false;
            }
            newlines = next == '\n' ? newlines + 1 : next == '\r' ? newlines : 0;
        }
        return true;
    }

    private static CompletableFuture<List<List<String>>> asked(Backend backend) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return backend.query(1, 2, List.of("x"));
                    } catch (IOException e) {
                        throw new IllegalStateException(e);
                    }
                },
                ASIDE);
    }

    @Test
    void connection_isKeptAndClosedAtTheEnd() throws Exception {
        try (var simulator = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
            Backend backend = asking(simulator);
            var first = asked(backend);
            var connection = response(simulator.accept(), GOOD, GOOD);
            assertEquals(List.of(List.of("a", "b")), first.get(20, TimeUnit.SECONDS));
            assertEquals(List.of(List.of("a", "b")), backend.query(1, 2, List.of()));
            backend.close();
            assertEquals(2, connection.get(20, TimeUnit.SECONDS));
        }
    }

    @Test
    void responseWithoutALength_failsAndClosesItsConnection() throws Exception {
        String broken = "HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n" + CONTENT;
        try (var simulator = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
                Backend backend = asking(simulator)) {
            var question = CompletableFuture.supplyAsync(() -> failure(backend), ASIDE);
            var connection = response(simulator.accept(), broken);
            String says = String.valueOf(question.get(20, TimeUnit.SECONDS).getMessage());
            assertEquals("the simulator responds with HTTP/1.1 200 OK", says);
            assertEquals(1, connection.get(20, TimeUnit.SECONDS), "and was closed");
        }
    }

    /// Surplus bytes would be the response to the next user's query.
    @Test
    void responseWithSurplusBytes_fails() throws Exception {
        try (var simulator = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
                Backend backend = asking(simulator)) {
            var question = CompletableFuture.supplyAsync(() -> failure(backend), ASIDE);
            var connection = response(simulator.accept(), GOOD + GOOD);
            String says = String.valueOf(question.get(20, TimeUnit.SECONDS).getMessage());
            assertEquals("the simulator sent bytes after its response", says);
            assertEquals(1, connection.get(20, TimeUnit.SECONDS), "and was closed");
        }
    }

    /// It comes when the connection is kept already, before the next question.
    @Test
    void surplusThatComesLater_isNotTheNextResponse() throws Exception {
        String planted = GOOD.replace("a&b", "x&y");
        try (var simulator = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
            Backend backend = asking(simulator);
            var first = asked(backend);
            try (Socket kept = simulator.accept()) {
                head(kept.getInputStream());
                kept.getOutputStream().write(GOOD.getBytes(StandardCharsets.US_ASCII));
                assertEquals(List.of(List.of("a", "b")), first.get(20, TimeUnit.SECONDS));
                kept.getOutputStream().write(planted.getBytes(StandardCharsets.US_ASCII));
                var second = asked(backend);
                simulator.setSoTimeout(20_000);
                var connection = CompletableFuture.supplyAsync(() -> accepted(simulator), ASIDE);
                assertEquals(List.of(List.of("a", "b")), second.get(20, TimeUnit.SECONDS));
                backend.close();
                assertEquals(1, connection.get(20, TimeUnit.SECONDS));
            }
        }
    }

    private static int accepted(ServerSocket simulator) {
        try {
            return response(simulator.accept(), GOOD).join();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void endlessHeaders_fail() throws Exception {
        String endless = "HTTP/1.1 200 OK\r\n" + "a: b\r\n".repeat(200);
        try (var simulator = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
                Backend backend = asking(simulator)) {
            var question = CompletableFuture.supplyAsync(() -> failure(backend), ASIDE);
            Socket connection = simulator.accept();
            connection.getOutputStream().write(endless.getBytes(StandardCharsets.US_ASCII));
            String says = String.valueOf(question.get(20, TimeUnit.SECONDS).getMessage());
            assertEquals("the simulator's response has endless headers", says);
            connection.close();
        }
    }

    private static IOException failure(Backend backend) {
        return assertThrows(IOException.class, () -> backend.query(1, 2, List.of()));
    }

    /// A client of a stopping server must not outlive it.
    @Test
    void responseAfterClose_leavesNoConnection() throws Exception {
        try (var simulator = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
            Backend backend = asking(simulator);
            var question = asked(backend);
            Socket connection = simulator.accept();
            backend.close();
            var served = response(connection, GOOD);
            question.get(20, TimeUnit.SECONDS);
            assertEquals(1, served.get(20, TimeUnit.SECONDS), "and was closed");
        }
    }
}
