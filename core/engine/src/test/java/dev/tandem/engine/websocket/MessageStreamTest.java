package dev.tandem.engine.websocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.http.WebSocket;
import dev.tandem.http.WebSocketOptions;
import dev.tandem.http.websocket.CloseReason;
import dev.tandem.http.websocket.Deflation;
import dev.tandem.http.websocket.MessageLimits;
import dev.tandem.http.websocket.Opcode;
import dev.tandem.testkit.Patience;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Messages that are read while they are received, over sockets.
class MessageStreamTest {
    private static final int PATIENCE_SECONDS = 20;
    private static final int MIB = 1 << 20;
    private static final String OFFER = "Sec-WebSocket-Extensions: permessage-deflate\n";

    private final Queue<WebSocket> sessions = new ConcurrentLinkedQueue<>();
    private final Queue<Integer> closed = new ConcurrentLinkedQueue<>();
    private final Queue<String> cut = new ConcurrentLinkedQueue<>();
    private final Queue<InputStream> kept = new ConcurrentLinkedQueue<>();
    private final CountDownLatch release = new CountDownLatch(1);
    private Server server;

    @BeforeEach
    void start() throws IOException {
        server = serve(Options.DEFAULT);
    }

    private Server serve(Options options) throws IOException {
        WebSocketOptions plain = WebSocketOptions.DEFAULT;
        MessageLimits limits = MessageLimits.DEFAULT;
        return Tandem.listen("127.0.0.1", 0)
                .options(options)
                .webSocket("/lines", this::lines)
                .webSocket(
                        "/length",
                        this::length,
                        plain.withLimits(limits.withMessageMax(10).withStreamMax(64 * MIB)))
                .webSocket("/short", this::length, plain.withLimits(limits.withStreamMax(100_000)))
                .webSocket("/first", this::first)
                .webSocket("/echo", session -> session.onText(session::send))
                .start();
    }

    @AfterEach
    void stop() {
        release.countDown();
        server.stop(Duration.ofSeconds(PATIENCE_SECONDS));
    }

    /// Echoes each line of a text as a message.
    private void lines(WebSocket session) {
        sessions.add(session);
        session.onClose(reason -> closed.add(reason.code()));
        session.onTextStream(
                text -> {
                    try {
                        var lines = new BufferedReader(text);
                        for (String line = lines.readLine(); line != null; ) {
                            session.send(line);
                            line = lines.readLine();
                        }
                        session.send("end");
                    } catch (IOException e) {
                        cut.add(e.getMessage());
                        throw e;
                    }
                });
    }

    /// Sends each binary message's length and hash.
    private void length(WebSocket session) {
        session.onBinaryStream(
                content -> {
                    int first = content.read();
                    int hash = first < 0 ? 1 : 31 + (byte) first;
                    if (first == 'w') {
                        assertTrue(release.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
                    }
                    long length = first < 0 ? 0 : 1;
                    var some = new byte[3000];
                    for (int n = content.read(some); n >= 0; n = content.read(some)) {
                        length += n;
                        for (int i = 0; i < n; i++) {
                            hash = 31 * hash + some[i];
                        }
                    }
                    assertEquals(-1, content.read());
                    session.send(length + " " + hash);
                });
    }

    /// Reads one byte, or fails.
    private void first(WebSocket session) {
        session.onBinaryStream(
                content -> {
                    kept.add(content);
                    if (content.read() == 'f') {
                        throw new IOException("as a test wants");
                    }
                    session.send("first");
                });
        session.onText(session::send);
    }

    private SessionClient open(String path) throws IOException {
        return SessionClient.open(server.address(), path);
    }

    private static byte[] part(Opcode opcode, boolean isLast, String text) {
        return SessionClient.frame(opcode, isLast, text.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] bytes(int length) {
        var bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i * 31 >> 3);
        }
        return bytes;
    }

    private static String expected(byte[] content) {
        return "81 " + content.length + " " + Arrays.hashCode(content);
    }

    // ---- Reading.

    @Test
    void textIsReadWhileItsFragmentsCome() throws IOException {
        try (SessionClient client = open("/lines")) {
            client.send(part(Opcode.TEXT, false, "one\n"));
            assertEquals("81 one", client.frame());
            client.send(part(Opcode.CONTINUATION, false, "tw"));
            client.send(part(Opcode.PING, true, "p"));
            assertEquals("8a p", client.frame());
            client.send(part(Opcode.CONTINUATION, false, "ö\n"));
            assertEquals("81 twö", client.frame());
            client.send(part(Opcode.CONTINUATION, true, "three"));
            assertEquals("81 three", client.frame());
            assertEquals("81 end", client.frame());
            client.text("again");
            assertEquals("81 again", client.frame());
            assertEquals("81 end", client.frame());
        }
    }

