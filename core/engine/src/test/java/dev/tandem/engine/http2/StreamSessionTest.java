package dev.tandem.engine.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.engine.MemoryServer;
import dev.tandem.engine.websocket.FullMemory;
import dev.tandem.engine.websocket.Group;
import dev.tandem.http.Exchange;
import dev.tandem.http.Handler;
import dev.tandem.http.Router;
import dev.tandem.http.WebSocket;
import dev.tandem.http.WebSocketHandler;
import dev.tandem.http.WebSocketMessage;
import dev.tandem.http.WebSocketOptions;
import dev.tandem.http.h2.ErrorCode;
import dev.tandem.http.h2.FrameWriter;
import dev.tandem.http.h2.Settings;
import dev.tandem.http.websocket.CloseReason;
import dev.tandem.http.websocket.Deflation;
import dev.tandem.http.websocket.FrameEncoder;
import dev.tandem.http.websocket.Opcode;
import dev.tandem.testkit.LogCapture;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// WebSocket sessions over HTTP/2 (RFC 8441), in memory.
class StreamSessionTest {
    private static final int MIB = 1 << 20;
    private static final int MASK = 0x12345678;

    private final Queue<WebSocket> sessions = new ConcurrentLinkedQueue<>();
    private final Queue<CloseReason> closed = new ConcurrentLinkedQueue<>();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final Queue<String> logged = new ConcurrentLinkedQueue<>();
    private final AtomicInteger handled = new AtomicInteger();
    private final CountDownLatch release = new CountDownLatch(1);
    private MemoryServer server;
    private Http2Client client;

    @BeforeEach
    void serve() throws IOException {
        serve(Options.DEFAULT);
    }

    private void serve(Options options) throws IOException {
        WebSocketOptions plain = WebSocketOptions.DEFAULT;
        Router routes =
                Router.builder()
                        .add("GET", "/hello", x -> x.send("Hello"))
                        .add("GET", "/echo", session(this::echo, plain))
                        .add("CONNECT", "/echo", session(this::echo, plain))
                        .add("CONNECT", "/chat", session(this::echo, plain.withProtocols(CHAT)))
                        .add("CONNECT", "/room/{name}", session(StreamSessionTest::greet, plain))
                        .add("CONNECT", "/flood", session(this::flood, plain.withUnsentMax(1024)))
                        .add("CONNECT", "/wait", session(this::waiting, plain))
                        .add("CONNECT", "/slow", session(this::opening, plain))
                        .add("CONNECT", "/closing", session(this::closing, plain))
                        .add("CONNECT", "/lines", session(this::lines, plain))
                        .add("CONNECT", "/bytes", session(this::bytesRead, plain))
                        .add("CONNECT", "/late", this::late)
                        .add("CONNECT", "/no", x -> x.status(403).send("no"))
                        .build();
        server =
                new MemoryServer(
                        options,
                        routes,
                        (x, message) -> x.send(message),
                        e -> logged.add(e.method() + " " + e.target() + " " + e.status()));
        client = Http2Client.to(server);
        client.roundTrip();
    }

    private static final List<String> CHAT = List.of("chat");

    private static Handler session(WebSocketHandler handler, WebSocketOptions options) {
        return x -> x.webSocket(handler, options);
    }

    @AfterEach
    void stop() {
        release.countDown();
        server.close();
    }

    private void echo(WebSocket session) {
        sessions.add(session);
        session.onText(session::send);
        session.onBinary(session::send);
        session.onClose(closed::add);
    }

    private static void greet(WebSocket session) throws IOException {
        session.send("welcome to " + session.pathParam("name"));
    }

    private void flood(WebSocket session) {
        session.onClose(closed::add);
        session.onText(
                _ -> {
                    try {
                        for (int i = 0; i < 64; i++) {
                            session.send(new byte[MIB / 64]);
                            handled.incrementAndGet();
                        }
                    } catch (IOException e) {
                        failures.add("send failed");
                        throw e;
                    }
                });
    }

    private void waiting(WebSocket session) {
        session.onClose(closed::add);
        session.onText(
                text -> {
                    handled.incrementAndGet();
                    if (!release.await(20, TimeUnit.SECONDS)) {
                        throw new AssertionError("not released within 20 s");
                    }
                    session.send(text);
                });
    }

