package dev.tandem.engine.websocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.engine.LoopThread;
import dev.tandem.http.WebSocket;
import dev.tandem.http.WebSocketMessage;
import dev.tandem.http.WebSocketOptions;
import dev.tandem.http.websocket.CloseReason;
import dev.tandem.http.websocket.MessageLimits;
import dev.tandem.http.websocket.Opcode;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Sessions whose client reads slowly, or whose handlers run on the loop's thread. What the clock
/// decides of them is [SessionDeadlineTest]'s.
class SessionFlowTest {
    private static final int PATIENCE_SECONDS = 20;
    private static final int MIB = 1 << 20;
    private static final WebSocketMessage BIG = WebSocketMessage.binary(new byte[8 * MIB]);

    private final Queue<WebSocket> sessions = new ConcurrentLinkedQueue<>();
    private final AtomicInteger handled = new AtomicInteger();
    private final AtomicBoolean isClosing = new AtomicBoolean();
    private final AtomicBoolean isClosed = new AtomicBoolean();
    private final AtomicBoolean isOnLoop = new AtomicBoolean();
    private final CountDownLatch release = new CountDownLatch(1);
    private Server server;

    @BeforeEach
    void start() throws IOException {
        WebSocketOptions options = WebSocketOptions.DEFAULT;
        server =
                Tandem.listen("127.0.0.1", 0)
                        .options(Options.DEFAULT.withThreads(t -> t.withLoops(1)))
                        .webSocket("/flood", this::flooding, options.withUnsentMax(1024))
                        .webSocket("/tiny", sessions::add, options.withUnsentMax(65_536))
                        .webSocket("/echo", this::echoing, options.withUnsentMax(64 * MIB))
                        .webSocket("/closing", this::closing)
                        .webSocket("/short", this::welcoming)
                        .webSocket(
                                "/error",
                                _ -> {
                                    throw new AssertionError("as a test wants");
                                })
                        .start();
    }

    @AfterEach
    void stop() {
        release.countDown();
        server.stop(Duration.ofSeconds(PATIENCE_SECONDS));
        Patience.until("its memory is given back", () -> FullMemory.used() == 0);
    }

    private SessionClient open(String path) throws IOException {
        return SessionClient.open(server.address(), path);
    }

    private static byte[] messages(int count) {
        var all = new ByteArrayOutputStream();
        for (int i = 0; i < count; i++) {
            all.writeBytes(SessionClient.frame(Opcode.TEXT, true, new byte[] {'m'}));
        }
        return all.toByteArray();
    }

    private void echoing(WebSocket session) {
        sessions.add(session);
        session.onText(session::send);
    }

    // ---- Slow clients.

    private void flooding(WebSocket session) {
        var filler = WebSocketMessage.binary(new byte[2048]);
        session.onText(
                _ -> {
                    int count = handled.incrementAndGet();
                    if (count == 1) {
                        session.trySend(BIG);
                    } else if (count > 32) {
                        session.trySend(filler);
                    }
                });
    }

    /// While too much waits for the client, its messages wait, too; and are handled when it has
    /// read.
    @Test
    void messagesThatWaitedForTheirSlowClientAreHandled() throws IOException {
        int count = 200;
        try (SessionClient client = open("/flood")) {
            client.send(messages(count));
            Patience.until("full", () -> handled.get() > 32);
            assertEquals(3 + 8 * MIB, client.frame().length());
            while (handled.get() < count) {
                assertEquals(3 + 2048, client.frame().length());
            }
        }
        assertEquals(count, handled.get());
    }

    /// Each takes far more memory than its three bytes.
    @Test
    void tinyMessagesThatWaitAreCountedWithTheirMemory() throws IOException {
        var tiny = WebSocketMessage.binary(new byte[1]);
        try (SessionClient client = open("/tiny")) {
            Patience.until("open", () -> !sessions.isEmpty());
            WebSocket session = sessions.element();
            assertTrue(session.trySend(BIG));
            Patience.until("the loop has taken it", () -> session.trySend(tiny));
            int waiting = 0;
            while (session.trySend(tiny)) {
                waiting++;
                assertTrue(waiting < 65_536 / 64, "no bound");
            }
            assertEquals(3 + 8 * MIB, client.frame().length());
            assertEquals("82 \0", client.frame());
        }
    }

    /// More clients that read nothing than there are workers: handlers whose sessions are not full
    /// do not wait, and full ones are not read from.
    @Test
    void slowClientsDelayNoOther() throws IOException {
        byte[] flood = SessionClient.frame(Opcode.TEXT, true, new byte[MIB]);
        Server few =
                Tandem.listen("127.0.0.1", 0)
                        .options(
                                Options.DEFAULT.withThreads(
                                        t -> t.withLoops(1).withWorkersMax(2).withWorkersMin(2)))
                        .webSocket(
                                "/echo",
                                s -> s.onText(s::send),
                                WebSocketOptions.DEFAULT.withLimits(new MessageLimits(2 * MIB, 10)))
                        .start();
        var slow = new ArrayList<SessionClient>();
        try (SessionClient other = SessionClient.open(few.address(), "/echo")) {
            for (int i = 0; i < 6; i++) {
                SessionClient client = SessionClient.open(few.address(), "/echo");
                slow.add(client);
                Thread.ofVirtual().start(() -> sendUntilClosed(client, flood));
            }
            for (int i = 0; i < 200; i++) {
                assertEquals("81 hi", other.text("hi").frame());
            }
        } finally {
            for (SessionClient client : slow) {
                client.close();
            }
            few.stop(Duration.ZERO);
        }
    }

