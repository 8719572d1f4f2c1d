package dev.tandem.engine.websocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Server;
import dev.tandem.Tandem;
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
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Sessions over sockets.
class SessionTest {
    private static final int PATIENCE_SECONDS = 20;

    private final Queue<WebSocket> sessions = new ConcurrentLinkedQueue<>();
    private final Queue<CloseReason> closed = new ConcurrentLinkedQueue<>();
    private final CountDownLatch release = new CountDownLatch(1);
    private Server server;

    @BeforeEach
    void start() throws IOException {
        server =
                Tandem.listen("127.0.0.1", 0)
                        .webSocket("/echo/{name}", this::echo)
                        .webSocket("/wait", this::waiting)
                        .webSocket("/silent", sessions::add)
                        .webSocket(
                                "/options",
                                this::echoed,
                                WebSocketOptions.DEFAULT
                                        .withLimits(new MessageLimits(10, 2))
                                        .withMessagesPerSecondMax(1)
                                        .withProtocols(List.of("chat"))
                                        .withOrigins(List.of("https://other.example")))
                        .get("/hello", x -> x.send("Hello"))
                        .start();
    }

    @AfterEach
    void stop() throws Exception {
        release.countDown();
        server.stop(Duration.ofSeconds(PATIENCE_SECONDS));
    }

    private void echo(WebSocket session) throws IOException {
        String name = session.pathParam("name");
        session.send("welcome " + name);
        echoed(session);
        session.onClose(closed::add);
    }

    private void echoed(WebSocket session) {
        sessions.add(session);
        session.onText(
                text -> {
                    if (text.equals("fail")) {
                        throw new IllegalStateException("as a test wants");
                    }
                    session.send(text);
                });
        session.onBinary(session::send);
    }

