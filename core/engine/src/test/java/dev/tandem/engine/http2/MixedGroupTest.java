package dev.tandem.engine.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.WebSocketGroup;
import dev.tandem.http.WebSocket;
import dev.tandem.http.WebSocketOptions;
import dev.tandem.http.h2.ErrorCode;
import dev.tandem.http.h2.FrameWriter;
import dev.tandem.http.h2.Settings;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// One group whose members came over HTTP/1.1 and over HTTP/2, by several loops.
@Timeout(60)
class MixedGroupTest {
    private static final int UNSENT_MAX = 64 * 1024;
    private static final int SESSIONS = 4;
    private static final String[] CONNECT = {
        ":protocol", "websocket", "sec-websocket-version", "13"
    };
    private static final byte[] HI = {(byte) 0x81, (byte) 0x82, 0, 0, 0, 0, 'H', 'i'};

    private final WebSocketGroup group = new WebSocketGroup(WebSocketGroup.Slow.SKIP);
    private final Queue<String> versions = new ConcurrentLinkedQueue<>();
    private final List<AutoCloseable> clients = new ArrayList<>();
    private Server server;

    @BeforeEach
    void start() throws IOException {
        server =
                Tandem.listen("127.0.0.1", 0)
                        .options(Options.DEFAULT.withThreads(t -> t.withLoops(2)))
                        .get("/hello", x -> x.send("Hello"))
                        .webSocket(
                                "/live",
                                this::join,
                                WebSocketOptions.DEFAULT.withUnsentMax(UNSENT_MAX))
                        .start();
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable client : clients) {
            client.close();
        }
        server.stop(Duration.ZERO);
    }

    private void join(WebSocket session) {
        versions.add(session.exchange().request().version().protocol());
        group.add(session);
        session.onText(session::send);
    }

    private RawClient overHttp1() throws IOException {
        RawClient client = RawClient.connect(server.address());
        clients.add(client);
        client.send(
                """
                GET /live HTTP/1.1
                Host: a
                Connection: Upgrade
                Upgrade: websocket
                Sec-WebSocket-Version: 13
                Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==

                """);
        var head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append(text(client, 1));
        }
        client.send(HI);
        assertEquals("\u0081\u0002Hi", text(client, 4));
        return client;
    }

    /// Returns the next bytes, as characters.
    private static String text(RawClient client, int count) throws IOException {
        var text = new StringBuilder();
        while (text.length() < count) {
            byte[] bytes = client.bytes(count - text.length());
            assertTrue(bytes.length > 0, "the end, after " + text);
            text.append(new String(bytes, StandardCharsets.ISO_8859_1));
        }
        return text.toString();
    }

    private Http2Client overHttp2(Settings settings) throws IOException {
        var socket = new Socket(server.address().getAddress(), server.port());
        Http2Client client = Http2Client.to(socket, settings).hello().roundTrip();
        clients.add(client);
        return client;
    }

    private static int begin(Http2Client client) throws IOException {
        int id = client.write("CONNECT", "/live", false, CONNECT);
        client.flush();
        client.until("a session", () -> client.expect(id).status == 200);
        return id;
    }

    private static String received(Http2Client client, int id) {
        return client.expect(id).content.toString(StandardCharsets.ISO_8859_1);
    }

    private static void await(Http2Client client, int id, String wanted) throws IOException {
        client.until(wanted, () -> received(client, id).endsWith(wanted));
    }

    @Test
    void messageComesToMembersOfBothVersions() throws IOException {
        var http1 = new ArrayList<RawClient>();
        Http2Client http2 = overHttp2(Settings.CLIENT);
        var ids = new ArrayList<Integer>();
        for (int i = 0; i < SESSIONS; i++) {
            http1.add(overHttp1());
            int id = begin(http2);
            ids.add(id);
            http2.data(id, HI, false);
            await(http2, id, "\u0081\u0002Hi");
        }
        assertEquals(2 * SESSIONS, group.size());
        assertEquals(SESSIONS, versions.stream().filter("HTTP/2.0"::equals).count());

        group.broadcast("news");
        for (RawClient client : http1) {
            assertEquals("\u0081\u0004news", text(client, 6));
        }
        for (int id : ids) {
            await(http2, id, "\u0081\u0004news");
        }

        FrameWriter.resetStream(http2.out(), ids.getFirst(), ErrorCode.CANCEL);
        http2.flush();
        Patience.until("one has left", () -> group.size() == 2 * SESSIONS - 1);
        group.broadcast("more");
        assertEquals("\u0081\u0004more", text(http1.getFirst(), 6));
        await(http2, ids.getLast(), "\u0081\u0004more");
    }

    /// Its stream's window is closed, the connection's is not.
    @Test
    void memberThatIsSlowOnOneStreamDelaysNoOther() throws IOException {
        RawClient http1 = overHttp1();
        Http2Client http2 = overHttp2(Settings.CLIENT.withInitialWindowSize(0));
        http2.keepWindows();
        int slow = begin(http2);
        int quick = begin(http2);
        Patience.until("all have joined", () -> group.size() == 3);
        FrameWriter.windowUpdate(http2.out(), quick, 10_000_000);
        FrameWriter.windowUpdate(http2.out(), 0, 10_000_000);
        http2.flush();
        String large = "x".repeat(UNSENT_MAX / 2);
        for (int i = 0; i < 20; i++) {
            group.broadcast(large);
            String last = "now " + i % 10;
            group.broadcast(last);
            text(http1, 4 + large.length() + 2 + last.length());
            await(http2, quick, last);
        }
        assertEquals(0, http2.expect(slow).content.size());
        int hello = http2.write("GET", "/hello", true);
        FrameWriter.windowUpdate(http2.out(), hello, 1_000);
        http2.flush();
        assertEquals("Hello", http2.response(hello).text());
        assertEquals(3, group.size());
    }
}
