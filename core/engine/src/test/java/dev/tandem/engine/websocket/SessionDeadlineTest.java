package dev.tandem.engine.websocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.engine.MemoryServer;
import dev.tandem.http.Handler;
import dev.tandem.http.Router;
import dev.tandem.http.WebSocket;
import dev.tandem.http.WebSocketHandler;
import dev.tandem.http.WebSocketMessage;
import dev.tandem.http.WebSocketOptions;
import dev.tandem.http.websocket.CloseReason;
import dev.tandem.http.websocket.Opcode;
import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.MemoryPipe;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.WireText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The deadlines of sessions over HTTP/1.1, by a clock that stands still until it is moved.
class SessionDeadlineTest {
    private static final Duration HALF_SILENCE = WebSocketOptions.DEFAULT.silenceMax().dividedBy(2);
    private static final Duration STALL = Options.DEFAULT.timeouts().writeStall();
    private static final Duration PATIENCE = Duration.ofNanos(SessionMemory.PATIENCE_NANOS);
    private static final Duration SECOND = Duration.ofSeconds(1);

    /// Bytes that the client's side takes before it reads.
    private static final int SMALL = 64;

    private static final int MANY = 100;

    private static final String REQUEST =
            """
             HTTP/1.1
            Host: a
            Connection: Upgrade
            Upgrade: websocket
            Sec-WebSocket-Version: 13
            Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==

            """;

    private final Queue<WebSocket> sessions = new ConcurrentLinkedQueue<>();
    private final Queue<Integer> closed = new ConcurrentLinkedQueue<>();
    private final AtomicInteger handled = new AtomicInteger();
    private final CountDownLatch release = new CountDownLatch(1);
    private MemoryServer server;

    /// Until a test opens another: one of no server.
    private MemoryPipe pipe = new MemoryPipe(1, 1, () -> {});

    @BeforeEach
    void start() {
        Router routes =
                Router.builder()
                        .add("GET", "/echo", session(this::echo))
                        .add("GET", "/long", session(this::takeLong))
                        .add("GET", "/close", session(this::closing))
                        .add("GET", "/wait", session(this::waiting))
                        .build();
        server = new MemoryServer(Options.DEFAULT, routes);
    }

    @AfterEach
    void stop() {
        release.countDown();
        server.close();
    }

    private static Handler session(WebSocketHandler handler) {
        return x -> x.webSocket(handler, WebSocketOptions.DEFAULT);
    }

    private void echo(WebSocket session) {
        sessions.add(session);
        session.onText(session::send);
    }

    private void takeLong(WebSocket session) {
        session.onText(
                text -> {
                    pass(HALF_SILENCE.multipliedBy(5));
                    session.send(text);
                });
    }

    private void closing(WebSocket session) {
        session.onClose(reason -> closed.add(reason.code()));
        session.onText(
                _ -> {
                    handled.incrementAndGet();
                    session.close(CloseReason.of(CloseReason.NORMAL));
                });
    }

    private void waiting(WebSocket session) {
        session.onText(
                text -> {
                    handled.incrementAndGet();
                    assertTrue(release.await(20, TimeUnit.SECONDS));
                    session.send(text);
                });
    }

    private void pass(Duration time) {
        server.clock().advance(time);
    }

    // ---- The client.