    @Test
    void messagesAreReadHoweverTheyAreSplit() throws IOException {
        var all = new ByteArrayOutputStream();
        all.writeBytes(part(Opcode.TEXT, false, "a\nü"));
        all.writeBytes(part(Opcode.PING, true, ""));
        all.writeBytes(part(Opcode.CONTINUATION, false, ""));
        all.writeBytes(part(Opcode.CONTINUATION, true, "b"));
        all.writeBytes(part(Opcode.TEXT, true, ""));
        byte[] input = all.toByteArray();
        try (SessionClient client = open("/lines")) {
            for (int at = 1; at < input.length; at++) {
                client.send(Arrays.copyOf(input, at));
                client.send(Arrays.copyOfRange(input, at, input.length));
                var frames = new ArrayList<String>();
                for (int i = 0; i < 5; i++) {
                    String frame = client.frame();
                    if (!frame.equals("8a ")) {
                        frames.add(frame);
                    }
                }
                assertEquals("[81 a, 81 üb, 81 end, 81 end]", frames.toString());
            }
        }
    }

    @Test
    void compressedMessageIsReadAsItsFragmentsCome() throws IOException {
        byte[] content = bytes(300_000);
        try (var deflation = new Deflation(6);
                SessionClient client = SessionClient.open(server.address(), "/length", OFFER)) {
            byte[] deflated = deflation.deflate(ByteBuffer.wrap(content), 15);
            int third = deflated.length / 3;
            byte[] first =
                    SessionClient.frame(Opcode.BINARY, false, Arrays.copyOf(deflated, third));
            first[0] |= 0x40;
            client.send(first);
            client.send(
                    SessionClient.frame(
                            Opcode.CONTINUATION,
                            false,
                            Arrays.copyOfRange(deflated, third, 2 * third)));
            client.send(
                    SessionClient.frame(
                            Opcode.CONTINUATION,
                            true,
                            Arrays.copyOfRange(deflated, 2 * third, deflated.length)));
            assertEquals(expected(content), client.frame());
        }
    }