    /// Waits before the session begins.
    private void opening(WebSocket session) throws InterruptedException {
        handled.incrementAndGet();
        if (!release.await(20, TimeUnit.SECONDS)) {
            throw new AssertionError("not released within 20 s");
        }
    }

    /// Waits before it begins a session.
    private void late(Exchange x) throws Exception {
        handled.incrementAndGet();
        if (!release.await(20, TimeUnit.SECONDS)) {
            throw new AssertionError("not released within 20 s");
        }
        x.webSocket(_ -> {}, WebSocketOptions.DEFAULT);
    }

    /// Echoes each line of a text as a message.
    private void lines(WebSocket session) {
        sessions.add(session);
        session.onClose(closed::add);
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
                        failures.add("cut");
                        throw e;
                    }
                });
    }

    /// Waits before it reads a message.
    private void bytesRead(WebSocket session) {
        session.onBinaryStream(
                content -> {
                    handled.incrementAndGet();
                    if (!release.await(20, TimeUnit.SECONDS)) {
                        throw new AssertionError("not released within 20 s");
                    }
                    session.send(content.readAllBytes().length + " bytes");
                });
    }

    private void closing(WebSocket session) {
        session.onClose(closed::add);
        session.onText(
                _ -> {
                    handled.incrementAndGet();
                    session.close(new CloseReason(4000, "as asked"));
                });
    }

    // ---- A client.

    private int open(String path, String... headers) throws IOException {
        int id = connect(path, "websocket", headers);
        Http2Client.Response response = client.expect(id);
        client.until("a head", () -> response.status != 0);
        assertEquals(200, response.status);
        return id;
    }

    private int connect(String path, String protocol, String... headers) throws IOException {
        var all = new ArrayList<>(List.of(":protocol", protocol, "sec-websocket-version", "13"));
        all.addAll(List.of(headers));
        int id = client.write("CONNECT", path, false, all.toArray(String[]::new));
        client.flush();
        return id;
    }

    private static byte[] frame(Opcode opcode, byte[] payload) {
        ByteBuffer out = ByteBuffer.allocate(payload.length + 14);
        FrameEncoder.masked(out, opcode, true, ByteBuffer.wrap(payload), MASK);
        var bytes = new byte[out.flip().remaining()];
        out.get(bytes);
        return bytes;
    }

    private static byte[] part(boolean isFirst, boolean isLast, String text) {
        Opcode opcode = isFirst ? Opcode.TEXT : Opcode.CONTINUATION;
        byte[] bytes = frame(opcode, text.getBytes(StandardCharsets.UTF_8));
        bytes[0] = (byte) (isLast ? bytes[0] : bytes[0] & 0x7F);
        return bytes;
    }

    private static byte[] text(String text) {
        return frame(Opcode.TEXT, text.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] close(int code) {
        return frame(Opcode.CLOSE, new byte[] {(byte) (code >> 8), (byte) code});
    }

    private void send(int id, byte[] bytes) throws IOException {
        client.data(id, bytes, false);
    }

    /// What has been read of each stream's content.
    private final Map<Integer, Integer> read = new HashMap<>();

    private byte[] bytes(int id, int count) throws IOException {
        ByteArrayOutputStream content = client.expect(id).content;
        int at = read.getOrDefault(id, 0);
        client.until(count + " bytes", () -> content.size() >= at + count);
        read.put(id, at + count);
        var some = new byte[count];
        System.arraycopy(content.toByteArray(), at, some, 0, count);
        return some;
    }

    /// Reads a frame, and returns it as `81 text`.
    private String frame(int id) throws IOException {
        byte[] begin = bytes(id, 2);
        int length = begin[1] & 0x7F;
        if (length == 126) {
            length = ByteBuffer.wrap(bytes(id, 2)).getShort() & 0xFFFF;
        } else if (length == 127) {
            length = (int) ByteBuffer.wrap(bytes(id, 8)).getLong();
        }
        byte[] payload = bytes(id, length);
        int first = begin[0] & 0xFF;
        if (first == 0x88 && length >= 2) {
            int code = (payload[0] & 0xFF) << 8 | payload[1] & 0xFF;
            return "88 " + code + new String(payload, 2, length - 2, StandardCharsets.UTF_8);
        }
        return Integer.toHexString(first) + " " + new String(payload, StandardCharsets.UTF_8);
    }

    /// Waits until no worker has a session: the loop has set its deadline.
    private void awaitSilence() throws IOException {
        server.awaitRest();
        client.roundTrip();
        client.roundTrip();
    }

    private void awaitClosed(int code) throws IOException {
        client.until("the end of the session", () -> !closed.isEmpty());
        assertEquals(code, closed.remove().code());
    }

    // ---- The beginning.

    @Test
    void extendedConnectIsOfferedWhereThereIsARoute() throws IOException {
        assertTrue(client.peer().isExtendedConnectEnabled());
        Router other = Router.builder().add("GET", "/", x -> x.send("Hello")).build();
        try (var without = new MemoryServer(Options.DEFAULT, other)) {
            Http2Client stranger = Http2Client.to(without).roundTrip();
            assertFalse(stranger.peer().isExtendedConnectEnabled());
            // RFC 8441, section 3: it must not be used then.
            int id =
                    stranger.write(
                            "CONNECT",
                            "/",
                            false,
                            ":protocol",
                            "websocket",
                            "sec-websocket-version",
                            "13");
            stranger.flush();
            assertEquals(ErrorCode.PROTOCOL_ERROR, stranger.response(id).reset);
        }
    }

    @Test
    void textIsEchoed() throws IOException {
        int id = open("/echo");
        send(id, text("Hi"));
        assertEquals("81 Hi", frame(id));
        assertEquals("", client.expect(id).headers.joined("sec-websocket-accept"));
        assertEquals("CONNECT /echo 200", logged.remove());
    }

    @Test
    void sessionIsGreetedWithItsParameter() throws IOException {
        assertEquals("81 welcome to here", frame(open("/room/here")));
    }

    @Test
    void subprotocolIsChosen() throws IOException {
        int id = open("/chat", "sec-websocket-protocol", "other, chat");
        assertEquals("chat", client.expect(id).headers.joined("sec-websocket-protocol"));
    }

    @Test
    void messagesAreReadHoweverTheyAreSplit() throws IOException {
        byte[] two =
                new ByteArrayOutputStream() {
                    {
                        writeBytes(text("one"));
                        writeBytes(text("two"));
                    }
                }.toByteArray();
        for (int at = 1; at < two.length; at++) {
            int id = open("/echo");
            send(id, Arrays.copyOf(two, at));
            client.roundTrip();
            send(id, Arrays.copyOfRange(two, at, two.length));
            assertEquals("81 one", frame(id));
            assertEquals("81 two", frame(id));
            client.reset(id, ErrorCode.CANCEL);
        }
    }

    @Test
    void compressedMessageIsEchoedCompressed() throws IOException {
        int id = open("/echo", "sec-websocket-extensions", "permessage-deflate");
        assertTrue(
                client.expect(id)
                        .headers
                        .joined("sec-websocket-extensions")
                        .startsWith("permessage-deflate"));
        byte[] deflated =
                new Deflation(6).deflate(ByteBuffer.wrap("a".repeat(1000).getBytes()), 15);
        byte[] sent = frame(Opcode.TEXT, deflated);
        sent[0] |= 0x40;
        send(id, sent);
        assertTrue(frame(id).startsWith("c1"));
    }

    @Test
    void requestThatBeginsNoSessionGetsItsStatus() throws IOException {
        assertEquals(404, client.response(connect("/nothing", "websocket")).status);
        Http2Client.Response other = client.response(connect("/hello", "websocket"));
        assertEquals(405, other.status);
        assertEquals("GET, HEAD, OPTIONS", other.headers.joined("allow"));
        assertEquals(501, client.response(connect("/echo", "connect-udp")).status);
        assertEquals(403, client.response(connect("/no", "websocket")).status);
        Http2Client.Response foreign =
                client.response(connect("/echo", "websocket", "origin", "https://evil.example"));
        assertEquals(403, foreign.status);
        assertEquals(400, client.fetch("/echo").status);
        int old = client.write("CONNECT", "/echo", false, ":protocol", "websocket");
        client.flush();
        assertEquals(400, client.response(old).status);
        assertEquals("13", client.expect(old).headers.joined("sec-websocket-version"));
        int ended =
                client.write(
                        "CONNECT",
                        "/echo",
                        true,
                        ":protocol",
                        "websocket",
                        "sec-websocket-version",
                        "13");
        client.flush();
        assertEquals(400, client.response(ended).status);
        int tunnel = client.write("CONNECT", "/echo", false);
        client.flush();
        assertEquals(ErrorCode.PROTOCOL_ERROR, client.response(tunnel).reset);
        assertTrue(sessions.isEmpty());
        assertEquals("Hello", client.fetch("/hello").text());
    }

    // ---- Windows.

    @Test
    void sendWaitsForTheWindowAndDelaysNoOtherStream() throws IOException {
        client.keepWindows();
        int id = open("/flood");
        send(id, text("go"));
        client.until("a full window", () -> client.expect(id).content.size() == 65_535);
        int sent = handled.get();
        assertTrue(sent < 16, () -> sent + " messages");
        FrameWriter.windowUpdate(client.out(), 0, 10 * MIB);
        client.flush();
        assertEquals("Hello", client.fetch("/hello").text());
        FrameWriter.windowUpdate(client.out(), id, 2 * MIB);
        client.flush();
        client.until("all", () -> client.expect(id).content.size() == MIB + 64 * 4);
    }

    @Test
    void clientThatTakesNothingIsReset() throws IOException {
        client.keepWindows();
        int id = open("/flood");
        send(id, text("go"));
        client.until("a full window", () -> client.expect(id).content.size() == 65_535);
        for (int i = 0; i < 70; i++) {
            server.clock().advance(Duration.ofSeconds(1));
            client.roundTrip();
        }
        assertEquals(ErrorCode.CANCEL, client.response(id).reset);
        awaitClosed(CloseReason.ABNORMAL);
        assertEquals("send failed", failures.remove());
    }

    @Test
    void inputWaitsWhileAMessageIsHandled() throws IOException {
        int id = open("/wait");
        send(id, text("first"));
        client.until("a handler", () -> handled.get() == 1);
        long before = client.expect(id).window;
        byte[] more = frame(Opcode.BINARY, new byte[120_000]);
        send(id, more);
        client.roundTrip();
        assertEquals(before, client.expect(id).window);
        release.countDown();
        assertEquals("81 first", frame(id));
        assertEquals("88 1003", frame(id).substring(0, 7)); // no handler of binary messages
        client.until("a window", () -> client.expect(id).window >= more.length / 2);
    }

    /// As requests do: sessions on one connection are many at once.
    @Test
    void messagesWaitForAWorkerSlot() throws IOException {
        server.close();
        serve(Options.DEFAULT.withThreads(t -> t.withWorkersMax(1)));
        var ids = new ArrayList<Integer>();
        for (int i = 0; i < 5; i++) {
            ids.add(open("/wait"));
        }
        for (int id : ids) {
            send(id, text("hi"));
        }
        client.until("a handler", () -> handled.get() == 1);
        client.roundTrip();
        assertEquals(1, handled.get());
        release.countDown();
        for (int id : ids) {
            assertEquals("81 hi", frame(id));
        }
    }

    // ---- Messages that are read while they are received.

    private int begun() throws IOException {
        int id = open("/lines");
        send(id, part(true, false, "begun\n"));
        assertEquals("81 begun", frame(id));
        return id;
    }

    @Test
    void textIsReadWhileItsFragmentsCome() throws IOException {
        int id = begun();
        send(id, frame(Opcode.PING, new byte[] {'p'}));
        assertEquals("8a p", frame(id));
        send(id, part(false, false, "tw"));
        send(id, part(false, false, "ö\n"));
        assertEquals("81 twö", frame(id));
        send(id, part(false, true, ""));
        assertEquals("81 end", frame(id));
        assertEquals("Hello", client.fetch("/hello").text());
    }

    @Test
    void windowIsFreeOnlyForWhatIsRead() throws IOException {
        int id = open("/bytes");
        byte[] message = frame(Opcode.BINARY, new byte[120_000]);
        int half = message.length / 2;
        send(id, Arrays.copyOf(message, half));
        client.until("a handler", () -> handled.get() == 1);
        client.roundTrip();
        client.roundTrip();
        assertEquals(Http2Config.STREAM_WINDOW, client.expect(id).window);
        release.countDown();
        send(id, Arrays.copyOfRange(message, half, message.length));
        assertEquals("81 120000 bytes", frame(id));
    }

    @Test
    void resetWithinAMessageEndsTheStream() throws IOException {
        client.reset(begun(), ErrorCode.CANCEL);
        awaitClosed(CloseReason.ABNORMAL);
        assertEquals("cut", failures.remove());
    }

    @Test
    void endOfTheInputWithinAMessageResets() throws IOException {
        int id = begun();
        client.data(id, new byte[0], true);
        assertEquals(ErrorCode.CANCEL, client.response(id).reset);
        awaitClosed(CloseReason.ABNORMAL);
        assertEquals("cut", failures.remove());
    }

    @Test
    void closeFrameWithinAMessageEndsIt() throws IOException {
        int id = begun();
        send(id, close(1000));
        assertEquals("88 1000", frame(id));
        client.data(id, new byte[0], true);
        awaitClosed(1000);
        assertEquals("cut", failures.remove());
    }

    @Test
    void otherThreadSendsAndClosesWithinAMessage() throws IOException {
        int id = begun();
        WebSocket session = sessions.element();
        session.send("news");
        assertEquals("81 news", frame(id));
        session.close(new CloseReason(4000, "enough"));
        assertEquals("88 4000enough", frame(id));
        client.until("the end of the message", () -> !failures.isEmpty());
        send(id, close(4000));
        client.data(id, new byte[0], true);
        awaitClosed(4000);
    }

    // ---- The end.

    @Test
    void closeFrameGetsOneAndTheStreamEnds() throws IOException {
        int id = open("/echo");
        send(id, close(1000));
        assertEquals("88 1000", frame(id));
        client.until("the end of the stream", () -> client.expect(id).isEnded);
        client.data(id, new byte[0], true);
        awaitClosed(1000);
        client.roundTrip();
        assertEquals(null, client.expect(id).reset);
    }

    @Test
    void streamThatItsClientDoesNotEndIsReset() throws IOException {
        int id = open("/echo");
        send(id, close(1000));
        client.until("the end of the stream", () -> client.expect(id).isEnded);
        server.clock().advance(Duration.ofSeconds(30));
        client.until("a reset", () -> client.expect(id).reset == ErrorCode.NO_ERROR);
        awaitClosed(1000);
    }

    @Test
    void handlerMayClose() throws IOException {
        int id = open("/closing");
        send(id, text("close"));
        assertEquals("88 4000as asked", frame(id));
        send(id, close(4000));
        client.until("the end of the stream", () -> client.expect(id).isEnded);
        client.data(id, new byte[0], true);
        awaitClosed(4000);
    }

    /// The close frame waits behind output that the client does not take yet.
    @Test
    void sessionEndsWhenTheLastOutputIsTaken() throws IOException {
        client.keepWindows();
        int id = open("/echo");
        client.until("a session", () -> !sessions.isEmpty());
        WebSocket session = sessions.element();
        for (int i = 0; i < 16; i++) {
            assertTrue(session.trySend(WebSocketMessage.binary(new byte[MIB / 64])));
        }
        client.until("a full window", () -> client.expect(id).content.size() == 65_535);
        send(id, close(1000));
        client.roundTrip();
        FrameWriter.windowUpdate(client.out(), 0, 10 * MIB);
        FrameWriter.windowUpdate(client.out(), id, MIB);
        client.flush();
        client.until("the end of the stream", () -> client.expect(id).isEnded);
        assertTrue(client.expect(id).content.size() > MIB / 4);
        client.data(id, new byte[0], true);
        awaitClosed(1000);
    }

    @Test
    void clientThatDoesNotCloseIsReset() throws IOException {
        int id = open("/closing");
        send(id, text("close"));
        assertEquals("88 4000as asked", frame(id));
        awaitSilence();
        server.clock().advance(Duration.ofSeconds(6));
        assertEquals(ErrorCode.CANCEL, client.response(id).reset);
        awaitClosed(CloseReason.ABNORMAL);
    }

    @Test
    void messagesThatComeAfterACloseAreDropped() throws IOException {
        int id = open("/closing");
        byte[] many = many(100);
        send(id, many);
        assertEquals("88 4000as asked", frame(id));
        send(id, many);
        send(id, close(4000));
        client.until("the end of the stream", () -> client.expect(id).isEnded);
        client.data(id, new byte[0], true);
        awaitClosed(4000);
        assertEquals(1, handled.get());
    }

    @Test
    void clientThatSendsOnAfterACloseIsReset() throws IOException {
        int id = open("/closing");
        send(id, many(100));
        assertEquals("88 4000as asked", frame(id));
        awaitSilence();
        for (int i = 0; i < 4; i++) {
            send(id, many(100));
            server.clock().advance(Duration.ofSeconds(1));
            client.roundTrip();
        }
        assertEquals(null, client.expect(id).reset);
        server.clock().advance(Duration.ofSeconds(2));
        assertEquals(ErrorCode.CANCEL, client.response(id).reset);
        awaitClosed(CloseReason.ABNORMAL);
        assertEquals(1, handled.get());
    }

    private static byte[] many(int count) {
        var all = new ByteArrayOutputStream();
        for (int i = 0; i < count; i++) {
            all.writeBytes(text("m"));
        }
        return all.toByteArray();
    }

    @Test
    void resetEndsTheSession() throws IOException {
        int id = open("/echo");
        client.until("a session", () -> !sessions.isEmpty());
        WebSocket session = sessions.remove();
        client.reset(id, ErrorCode.CANCEL);
        awaitClosed(CloseReason.ABNORMAL);
        assertFalse(session.isOpen());
        assertFalse(session.trySend(WebSocketMessage.text("late")));
    }

    @Test
    void resetDuringAMessageEndsTheSessionBehindIt() throws IOException {
        int id = open("/wait");
        send(id, text("one"));
        client.until("a handler", () -> handled.get() == 1);
        client.reset(id, ErrorCode.CANCEL);
        client.roundTrip();
        assertTrue(closed.isEmpty());
        release.countDown();
        awaitClosed(CloseReason.ABNORMAL);
    }

    @Test
    void streamThatEndsWithoutACloseFrameIsAbnormal() throws IOException {
        int id = open("/echo");
        client.data(id, new byte[0], true);
        assertEquals(ErrorCode.CANCEL, client.response(id).reset);
        awaitClosed(CloseReason.ABNORMAL);
    }

    /// Else it would have a lock that a thread takes which sends to the session, and has that of
    /// the session, which the end takes. Here the end waits for the lock of a group.
    @Test
    void streamIsResetWithoutTheLockOfItsOutput() throws Exception {
        int id = open("/echo");
        client.until("a session", () -> !sessions.isEmpty());
        var group = new Group(false);
        group.add(sessions.remove());
        client.roundTrip();
        Thread loop = Thread.currentThread();
        var isLocked = new CountDownLatch(1);
        var held = new ConcurrentLinkedQueue<String>();
        Thread holder =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    synchronized (group) {
                                        isLocked.countDown();
                                        while (loop.getState() != Thread.State.BLOCKED) {
                                            Thread.onSpinWait();
                                        }
                                        held.addAll(locksOf(loop));
                                    }
                                });
        isLocked.await();
        client.data(id, new byte[0], true);
        assertEquals(ErrorCode.CANCEL, client.response(id).reset);
        holder.join();
        assertFalse(held.contains(StreamOutput.class.getName()), held::toString);
        awaitClosed(CloseReason.ABNORMAL);
    }

    /// Returns the types of the monitors that a thread holds.
    private static List<String> locksOf(Thread thread) {
        var threads = ManagementFactory.getThreadMXBean();
        long[] ids = {thread.threadId()};
        return Arrays.stream(threads.getThreadInfo(ids, true, false)[0].getLockedMonitors())
                .map(LockInfo::getClassName)
                .toList();
    }

    @Test
    void sessionsEndWithTheConnection() throws IOException {
        open("/echo");
        open("/echo");
        client.close();
        server.iterateUntil("two ends", () -> closed.size() == 2);
    }

    @Test
    void unmaskedFrameIsAnError() throws IOException {
        int id = open("/echo");
        send(id, new byte[] {(byte) 0x81, 1, 'a'});
        assertEquals("88 1002", frame(id).substring(0, 7));
        client.until("the end of the stream", () -> client.expect(id).isEnded);
    }

    /// It sends 10 KB at once and then nothing: at 500 bytes a second it has a minute in all.
    @Test
    void messageThatDoesNotGoOnClosesWith1008() throws IOException {
        int id = open("/echo");
        byte[] frame = frame(Opcode.TEXT, new byte[100_000]);
        send(id, Arrays.copyOf(frame, 10_000));
        awaitSilence();
        server.clock().advance(Duration.ofSeconds(25));
        client.roundTrip();
        assertTrue(client.expect(id).content.size() == 0, "too early");
        for (int i = 0; i < 4; i++) {
            server.clock().advance(Duration.ofSeconds(25));
            client.roundTrip();
        }
        assertEquals("88 1008message too slow", frame(id));
        awaitClosed(CloseReason.POLICY);
    }

    // ---- Silence.

    @Test
    void silentClientGetsAPingAndThenItsEnd() throws IOException {
        int id = open("/echo");
        awaitSilence();
        server.clock().advance(Duration.ofSeconds(151));
        assertEquals("89 ", frame(id));
        send(id, frame(Opcode.PONG, new byte[0]));
        client.roundTrip();
        server.clock().advance(Duration.ofSeconds(149));
        client.roundTrip();
        assertEquals(null, client.expect(id).reset);
        server.clock().advance(Duration.ofSeconds(2));
        assertEquals("89 ", frame(id));
        server.clock().advance(Duration.ofSeconds(150));
        assertEquals(ErrorCode.CANCEL, client.response(id).reset);
        awaitClosed(CloseReason.ABNORMAL);
    }

    /// As after a pause of the whole process.
    @Test
    void clientOfALoopThatWasHeldUpGetsAPingFirst() throws IOException {
        int id = open("/echo");
        awaitSilence();
        server.clock().advance(Duration.ofHours(1));
        assertEquals("89 ", frame(id));
        send(id, frame(Opcode.PONG, new byte[0]));
        client.roundTrip();
        server.clock().advance(Duration.ofSeconds(149));
        client.roundTrip();
        assertEquals(null, client.expect(id).reset);
    }

    @Test
    void silentSessionsHoldNoThreadAndNoInput() throws IOException {
        for (int i = 0; i < 100; i++) {
            send(open("/echo"), text("Hi"));
        }
        client.until("100 messages", () -> client.events().size() > 100);
        server.awaitRest();
        assertEquals(0, server.engine().inputMemory().bytes());
        // The 101st stream is refused (RFC 9113, section 5.1.2).
        assertEquals(
                ErrorCode.REFUSED_STREAM, client.response(connect("/echo", "websocket")).reset);
        for (WebSocket session : sessions) {
            assertTrue(session.trySend(WebSocketMessage.text("all")));
        }
        for (int id = 1; id < 200; id += 2) {
            assertEquals("81 Hi", frame(id));
            assertEquals("81 all", frame(id));
        }
    }

    // ---- Stop.

    @Test
    void stopClosesSessionsThenTheConnection() throws IOException {
        int id = open("/echo");
        server.engine().beginToStop();
        server.loop().announceStop();
        assertEquals("88 1001", frame(id));
        send(id, close(1001));
        client.until("the end of the stream", () -> client.expect(id).isEnded);
        client.data(id, new byte[0], true);
        client.untilEnd();
        assertEquals(2, client.goAways());
        assertEquals(ErrorCode.NO_ERROR, client.goAway());
        assertEquals(id, client.lastStream());
    }

    // ---- Time limits of a connection with an age.

    @Test
    void timeLimitsHoldWhereTheConnectionHasAnAgeToo() throws IOException {
        server.close();
        serve(Options.DEFAULT.withHttp2(h -> h.withAgeMax(Duration.ofHours(10))));
        client.fetch("/hello");
        client.roundTrip();
        try (Http2Client mute = Http2Client.to(server, Settings.CLIENT).acknowledgeNothing()) {
            mute.hello();
            mute.fetch("/hello");
            for (int i = 0; i < 25; i++) {
                server.clock().advance(Duration.ofSeconds(1));
                server.iterate();
            }
            mute.untilEnd();
            assertEquals(ErrorCode.SETTINGS_TIMEOUT, mute.goAway());
        }
    }

    // ---- The memory of all sessions.

    @Test
    void messageThatTheClientDoesNotTakeEndsTheSessionWithoutMemory() throws IOException {
        client.keepWindows();
        int id = open("/echo");
        try (FullMemory _ = FullMemory.ofOutputTwice()) {
            send(id, frame(Opcode.BINARY, new byte[100_000]));
            awaitClosed(CloseReason.ABNORMAL);
            assertEquals(ErrorCode.CANCEL, client.response(id).reset);
        }
        client.until("its memory is given back", () -> FullMemory.used() == 0);
    }

    /// Less than twice as much as may be.
    @Test
    void messageThatTheClientDoesNotTakeInTimeEndsTheSession() throws IOException {
        client.keepWindows();
        int id = open("/echo");
        try (FullMemory _ = FullMemory.ofOutput()) {
            send(id, frame(Opcode.BINARY, new byte[100_000]));
            client.until("its window", () -> client.expect(id).content.size() == 65_535);
            awaitSilence();
            assertTrue(closed.isEmpty());
            server.clock().advance(Duration.ofSeconds(6));
            awaitClosed(CloseReason.ABNORMAL);
            assertEquals(ErrorCode.CANCEL, client.response(id).reset);
        }
    }

    @Test
    void messageOfAnotherThreadThatTheClientDoesNotTakeEndsTheSession() throws IOException {
        client.keepWindows();
        int id = open("/echo");
        awaitSilence();
        try (FullMemory _ = FullMemory.ofOutputTwice()) {
            assertTrue(sessions.element().trySend(WebSocketMessage.binary(new byte[100_000])));
            awaitClosed(CloseReason.ABNORMAL);
            assertEquals(ErrorCode.CANCEL, client.response(id).reset);
        }
    }

    @Test
    void clientThatReadsGetsAllWithoutMemory() throws IOException {
        int id = open("/echo");
        try (FullMemory _ = FullMemory.ofOutput()) {
            for (int i = 0; i < 100; i++) {
                send(id, frame(Opcode.BINARY, new byte[8192]));
                assertEquals(8192 + 3, frame(id).length());
            }
        }
    }

    @Test
    void inputThatIsNotReadEndsTheSessionWithoutMemory() throws IOException {
        int id = open("/wait");
        int little = open("/wait");
        try (FullMemory _ = FullMemory.ofInput()) {
            send(id, text("first"));
            send(little, text("first"));
            client.until("both are handled", () -> handled.get() == 2);
            send(little, frame(Opcode.BINARY, new byte[2000]));
            send(id, frame(Opcode.BINARY, new byte[20_000]));
            assertEquals(ErrorCode.ENHANCE_YOUR_CALM, client.response(id).reset);
            release.countDown();
            assertEquals("81 first", frame(little));
        }
        client.until("its memory is given back", () -> FullMemory.used() == 0);
    }

    /// A session that is reset before its handler has returned holds nothing afterwards.
    @Test
    void inputOfASessionThatIsResetWhileItBeginsIsDropped() throws IOException {
        int id = connect("/slow", "websocket");
        client.until("it begins", () -> handled.get() == 1);
        send(id, frame(Opcode.BINARY, new byte[20_000]));
        client.roundTrip();
        assertTrue(FullMemory.used() > 0);
        client.reset(id, ErrorCode.CANCEL).roundTrip();
        release.countDown();
        server.awaitRest();
        assertEquals(0, FullMemory.used());
    }

    /// Clients could fill the log otherwise.
    @Test
    void clientThatResetsAStreamBeforeItsSessionBeginsIsNotLogged() throws IOException {
        try (var log = LogCapture.of("dev.tandem.engine")) {
            int id = connect("/late", "websocket");
            client.until("it is handled", () -> handled.get() == 1);
            client.reset(id, ErrorCode.CANCEL).roundTrip();
            release.countDown();
            server.awaitRest();
            assertEquals(List.of(), log.messages(_ -> true));
        }
    }
}