    /// Opens a session that its loop has.
    private void open(String path, int toClient) throws IOException {
        pipe = server.connect(toClient);
        send(WireText.bytes("GET " + path + REQUEST));
        var head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) bytes(1)[0]);
        }
        assertTrue(head.indexOf(" 101 ") > 0, head.toString());
        awaitSilence();
    }

    /// Waits until no worker has the session.
    private void awaitSilence() throws IOException {
        server.awaitRest();
        server.iterate();
    }

    private void send(byte[] bytes) throws IOException {
        assertEquals(bytes.length, pipe.toServer().offer(bytes, 0, bytes.length));
        server.iterateUntil("it is taken", () -> pipe.toServer().size() == 0);
    }

    private void text(String text) throws IOException {
        byte[] payload = text.getBytes(StandardCharsets.UTF_8);
        send(SessionClient.frame(Opcode.TEXT, true, payload));
    }

    private byte[] bytes(int count) throws IOException {
        var all = new byte[count];
        int at = 0;
        while (at < count) {
            server.iterateUntil("output", () -> pipe.toClient().isReadable());
            int some = pipe.toClient().take(all, at, count - at);
            assertTrue(some > 0, "ended");
            at += some;
        }
        return all;
    }

    /// Returns a short frame as `81 text`, a longer one as `82 1000 bytes`.
    private String frame() throws IOException {
        byte[] begin = bytes(2);
        String first = Integer.toHexString(begin[0] & 0xFF) + " ";
        if (begin[1] == 126) {
            int length = ByteBuffer.wrap(bytes(2)).getShort() & 0xFFFF;
            return first + bytes(length).length + " bytes";
        }
        return first + new String(bytes(begin[1]), StandardCharsets.UTF_8);
    }

    private void assertDisconnected() throws IOException {
        server.iterateUntil("its end", () -> server.connections() == 0);
        assertTrue(pipe.toClient().isEnded());
    }

    private WebSocketMessage message(int length) {
        return WebSocketMessage.binary(new byte[length]);
    }

    // ---- Silence.

    /// It gets a ping after half of the time, and is disconnected after all of it.
    @Test
    void silentClientIsPingedThenDisconnected() throws IOException {
        open("/echo", 1024);
        pass(HALF_SILENCE.minus(SECOND));
        server.iterate();
        assertFalse(pipe.toClient().isReadable());
        pass(SECOND.multipliedBy(2));
        assertEquals("89 ", frame());
        pass(HALF_SILENCE.minus(SECOND.multipliedBy(2)));
        server.iterate();
        assertFalse(pipe.toClient().isEnded());
        pass(SECOND.multipliedBy(3));
        assertDisconnected();
    }

    @Test
    void clientThatRespondsToPingsIsKept() throws IOException {
        open("/echo", 1024);
        for (int i = 0; i < 5; i++) {
            pass(HALF_SILENCE.plus(SECOND));
            assertEquals("89 ", frame());
            send(SessionClient.frame(Opcode.PONG, true, new byte[0]));
        }
        text("hi");
        assertEquals("81 hi", frame());
    }

    /// As after a pause of the whole process.
    @Test
    void clientOfALoopThatWasHeldUpIsPingedFirst() throws IOException {
        open("/echo", 1024);
        pass(HALF_SILENCE.multipliedBy(5));
        assertEquals("89 ", frame());
        send(SessionClient.frame(Opcode.PONG, true, new byte[0]));
        pass(HALF_SILENCE.minus(SECOND));
        server.iterate();
        assertFalse(pipe.toClient().isEnded());
    }

    /// While its message is handled, nothing of the client is read: it cannot be heard.
    @Test
    void clientWhoseMessageWasHandledForLongIsNotSilent() throws IOException {
        open("/long", 1024);
        text("hi");
        assertEquals("81 hi", frame());
        awaitSilence();
        pass(HALF_SILENCE.minus(SECOND));
        server.iterate();
        assertFalse(pipe.toClient().isReadable());
        pass(SECOND.multipliedBy(2));
        assertEquals("89 ", frame());
    }

    // ---- Slow clients.

    @Test
    void clientThatReadsNothingIsDisconnected() throws IOException {
        open("/echo", SMALL);
        assertTrue(sessions.element().trySend(message(1000)));
        server.iterateUntil("full", () -> pipe.toClient().size() == SMALL);
        pass(STALL.plus(SECOND));
        assertDisconnected();
    }

    /// One that was slow once, and has read all since, stays connected.
    @Test
    void clientThatHasReadAllIsNotDisconnectedAsStalled() throws IOException {
        open("/echo", SMALL);
        assertTrue(sessions.element().trySend(message(1000)));
        assertTrue(sessions.element().trySend(message(2000)));
        server.iterateUntil("full", () -> pipe.toClient().size() == SMALL);
        text("hi"); // its echo waits behind them
        assertEquals("82 1000 bytes", frame());
        assertEquals("82 2000 bytes", frame());
        assertEquals("81 hi", frame());
        awaitSilence();
        pass(STALL.multipliedBy(2));
        server.iterate();
        text("still");
        assertEquals("81 still", frame());
    }

    /// It takes longer than a stall may last for messages of which each is shorter than the first
    /// one.
    @Test
    void clientThatReadsSlowlyIsNotDisconnectedAsStalled() throws IOException {
        open("/echo", SMALL);
        assertTrue(sessions.element().trySend(message(2000)));
        assertTrue(sessions.element().trySend(message(1000)));
        int left = 4 + 2000 + 4 + 1000;
        while (left > 0) {
            left -= bytes(Math.min(left, SMALL)).length;
            pass(STALL.dividedBy(2));
        }
        text("all");
        assertEquals("81 all", frame());
    }

    // ---- The end.

    @Test
    void clientThatDoesNotCloseIsDisconnected() throws IOException {
        open("/echo", 1024);
        sessions.element().close(CloseReason.of(CloseReason.NORMAL));
        server.iterateUntil("a close frame", () -> pipe.toClient().size() > 0);
        assertEquals((byte) 0x88, bytes(1)[0]);
        pass(WebSocketOptions.DEFAULT.closeMax().plus(SECOND));
        assertDisconnected();
    }

    /// More messages are there than are handled at once.
    private void sendMany() throws IOException {
        var all = new ByteArrayOutputStream();
        for (int i = 0; i < MANY; i++) {
            all.writeBytes(SessionClient.frame(Opcode.TEXT, true, new byte[] {'m'}));
        }
        send(all.toByteArray());
    }

    /// Between its messages the loop may have no time to wait for it.
    @Test
    void clientThatSendsOnAfterACloseIsDisconnected() throws IOException {
        open("/close", 1024);
        sendMany();
        assertEquals((byte) 0x88, bytes(4)[0]);
        awaitSilence();
        Duration left = WebSocketOptions.DEFAULT.closeMax();
        while (left.compareTo(SECOND) > 0) {
            sendMany();
            pass(SECOND);
            left = left.minus(SECOND);
        }
        server.iterate();
        assertFalse(pipe.toClient().isEnded());
        sendMany();
        pass(SECOND.multipliedBy(2));
        assertDisconnected();
        assertEquals(1, handled.get());
        Patience.until("its end", () -> !closed.isEmpty());
        assertEquals(List.of(CloseReason.ABNORMAL), List.copyOf(closed));
    }

    @Test
    void stopEndsASessionWhoseClientSendsOn() throws IOException {
        open("/wait", 1024);
        sendMany();
        server.iterateUntil("it is handled", () -> handled.get() == 1);
        server.engine().beginToStop();
        server.loop().announceStop();
        server.iterate();
        try (var log = LogCapture.of("dev.tandem.engine")) {
            release.countDown();
            int echoes = 0;
            byte[] next = bytes(3);
            for (; next[0] == (byte) 0x81; next = bytes(3)) {
                echoes++;
            }
            assertEquals((byte) 0x88, next[0]);
            sendMany();
            awaitSilence();
            pass(WebSocketOptions.DEFAULT.closeMax().plus(SECOND));
            assertDisconnected();
            assertTrue(echoes < MANY, "all were handled");
            assertEquals(echoes, handled.get());
            assertEquals(List.of(), log.lines());
        }
    }

    // ---- Without memory.

    @Test
    void clientThatDoesNotTakeAMessageHasLittleTimeWithoutMemory() throws IOException {
        open("/echo", SMALL);
        try (FullMemory _ = FullMemory.ofOutput()) {
            text("t".repeat(10_000));
            server.iterateUntil("full", () -> pipe.toClient().size() == SMALL);
            awaitSilence();
            pass(PATIENCE.minus(SECOND));
            bytes(1);
            server.iterate();
            assertFalse(pipe.toClient().isEnded());
            pass(SECOND.multipliedBy(2));
            assertDisconnected();
        }
    }

    @Test
    void clientThatHasTakenAMessageIsKept() throws IOException {
        open("/echo", SMALL);
        try (FullMemory _ = FullMemory.ofOutput()) {
            text("t".repeat(10_000));
            assertEquals("81 10000 bytes", frame());
            awaitSilence();
            pass(PATIENCE.multipliedBy(2));
            text("hi");
            assertEquals("81 hi", frame());
        }
    }
}