    /// What a handler does not read stays in the kernel's buffers, and then with the client.
    @Test
    void clientThatSendsMoreThanIsReadWaits() throws Exception {
        byte[] content = bytes(20 * MIB);
        content[0] = 'w';
        try (SessionClient client = open("/length")) {
            byte[] frame = SessionClient.frame(Opcode.BINARY, true, content);
            Thread sender =
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        try {
                                            client.send(frame);
                                        } catch (IOException e) {
                                            cut.add(e.toString());
                                        }
                                    });
            assertFalse(sender.join(Duration.ofMillis(200)), "all of it was received");
            assertTrue(SessionMemory.INPUT.bytes() < MIB);
            release.countDown();
            assertEquals(expected(content), client.frame());
            sender.join();
            assertEquals("[]", cut.toString());
        }
    }

    @Test
    void restThatAHandlerDoesNotReadIsSkipped() throws IOException {
        try (SessionClient client = open("/first")) {
            client.send(SessionClient.frame(Opcode.BINARY, false, bytes(100)));
            assertEquals("81 first", client.frame());
            client.send(SessionClient.frame(Opcode.CONTINUATION, false, bytes(200_000)));
            client.send(SessionClient.frame(Opcode.CONTINUATION, true, bytes(0)));
            assertEquals("81 next", client.text("next").frame());
            client.send(SessionClient.frame(Opcode.BINARY, true, bytes(2)));
            assertEquals("81 first", client.frame());
            assertThrows(IOException.class, kept.element()::read);
        }
    }

    // ---- Limits.

    @Test
    void streamIsBounded() throws IOException {
        try (SessionClient client = open("/short")) {
            byte[] longest = bytes(100_000);
            client.send(SessionClient.frame(Opcode.BINARY, true, longest));
            assertEquals(expected(longest), client.frame());
            client.send(SessionClient.frame(Opcode.BINARY, true, bytes(100_001)));
            assertEquals("88 1009message too large", client.frame());
        }
    }

    @Test
    void fragmentsOfAStreamAreBoundedByItsLength() throws IOException {
        int most = MessageLimits.DEFAULT.fragmentsMax();
        var all = new ByteArrayOutputStream();
        all.writeBytes(SessionClient.frame(Opcode.BINARY, false, bytes(1024)));
        for (int i = 1; i < most + 1; i++) {
            all.writeBytes(SessionClient.frame(Opcode.CONTINUATION, false, new byte[0]));
        }
        try (SessionClient client = open("/length")) {
            client.send(all.toByteArray());
            client.send(SessionClient.frame(Opcode.CONTINUATION, true, new byte[0]));
            assertEquals("88 1008too many fragments", client.frame());
        }
    }

    @Test
    void slowClientIsClosedWith1008() throws IOException {
        Server impatient =
                serve(
                        Options.DEFAULT.withTimeouts(
                                t -> t.withBodyGrace(Duration.ofMillis(50)).withBodyRateMin(1000)));
        try (SessionClient client = SessionClient.open(impatient.address(), "/lines")) {
            client.send(part(Opcode.TEXT, false, "a"));
            assertEquals("88 1008message too slow", client.frame());
        } finally {
            impatient.stop(Duration.ZERO);
        }
        assertEquals(1, cut.size());
    }

    /// More clients begin a message than there are workers: those that are served wait for them no
    /// longer than for a place.
    @Test
    void clientsThatBeginAMessageDelayNoOther() throws IOException {
        Server few =
                serve(
                        Options.DEFAULT.withThreads(
                                t -> t.withLoops(1).withWorkersMin(2).withWorkersMax(2)));
        var slow = new ArrayList<SessionClient>();
        try (SessionClient other = SessionClient.open(few.address(), "/echo")) {
            for (int i = 0; i < 12; i++) {
                SessionClient client = SessionClient.open(few.address(), "/lines");
                slow.add(client.send(part(Opcode.TEXT, false, "a")));
            }
            for (int i = 0; i < 50; i++) {
                assertEquals("81 hi", other.text("hi").frame());
            }
            Patience.until("all but two are disconnected", () -> closed.size() >= 10);
            assertEquals("81 hi", other.text("hi").frame());
        } finally {
            for (SessionClient client : slow) {
                client.close();
            }
            few.stop(Duration.ZERO);
        }
    }

    // ---- Ends.

    private SessionClient begun() throws IOException {
        SessionClient client = open("/lines");
        client.send(part(Opcode.TEXT, false, "begun\n"));
        assertEquals("81 begun", client.frame());
        return client;
    }

    @Test
    void clientThatDisconnectsEndsTheStream() throws IOException {
        begun().raw().reset();
        Patience.until("closed", () -> !closed.isEmpty());
        assertEquals(CloseReason.ABNORMAL, closed.element());
        assertEquals(1, cut.size());
    }

    @Test
    void closeFrameWithinAMessageEndsTheStream() throws IOException {
        try (SessionClient client = begun()) {
            assertEquals("88 1000", client.close(1000).frame());
            assertEquals(0, client.raw().rest().length);
        }
        assertEquals("the session has ended within a message", cut.element());
        Patience.until("closed", () -> !closed.isEmpty());
        assertEquals(1000, closed.element());
    }

    @Test
    void textThatIsNotUtf8ClosesWith1007() throws IOException {
        try (SessionClient client = begun()) {
            client.send(SessionClient.frame(Opcode.CONTINUATION, true, new byte[] {'a', -1}));
            assertEquals("88 1007text is not UTF-8", client.frame());
        }
        assertEquals(1, cut.size());
    }

    @Test
    void failedHandlerClosesWith1011() throws IOException {
        try (SessionClient client = open("/first")) {
            client.send(part(Opcode.BINARY, false, "fail"));
            assertEquals("88 1011", client.frame());
            client.send(part(Opcode.CONTINUATION, false, "more"));
            client.close(1011);
            assertEquals(0, client.raw().rest().length);
        }
    }

    /// While the handler waits for more, what other threads send is not kept back.
    @Test
    void otherThreadSendsWhileTheHandlerWaits() throws IOException {
        try (SessionClient client = begun()) {
            for (int i = 0; i < 100; i++) {
                sessions.element().send("news");
                assertEquals("81 news", client.frame());
            }
            client.send(part(Opcode.CONTINUATION, true, "rest"));
            assertEquals("81 rest", client.frame());
        }
    }

    @Test
    void otherThreadClosesWhileTheHandlerWaits() throws IOException {
        try (SessionClient client = begun()) {
            sessions.element().close(new CloseReason(4000, "enough"));
            assertEquals("88 4000enough", client.frame());
            Patience.until("the stream has ended", () -> !cut.isEmpty());
            client.close(4000);
            assertEquals(0, client.raw().rest().length);
        }
    }

    @Test
    void stoppingServerWaitsForTheMessage() throws Exception {
        try (SessionClient client = begun()) {
            Thread stopping =
                    Thread.ofPlatform()
                            .start(() -> server.stop(Duration.ofSeconds(PATIENCE_SECONDS)));
            Patience.until("stopping", () -> stopping.getState() != Thread.State.RUNNABLE);
            client.send(part(Opcode.CONTINUATION, true, "rest"));
            assertEquals("81 rest", client.frame());
            assertEquals("81 end", client.frame());
            assertEquals("88 1001", client.frame());
            client.close(1001);
            client.raw().reset();
            stopping.join();
        }
    }

    @Test
    void serverThatStopsAtOnceEndsTheStream() throws Exception {
        try (SessionClient client = begun()) {
            server.stop(Duration.ZERO);
            Patience.until("the stream has ended", () -> !cut.isEmpty());
            assertThrows(IOException.class, client::frame);
        }
    }
}
