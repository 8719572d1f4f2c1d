package dev.tandem.engine.websocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.WebSocketGroup;
import dev.tandem.admission.ClientNetwork;
import dev.tandem.http.WebSocket;
import dev.tandem.http.WebSocketMessage;
import dev.tandem.http.websocket.CloseReason;
import dev.tandem.http.websocket.Opcode;
import dev.tandem.testkit.Patience;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Clients that do not read large messages: where there is no memory for them, these must not be
/// kept.
class UnreadMessageTest {
    private static final int LARGE = 1 << 20;

    private final Queue<WebSocket> sessions = new ConcurrentLinkedQueue<>();
    private final Queue<CloseReason> closed = new ConcurrentLinkedQueue<>();
    private Server server;

    @BeforeEach
    void start() throws IOException {
        server =
                Tandem.listen("127.0.0.1", 0)
                        .webSocket("/echo", this::echo)
                        .webSocket("/welcome", this::welcome)
                        .start();
    }

    @AfterEach
    void stop() {
        server.stop(Duration.ZERO);
        Patience.until("its memory is given back", () -> FullMemory.used() == 0);
    }

    private void echo(WebSocket session) {
        session.onBinary(session::send);
        session.onClose(closed::add);
        sessions.add(session);
    }

    private void welcome(WebSocket session) throws IOException {
        echo(session);
        session.send(new byte[LARGE]);
    }

    private SessionClient open(String path) throws IOException {
        return SessionClient.open(server.address(), path);
    }

    private void awaitAbnormalEnd() {
        Patience.until("it has ended", () -> !closed.isEmpty());
        assertEquals(CloseReason.ABNORMAL, closed.remove().code());
    }

    private void awaitHeld(int count) {
        Patience.until("held", () -> FullMemory.used() > count * (LARGE * 3L / 4));
    }

    @Test
    void echoEndsTheSessionWithoutMemory() throws IOException {
        try (SessionClient client = open("/echo");
                FullMemory _ = FullMemory.ofOutputTwice()) {
            client.send(SessionClient.frame(Opcode.BINARY, true, new byte[LARGE]));
            awaitAbnormalEnd();
        }
    }

    @Test
    void firstMessageEndsTheSessionWithoutMemory() throws IOException {
        try (FullMemory _ = FullMemory.ofOutputTwice();
                SessionClient _ = open("/welcome")) {
            awaitAbnormalEnd();
        }
    }

    @Test
    void messageOfAnotherThreadEndsTheSessionWithoutMemory() throws IOException {
        try (SessionClient _ = open("/echo");
                FullMemory _ = FullMemory.ofOutputTwice()) {
            Patience.until("open", () -> !sessions.isEmpty());
            assertTrue(sessions.element().trySend(WebSocketMessage.binary(new byte[LARGE])));
            awaitAbnormalEnd();
        }
    }

    @Test
    void messageIsKeptWhileThereIsMemory() throws IOException {
        try (SessionClient client = open("/welcome")) {
            awaitHeld(1);
            assertEquals(LARGE + 3, client.frame().length());
        }
        assertTrue(closed.isEmpty() || closed.remove().code() == CloseReason.ABNORMAL);
    }

    @Test
    void messageOfAnotherAddressIsKept() throws IOException {
        long loopback = ClientNetwork.of(InetAddress.ofLiteral("127.0.0.1"));
        long most = SessionMemory.OUTPUT.most() * 3 / 2 + SessionMemory.FREE;
        long filled = SessionMemory.OUTPUT.count(loopback, 0, most);
        try (SessionClient other =
                        SessionClient.openFrom(
                                InetAddress.ofLiteral("127.0.0.2"), server.address(), "/welcome");
                SessionClient _ = open("/welcome")) {
            awaitAbnormalEnd();
            assertEquals(LARGE + 3, other.frame().length());
        } finally {
            SessionMemory.OUTPUT.count(loopback, filled, 0);
        }
    }

    @Test
    void clientThatReadsGetsAllWithoutMemory() throws IOException {
        try (SessionClient client = open("/echo");
                FullMemory _ = FullMemory.ofOutput()) {
            for (int i = 0; i < 100; i++) {
                client.send(SessionClient.frame(Opcode.BINARY, true, new byte[8192]));
                assertEquals(8192 + 3, client.frame().length());
            }
        }
    }

    /// The message is in memory once, however many get it.
    @Test
    void memberOfAGroupStaysWithoutMemory() throws IOException {
        var group = new WebSocketGroup(WebSocketGroup.Slow.SKIP);
        try (SessionClient client = open("/echo");
                FullMemory _ = FullMemory.ofOutputTwice()) {
            Patience.until("open", () -> !sessions.isEmpty());
            group.add(sessions.element());
            assertTrue(group.broadcast(WebSocketMessage.binary(new byte[LARGE / 2])));
            assertTrue(group.broadcast(WebSocketMessage.binary(new byte[LARGE / 2])));
            assertEquals(LARGE / 2 + 3, client.frame().length());
        }
    }
}
