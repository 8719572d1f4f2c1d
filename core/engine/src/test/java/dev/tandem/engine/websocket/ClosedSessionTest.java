package dev.tandem.engine.websocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.http.WebSocket;
import dev.tandem.http.websocket.CloseReason;
import dev.tandem.http.websocket.Opcode;
import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.Patience;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Sessions that the server has closed: what their clients send afterwards is dropped, but for the
/// close frame.
class ClosedSessionTest {
    private static final int PATIENCE_SECONDS = 20;

    private final Queue<WebSocket> sessions = new ConcurrentLinkedQueue<>();
    private final Queue<String> handled = new ConcurrentLinkedQueue<>();
    private final Queue<Integer> closed = new ConcurrentLinkedQueue<>();
    private final CountDownLatch release = new CountDownLatch(1);
    private final List<SessionClient> clients = new ArrayList<>();
    private LogCapture log;
    private Server server;

    @BeforeEach
    void start() throws IOException {
        log = LogCapture.of("dev.tandem.engine");
        server =
                Tandem.listen("127.0.0.1", 0)
                        .webSocket("/session", this::session)
                        .webSocket("/forward", this::forward)
                        .start();
    }

    @AfterEach
    void stop() throws IOException {
        release.countDown();
        for (SessionClient client : clients) {
            client.close();
        }
        server.stop(Duration.ofSeconds(PATIENCE_SECONDS));
        log.close();
        Patience.until("its memory is given back", () -> FullMemory.used() == 0);
    }

    private void session(WebSocket session) {
        sessions.add(session);
        session.onClose(reason -> closed.add(reason.code()));
        session.onText(
                text -> {
                    handled.add(text);
                    switch (text) {
                        case "close" -> session.close(new CloseReason(4000, ""));
                        case "fail" -> throw new IllegalStateException("as a test wants");
                        case "wait" ->
                                assertTrue(release.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
                        default -> {}
                    }
                    session.send(text);
                });
        session.onBinaryStream(_ -> handled.add("stream"));
    }

    /// Sends to another session.
    private void forward(WebSocket session) {
        session.onText(text -> sessions.element().send(text));
    }

    private SessionClient open(String path) throws IOException {
        SessionClient client =
                SessionClient.open(
                        server.address(), path, "Sec-WebSocket-Extensions: permessage-deflate\n");
        clients.add(client);
        return client;
    }

    private static byte[] frame(int first, String content) {
        byte[] payload = content.getBytes(StandardCharsets.ISO_8859_1);
        byte[] bytes = SessionClient.frame(Opcode.TEXT, true, payload);
        bytes[0] = (byte) first;
        return bytes;
    }

    private static byte[] join(byte[]... frames) {
        var all = new ByteArrayOutputStream();
        for (byte[] frame : frames) {
            all.writeBytes(frame);
        }
        return all.toByteArray();
    }

    /// Waits for the end of the only session, whose client disconnects.
    private void awaitEnd(int code) throws IOException {
        clients.getFirst().close();
        Patience.until("its end", () -> !closed.isEmpty());
        assertEquals(List.of(code), List.copyOf(closed));
    }

    // ---- Messages.

    private enum Late {
        TEXT(frame(0x81, "late")),
        LARGE(frame(0x81, "l".repeat(200_000))),
        FRAGMENTS(join(frame(0x01, "la"), frame(0x89, ""), frame(0x80, "te"))),
        INCOMPLETE(frame(0x01, "la")),
        COMPRESSED(frame(0xC1, "\u00F2\u0048\u00CD\u00C9\u00C9\u0007\0")),
        NOT_DEFLATED(frame(0xC1, "\u00FF\u00FF\u00FF")),
        STREAM(frame(0x82, "late")),
        COMPRESSED_STREAM(frame(0xC2, "\u00F2\u0048\u00CD\u00C9\u00C9\u0007\0"));

        private final byte[] bytes;

        Late(byte[] bytes) {
            this.bytes = bytes;
        }
    }

    @ParameterizedTest
    @EnumSource(Late.class)
    void messageBehindOneWhoseHandlerClosesIsDropped(Late late) throws IOException {
        byte[] all = join(frame(0x81, "one"), frame(0x81, "close"), late.bytes);
        SessionClient client = open("/session").send(all).close(4001);
        assertEquals("81 one", client.frame());
        assertEquals("88 4000", client.frame());
        assertEquals(0, client.raw().rest().length);
        awaitEnd(4001);
        assertEquals(List.of("one", "close"), List.copyOf(handled));
    }

    @ParameterizedTest
    @EnumSource(Late.class)
    void messageThatComesAfterACloseIsDropped(Late late) throws IOException {
        SessionClient client = open("/session");
        Patience.until("open", () -> !sessions.isEmpty());
        sessions.element().close(new CloseReason(4000, ""));
        assertEquals("88 4000", client.frame());
        client.send(late.bytes).close(4001);
        assertEquals(0, client.raw().rest().length);
        awaitEnd(4001);
        assertEquals(List.of(), List.copyOf(handled));
    }

    /// The rest of a message that had begun is dropped, too.
    @Test
    void messageThatHadBegunBeforeACloseIsDropped() throws IOException {
        SessionClient client = open("/session").send(frame(0x01, "beg"));
        assertEquals("8a p", client.send(frame(0x89, "p")).frame());
        sessions.element().close(new CloseReason(4000, ""));
        assertEquals("88 4000", client.frame());
        client.send(frame(0x80, "un")).text("late").close(4001);
        assertEquals(0, client.raw().rest().length);
        awaitEnd(4001);
        assertEquals(List.of(), List.copyOf(handled));
    }

    // ---- The log.

    private List<String> failures() {
        return log.messages(m -> m.contains("failed"));
    }

    /// Clients could fill the log otherwise.
    @Test
    void handlerThatFailsIsLoggedOnce() throws IOException {
        var all = new ByteArrayOutputStream();
        for (int i = 0; i < 100; i++) {
            all.writeBytes(frame(0x81, "fail"));
        }
        SessionClient client = open("/session").send(all.toByteArray());
        assertEquals("88 1011", client.frame());
        client.send(all.toByteArray()).close(1011);
        assertEquals(0, client.raw().rest().length);
        awaitEnd(1011);
        assertEquals(List.of("fail"), List.copyOf(handled));
        assertEquals(1, failures().size());
    }

    @Test
    void handlerWhoseSessionIsClosedMeanwhileIsNotLogged() throws IOException {
        SessionClient client = open("/session").text("wait").text("late");
        Patience.until("it waits", () -> !handled.isEmpty());
        sessions.element().close(new CloseReason(4000, ""));
        release.countDown();
        assertEquals("88 4000", client.frame());
        client.close(4000);
        assertEquals(0, client.raw().rest().length);
        awaitEnd(4000);
        assertEquals(List.of("wait"), List.copyOf(handled));
        assertEquals(List.of(), failures());
    }

    @Test
    void handlerThatSendsToAnotherSessionThatHasEndedIsLogged() throws IOException {
        SessionClient other = open("/session");
        Patience.until("open", () -> !sessions.isEmpty());
        sessions.element().close(new CloseReason(4000, ""));
        assertEquals("88 4000", other.frame());
        assertEquals("88 1011", open("/forward").text("news").frame());
        assertEquals(1, failures().size());
    }
}