    private static void sendUntilClosed(SessionClient client, byte[] flood) {
        try {
            while (true) {
                client.send(flood);
            }
        } catch (IOException e) {
            // It is closed.
        }
    }

    /// The client reads no pong while it sends pings, whose pongs need more than the kernel takes.
    @Test
    void pongsOfAClientThatDoesNotReadAreBounded() throws IOException {
        var pings = new ByteArrayOutputStream();
        int count = 100_000;
        for (int i = 0; i < count; i++) {
            byte[] payload = ("%0125d".formatted(i)).getBytes(StandardCharsets.US_ASCII);
            pings.writeBytes(SessionClient.frame(Opcode.PING, true, payload));
        }
        try (SessionClient client = open("/echo")) {
            client.send(pings.toByteArray());
            client.text("end");
            String newest = "8a %0125d".formatted(count - 1);
            int pongs = 0;
            boolean isEnd = false;
            boolean isNewest = false;
            while (!isEnd || !isNewest) {
                String frame = client.frame();
                isEnd |= frame.equals("81 end");
                isNewest |= frame.equals(newest);
                pongs += frame.startsWith("8a ") ? 1 : 0;
            }
            assertTrue(pongs < count, "each of them was kept");
        }
    }

    // ---- The memory of all sessions.

    @Test
    void incompleteMessageIsRefusedWithoutMemoryAndAShortOneIsNot() throws IOException {
        try (SessionClient large = open("/echo");
                SessionClient small = open("/echo")) {
            try (FullMemory _ = FullMemory.ofInput()) {
                assertEquals("81 hi", small.text("hi").frame());
                byte[] frame = SessionClient.frame(Opcode.TEXT, true, new byte[100_000]);
                large.send(Arrays.copyOf(frame, frame.length - 1));
                assertEquals("88 1013too little memory", large.frame());
            }
        }
    }

    @Test
    void clientsThatDoNotReadKeepNoOtherFromSending() throws IOException {
        String text = "t".repeat(100_000);
        try (SessionClient client = open("/echo")) {
            try (FullMemory _ = FullMemory.ofOutput()) {
                byte[] frame = SessionClient.frame(Opcode.TEXT, true, text.getBytes());
                client.send(Arrays.copyOf(frame, frame.length / 2));
                client.send(Arrays.copyOfRange(frame, frame.length / 2, frame.length));
                assertEquals("81 " + text, client.frame());
            }
        }
    }

    @Test
    void clientThatDoesNotReadHasLessWithoutMemory() throws IOException {
        try (SessionClient slow = open("/echo")) {
            Patience.until("open", () -> !sessions.isEmpty());
            WebSocket full = sessions.element();
            try (FullMemory _ = FullMemory.ofOutput();
                    SessionClient quick = open("/echo")) {
                var message = WebSocketMessage.binary(new byte[SessionMemory.FREE]);
                long sent = 0;
                while (full.trySend(message)) {
                    sent += SessionMemory.FREE;
                    assertTrue(sent < 16 * MIB, "no bound");
                }
                assertEquals("81 hi", quick.text("hi").frame());
            }
            assertTrue(slow.frame().startsWith("82 "));
        }
    }

    // ---- Handlers of a session's end.

    private void closing(WebSocket session) {
        session.onClose(
                _ -> {
                    isClosing.set(true);
                    assertTrue(release.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
                    isClosed.set(true);
                });
        session.close(CloseReason.of(CloseReason.NORMAL));
    }

    @Test
    void stoppingServerWaitsForHandlersOfClosedSessions() throws Exception {
        try (SessionClient client = open("/closing")) {
            assertEquals("88 1000", client.frame());
            client.close(1000);
            Patience.until("closed", isClosing::get);
            Duration grace = Duration.ofSeconds(PATIENCE_SECONDS);
            Thread stopping = Thread.ofPlatform().start(() -> server.stop(grace));
            assertFalse(stopping.join(Duration.ofMillis(300)), "it did not wait");
            release.countDown();
            stopping.join();
            assertTrue(isClosed.get());
        }
    }

    @Test
    void errorOfTheHandlerOfSessionsClosesWith1011() throws IOException {
        try (SessionClient client = open("/error")) {
            assertEquals("88 1011", client.frame());
        }
    }

    // ---- On the loop's thread.

    private void welcoming(WebSocket session) throws IOException {
        isOnLoop.set(Thread.currentThread() instanceof LoopThread);
        session.onText(_ -> handled.incrementAndGet());
        session.send("welcome");
    }

    /// What was gathered on the loop's thread is sent, though a part of a message follows the
    /// request.
    @Test
    void welcomeFromTheLoopIsSentBeforeTheMessageIsComplete() throws IOException {
        try (SessionClient client = open("/short")) {
            assertEquals("81 welcome", client.frame());
            int rounds = 0;
            while (!isOnLoop.get()) {
                assertTrue(++rounds < 50, "never short");
                int before = handled.get();
                client.send(messages(500));
                Patience.until("handled", () -> handled.get() == before + 500);
                byte[] begun = new byte[] {(byte) 0x81, (byte) 0x81, 0};
                try (RawClient raw = RawClient.connect(server.address())) {
                    raw.send(request(begun));
                    var all = new StringBuilder();
                    while (all.indexOf("welcome") < 0) {
                        byte[] some = raw.bytes(1);
                        assertEquals(1, some.length, "lost");
                        all.append((char) some[0]);
                    }
                }
            }
        }
    }

    private static byte[] request(byte[] following) {
        var both = new ByteArrayOutputStream();
        both.writeBytes(
                ("GET /short HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                                + "Sec-WebSocket-Version: 13\r\n"
                                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        both.writeBytes(following);
        return both.toByteArray();
    }
}
