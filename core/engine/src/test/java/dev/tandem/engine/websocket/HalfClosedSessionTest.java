package dev.tandem.engine.websocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.http.WebSocket;
import dev.tandem.http.WebSocketMessage;
import dev.tandem.http.WebSocketOptions;
import dev.tandem.http.websocket.CloseReason;
import dev.tandem.http.websocket.MessageLimits;
import dev.tandem.http.websocket.Opcode;
import dev.tandem.testkit.Patience;
import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Clients that end their half of the connection (FIN) without a close frame, and keep the other
/// half: such a session is over (RFC 6455, section 7.1.5), and holds nothing.
class HalfClosedSessionTest {
    private static final int PATIENCE_SECONDS = 20;
    private static final int MIB = 1 << 20;
    private static final Duration STALL = Duration.ofMillis(300);

    private final Queue<WebSocket> sessions = new ConcurrentLinkedQueue<>();
    private final Queue<CloseReason> closed = new ConcurrentLinkedQueue<>();
    private final CountDownLatch release = new CountDownLatch(1);
    private Server server;

    @BeforeEach
    void start() throws IOException {
        WebSocketOptions options =
                WebSocketOptions.DEFAULT
                        .withUnsentMax(MIB)
                        .withLimits(new MessageLimits(MIB, 1024));
        server =
                Tandem.listen("127.0.0.1", 0)
                        .options(Options.DEFAULT.withTimeouts(t -> t.withWriteStall(STALL)))
                        .webSocket("/echo", this::echo, options)
                        .webSocket("/wait", this::waiting, options)
                        .start();
    }

    @AfterEach
    void stop() {
        release.countDown();
        server.stop(Duration.ofSeconds(PATIENCE_SECONDS));
        awaitNoMemory();
    }

    private static void awaitNoMemory() {
        Patience.until(
                "its memory is given back",
                () -> SessionMemory.INPUT.bytes() + SessionMemory.OUTPUT.bytes() == 0);
    }

    private void echo(WebSocket session) {
        session.onText(session::send);
        session.onClose(closed::add);
        sessions.add(session);
    }

    private void waiting(WebSocket session) {
        session.onText(
                text -> {
                    sessions.add(session);
                    assertTrue(release.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
                    session.send(text);
                });
        session.onClose(closed::add);
    }

    private SessionClient open(String path) throws IOException {
        return SessionClient.open(server.address(), path);
    }

    private void awaitAbnormalEnd() {
        Patience.until("over", () -> !closed.isEmpty());
        assertEquals(CloseReason.ABNORMAL, closed.element().code());
        assertEquals(1, closed.size());
        awaitNoMemory();
    }

    @Test
    void silentSessionIsOver() throws IOException {
        try (SessionClient client = open("/echo")) {
            assertEquals("81 hi", client.text("hi").frame());
            client.raw().halfClose();
            assertEquals(0, client.raw().rest().length);
            awaitAbnormalEnd();
        }
    }

    @Test
    void messageBeforeTheEndIsHandled() throws IOException {
        try (SessionClient client = open("/echo")) {
            client.text("last").raw().halfClose();
            assertEquals("81 last", client.frame());
            assertEquals(0, client.raw().rest().length);
            awaitAbnormalEnd();
        }
    }

    @Test
    void incompleteMessageIsForgotten() throws IOException {
        try (SessionClient client = open("/echo")) {
            byte[] frame = SessionClient.frame(Opcode.TEXT, true, new byte[MIB]);
            client.send(Arrays.copyOf(frame, frame.length - 1));
            Patience.until("it is held", () -> SessionMemory.INPUT.bytes() > MIB / 2);
            client.raw().halfClose();
            assertEquals(0, client.raw().rest().length);
            awaitAbnormalEnd();
        }
    }

    @Test
    void handlerThatRunsEndsFirst() throws IOException {
        try (SessionClient client = open("/wait")) {
            client.text("hi").raw().halfClose();
            Patience.until("it runs", () -> !sessions.isEmpty());
            assertTrue(closed.isEmpty());
            release.countDown();
            assertEquals("81 hi", client.frame());
            assertEquals(0, client.raw().rest().length);
            awaitAbnormalEnd();
        }
    }

    /// It is not read from, so its end is not seen: it has as long as others that read nothing.
    @Test
    void fullSessionWhoseClientReadsNothingIsDisconnected() throws IOException {
        var message = WebSocketMessage.binary(new byte[4 * MIB]);
        try (SessionClient client = open("/echo")) {
            Patience.until("open", () -> !sessions.isEmpty());
            while (sessions.element().trySend(message)) {
                assertTrue(SessionMemory.OUTPUT.bytes() < 64 * MIB, "no bound");
            }
            try {
                client.raw().halfClose();
            } catch (SocketException e) {
                // On a busy machine it was disconnected before.
            }
            awaitAbnormalEnd();
        }
    }
}