    private void waiting(WebSocket session) {
        sessions.add(session);
        session.onText(
                text -> {
                    assertTrue(release.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
                    session.send(text);
                });
    }

    private SessionClient open(String path, String headers) throws IOException {
        return SessionClient.open(server.address(), path, headers);
    }

    private SessionClient open(String path) throws IOException {
        return open(path, "");
    }

    // ---- The handshake.

    @Test
    void sessionBeginsAndEndsByTheClient() throws IOException {
        try (SessionClient client = open("/echo/a")) {
            assertTrue(client.head().startsWith("HTTP/1.1 101 "), client.head());
            assertTrue(client.head().contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="), client.head());
            assertFalse(client.head().contains("Extensions"), client.head());
            assertEquals("81 welcome a", client.frame());
            client.text("hi").text("there");
            assertEquals("81 hi", client.frame());
            assertEquals("81 there", client.frame());
            client.close(1000);
            assertEquals("88 1000", client.frame());
            assertEquals(0, client.raw().rest().length);
        }
        Patience.until("closed", () -> !closed.isEmpty());
        assertEquals(1000, closed.element().code());
        assertEquals(1, closed.size());
        assertThrows(IllegalStateException.class, () -> sessions.element().exchange());
    }

    /// What follows the request in the same packet is not lost.
    @Test
    void messageSentWithTheRequestIsHandled() throws IOException {
        var both = new ByteArrayOutputStream();
        both.writeBytes(
                ("GET /echo/b HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                                + "Sec-WebSocket-Version: 13\r\n"
                                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
                        .getBytes());
        both.writeBytes(SessionClient.frame(Opcode.TEXT, true, "early".getBytes()));
        try (RawClient raw = RawClient.connect(server.address())) {
            raw.send(both.toByteArray());
            var text = new StringBuilder();
            while (text.indexOf("early") < 0) {
                text.append((char) raw.bytes(1)[0]);
            }
            assertTrue(text.indexOf("welcome b") > 0, text.toString());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Upgrade: h2c | Connection: Upgrade | 426",
                "Upgrade: websocket | Connection: close | 426",
                "Upgrade: websocket | Connection: Upgrade, x | 101",
            })
    void requestMustAskForASession(String upgrade, String connection, int status)
            throws IOException {
        try (RawClient raw = RawClient.connect(server.address())) {
            raw.send(
                    "GET /silent HTTP/1.1\nHost: a\n"
                            + upgrade
                            + "\n"
                            + connection
                            + "\nSec-WebSocket-Version: 13\n"
                            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\n\n");
            String line = new String(raw.bytes(12));
            assertEquals("HTTP/1.1 " + status, line);
        }
    }

    /// RFC 6455, sections 4.2.1 and 4.2.2: with the version that the server knows.
    @ParameterizedTest
    @CsvSource({
        "GET, 1.1, 13, 101",
        "GET, 1.1, 8, 426",
        "GET, 1.0, 13, 426",
        "HEAD, 1.1, 13, 426",
    })
    void requestMustBeAGetOfTheVersion(String method, String http, String version, int status)
            throws IOException {
        try (RawClient raw = RawClient.connect(server.address())) {
            raw.send(
                    method
                            + " /silent HTTP/"
                            + http
                            + "\nHost: a\nUpgrade: websocket\nConnection: Upgrade\n"
                            + "Sec-WebSocket-Version: "
                            + version
                            + "\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\n\n");
            var head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                head.append((char) raw.bytes(1)[0]);
            }
            assertTrue(head.toString().startsWith("HTTP/1.1 " + status), head.toString());
            boolean isNamed = head.indexOf("Sec-WebSocket-Version: 13\r\n") > 0;
            assertEquals(status == 426, isNamed, head.toString());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/silent, http://a, 101",
        "/silent, http://evil.example, 403",
        "/options, https://other.example, 101",
        "/options, http://a, 403",
    })
    void originIsChecked(String path, String origin, int status) throws IOException {
        try (SessionClient client = open(path, "Origin: " + origin + "\n")) {
            assertTrue(client.head().startsWith("HTTP/1.1 " + status), client.head());
        }
    }

    /// Its content could be taken for frames.
    @Test
    void requestWithContentBeginsNoSession() throws IOException {
        try (RawClient raw = RawClient.connect(server.address())) {
            raw.send(
                    "GET /silent HTTP/1.1\nHost: a\nUpgrade: websocket\nConnection: Upgrade\n"
                            + "Sec-WebSocket-Version: 13\n"
                            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\n"
                            + "Content-Length: 5\n\nhello");
            assertEquals(400, raw.response().status());
        }
    }

    @Test
    void firstKnownSubprotocolIsChosen() throws IOException {
        String offered = "Sec-WebSocket-Protocol: other, chat\n";
        try (SessionClient client = open("/options", offered)) {
            assertTrue(client.head().contains("Sec-WebSocket-Protocol: chat\r\n"), client.head());
            Patience.until("open", () -> !sessions.isEmpty());
            assertEquals("chat", sessions.element().protocol());
        }
    }

    // ---- Messages.

    @ParameterizedTest
    @ValueSource(ints = {0, 125, 126, 65_535, 65_536, 65_537, 65_600, 1_000_000})
    void messageOfAnyLengthComesBack(int length) throws IOException {
        String text = "0123456789abc".repeat(length / 13 + 1).substring(0, length);
        try (SessionClient client = open("/echo/a")) {
            client.frame();
            client.text(text);
            String echo = client.frame().substring(3);
            assertEquals(length, echo.length());
            assertEquals(-1, Arrays.mismatch(text.toCharArray(), echo.toCharArray()));
        }
    }

    @Test
    void fragmentsWithAPingAmongThemAreOneMessage() throws IOException {
        try (SessionClient client = open("/echo/a")) {
            client.frame();
            client.send(SessionClient.frame(Opcode.TEXT, false, "fr".getBytes()));
            client.send(SessionClient.frame(Opcode.PING, true, "p".getBytes()));
            client.send(SessionClient.frame(Opcode.CONTINUATION, true, "ag".getBytes()));
            assertEquals("8a p", client.frame());
            assertEquals("81 frag", client.frame());
        }
    }

    @Test
    void compressedMessageIsDecompressedAndItsEchoCompressed() throws Exception {
        String offer = "Sec-WebSocket-Extensions: permessage-deflate\n";
        try (SessionClient client = open("/echo/a", offer)) {
            assertTrue(client.head().contains("permessage-deflate"), client.head());
            assertEquals("81 welcome a", client.frame());
            // RFC 7692, section 7.2.3.1: Hello
            byte[] hello = {(byte) 0xF2, 0x48, (byte) 0xCD, (byte) 0xC9, (byte) 0xC9, 0x07, 0x00};
            byte[] frame = SessionClient.frame(Opcode.TEXT, true, hello);
            frame[0] |= 0x40;
            client.send(frame);
            assertEquals("81 Hello", client.frame());
            client.text("a".repeat(10_000));
            assertTrue(client.frame().startsWith("c1 "), "not compressed");
        }
    }

    @Test
    void manyMessagesInOnePacketKeepTheirOrder() throws IOException {
        var all = new ByteArrayOutputStream();
        for (int i = 0; i < 500; i++) {
            all.writeBytes(SessionClient.frame(Opcode.TEXT, true, ("m" + i).getBytes()));
        }
        try (SessionClient client = open("/echo/a")) {
            client.frame();
            client.send(all.toByteArray());
            for (int i = 0; i < 500; i++) {
                assertEquals("81 m" + i, client.frame());
            }
        }
    }

    /// While a message is handled, others wait, and other threads may send.
    @Test
    void otherThreadSendsWhileAMessageIsHandled() throws IOException {
        try (SessionClient client = open("/wait")) {
            client.text("one").text("two");
            Patience.until("open", () -> !sessions.isEmpty());
            assertTrue(sessions.element().trySend(WebSocketMessage.text("meanwhile")));
            release.countDown();
            // The thread that handles the message sends what is queued first.
            assertEquals("81 meanwhile", client.frame());
            assertEquals("81 one", client.frame());
            assertEquals("81 two", client.frame());
        }
    }

    @Test
    void serverSendsToASilentSession() throws IOException {
        try (SessionClient client = open("/silent")) {
            Patience.until("open", () -> !sessions.isEmpty());
            sessions.element().send("news");
            assertEquals("81 news", client.frame());
            sessions.element().close(new CloseReason(1001, "bye"));
            assertEquals("88 1001bye", client.frame());
            assertFalse(sessions.element().isOpen());
            assertThrows(IOException.class, () -> sessions.element().send("late"));
            client.close(1001);
            assertEquals(0, client.raw().rest().length);
        }
    }

    /// Messages of other threads and echoes, all at once: none is lost, and none comes twice.
    @RepeatedTest(5)
    void concurrentSendersLoseNothing() throws Exception {
        int senders = 3;
        int each = 300;
        try (SessionClient client = open("/echo/a")) {
            client.frame();
            Patience.until("open", () -> !sessions.isEmpty());
            WebSocket session = sessions.element();
            var threads = new ArrayList<Thread>();
            for (int i = 0; i < senders; i++) {
                String name = "sender " + i + ":";
                threads.add(Thread.ofPlatform().start(() -> sendAll(session, name, each)));
            }
            for (int i = 0; i < each; i++) {
                client.text("echo:" + i);
            }
            var next = new HashMap<String, Integer>();
            for (int i = 0; i < (senders + 1) * each; i++) {
                String[] frame = client.frame().substring(3).split(":");
                assertEquals(next.getOrDefault(frame[0], 0), Integer.parseInt(frame[1]));
                next.put(frame[0], Integer.parseInt(frame[1]) + 1);
            }
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }

    private static void sendAll(WebSocket session, String name, int count) {
        try {
            for (int i = 0; i < count; i++) {
                session.send(name + i);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// A client that reads nothing: what is queued for it is bounded, and others are not affected.
    @Test
    void slowReaderIsBoundedAndDelaysNoOther() throws Exception {
        try (SessionClient slow = open("/silent")) {
            Patience.until("open", () -> !sessions.isEmpty());
            WebSocket session = sessions.element();
            var message = WebSocketMessage.binary(new byte[100_000]);
            int sent = 0;
            while (session.trySend(message)) {
                sent++;
                assertTrue(sent < 2_000, "no bound");
            }
            try (SessionClient quick = open("/echo/a")) {
                quick.frame();
                assertEquals("81 still", quick.text("still").frame());
            }
            for (int i = 0; i < sent; i++) {
                slow.frame();
            }
            Patience.until("room", () -> session.trySend(message));
        }
    }

    // ---- Ends.

    @Test
    void clientThatDisconnectsEndsTheSession() throws IOException {
        try (SessionClient client = open("/echo/a")) {
            client.frame();
            client.raw().reset();
        }
        Patience.until("closed", () -> !closed.isEmpty());
        assertEquals(CloseReason.ABNORMAL, closed.element().code());
    }

    @Test
    void failedHandlerClosesWith1011() throws IOException {
        try (SessionClient client = open("/echo/a")) {
            client.frame();
            client.text("fail");
            assertEquals("88 1011", client.frame());
        }
    }

    @Test
    void messageWithoutHandlerClosesWith1003() throws IOException {
        try (SessionClient client = open("/silent")) {
            client.text("hi");
            assertEquals("88 1003", client.frame());
        }
    }

    @Test
    void brokenProtocolClosesWith1002AndTheReason() throws IOException {
        try (SessionClient client = open("/echo/a")) {
            client.frame();
            client.send(new byte[] {(byte) 0x81, 1, 'a'}); // no mask
            assertEquals("88 1002frame without a mask", client.frame());
            assertEquals(0, client.raw().rest().length);
        }
        Patience.until("closed", () -> !closed.isEmpty());
        assertEquals(1002, closed.element().code());
    }

    @Test
    void messageBeyondTheLimitClosesWith1009() throws IOException {
        try (SessionClient client = open("/options")) {
            assertEquals("81 0123456789", client.text("0123456789").frame());
            client.text("01234567890");
            assertEquals("88 1009message too large", client.frame());
        }
    }

    @Test
    void messagesBeyondTheRateCloseWith1008() throws IOException {
        try (SessionClient client = open("/options")) {
            String last = "";
            for (int i = 0; i < 20; i++) {
                client.text("a");
            }
            for (int i = 0; i < 20 && !last.startsWith("88"); i++) {
                last = client.frame();
            }
            assertEquals("88 1008too many messages", last);
        }
    }

    @Test
    void stoppingServerClosesWith1001() throws Exception {
        try (SessionClient client = open("/echo/a")) {
            client.frame();
            Thread stopping =
                    Thread.ofPlatform()
                            .start(() -> server.stop(Duration.ofSeconds(PATIENCE_SECONDS)));
            assertEquals("88 1001", client.frame());
            client.close(1001);
            stopping.join();
        }
        Patience.until("closed", () -> !closed.isEmpty());
    }

    @Test
    void ordinaryRequestsAreNotAffected() throws IOException {
        try (SessionClient client = open("/echo/a");
                RawClient other = RawClient.connect(server.address())) {
            client.frame();
            assertEquals("Hello", other.send("GET /hello HTTP/1.1\nHost: a\n\n").response().text());
        }
    }
}
