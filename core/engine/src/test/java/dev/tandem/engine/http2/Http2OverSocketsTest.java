package dev.tandem.engine.http2;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.Server;
import dev.tandem.engine.OverTls;
import dev.tandem.engine.Served;
import dev.tandem.engine.TestCertificate;
import dev.tandem.http.h2.ErrorCode;
import dev.tandem.http.h2.FrameWriter;
import dev.tandem.http.h2.Settings;
import dev.tandem.net.Network;
import dev.tandem.testkit.Patience;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// HTTP/2 over sockets, in clear text and over TLS: what the kernel and the TLS engines do to it,
/// and clients that flood the server.
@Timeout(120)
class Http2OverSocketsTest {
    private static final String NETWORKS = "dev.tandem.engine.Networks#usable";
    private static final byte[] LARGE = new byte[3_000_000];

    static {
        for (int i = 0; i < LARGE.length; i++) {
            LARGE[i] = (byte) (i * 31 >>> 5);
        }
    }

    private final CountDownLatch release = new CountDownLatch(1);
    private final AtomicInteger runs = new AtomicInteger();

    @AfterEach
    void release() {
        release.countDown();
    }

    private Served serve(Network network) {
        return Served.on(
                network,
                Options.DEFAULT,
                t ->
                        t.get("/large", x -> x.send(LARGE))
                                .get(
                                        "/wait",
                                        x -> {
                                            runs.incrementAndGet();
                                            if (!release.await(60, TimeUnit.SECONDS)) {
                                                throw new AssertionError("not released");
                                            }
                                            x.send("waited");
                                        })
                                .post("/echo", x -> x.send(x.request().body().readAllBytes())));
    }

    private static Http2Client client(Network network, Server server) throws IOException {
        return Http2Client.to(socket(network, server), Settings.CLIENT).hello();
    }

    private static Socket socket(Network network, Server server) throws IOException {
        if (!(network instanceof OverTls)) {
            return new Socket(server.address().getAddress(), server.port());
        }
        var socket =
                (SSLSocket)
                        TestCertificate.trust()
                                .getSocketFactory()
                                .createSocket(server.address().getAddress(), server.port());
        var parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"h2", "http/1.1"});
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        assertEquals("h2", socket.getApplicationProtocol());
        return socket;
    }

    @ParameterizedTest
    @MethodSource(NETWORKS)
    void responsesOfManyStreamsArrive(Network network) throws IOException {
        try (Served served = serve(network);
                Http2Client client = client(network, served.server())) {
            for (int round = 0; round < 20; round++) {
                List<Integer> ids = new ArrayList<>();
                for (int i = 0; i < 100; i++) {
                    ids.add(client.write("GET", i % 2 == 0 ? "/hello" : "/now", true));
                }
                client.flush();
                for (int i = 0; i < 100; i++) {
                    String expected = i % 2 == 0 ? "Hello, World!" : "now";
                    assertEquals(expected, client.response(ids.get(i)).text());
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource(NETWORKS)
    void drainedConnectionsEndInTwoPhases(Network network) throws Exception {
        try (Served served = serve(network);
                Http2Client client = client(network, served.server())) {
            int id = client.get("/wait");
            client.until("a start", () -> runs.get() == 1);
            served.server().drainStreams();
            client.until("GOAWAY", () -> client.goAways() == 2);
            assertEquals(id, client.lastStream());
            release.countDown();
            assertEquals("waited", client.response(id).text());
            client.untilEnd();
        }
    }

    @ParameterizedTest
    @MethodSource(NETWORKS)
    void sessionIsEchoed(Network network) throws IOException {
        try (Served served =
                        Served.on(
                                network,
                                Options.DEFAULT,
                                t -> t.webSocket("/live", s -> s.onText(s::send)));
                Http2Client client = client(network, served.server())) {
            client.roundTrip();
            assertTrue(client.peer().isExtendedConnectEnabled());
            String[] fields = {":protocol", "websocket", "sec-websocket-version", "13"};
            int id = client.write("CONNECT", "/live", false, fields);
            client.flush();
            byte[] frame = {(byte) 0x81, (byte) 0x82, 0, 0, 0, 0, 'H', 'i'};
            for (int i = 1; i <= 100; i++) {
                int bytes = 4 * i;
                client.data(id, frame, false);
                client.until("an echo", () -> client.expect(id).content.size() == bytes);
            }
        }
    }

    @ParameterizedTest
    @MethodSource(NETWORKS)
    void longResponsesShareTheConnection(Network network) throws IOException {
        try (Served served = serve(network);
                Http2Client client = client(network, served.server())) {
            int first = client.get("/large");
            int second = client.get("/large");
            int hello = client.get("/hello");
            assertEquals("Hello, World!", client.response(hello).text());
            assertArrayEquals(LARGE, client.response(first).content.toByteArray());
            assertArrayEquals(LARGE, client.response(second).content.toByteArray());
        }
    }

    @ParameterizedTest
    @MethodSource(NETWORKS)
    void serverThatStopsCompletesWhatHasBegun(Network network) throws Exception {
        try (Served served = serve(network);
                Http2Client client = client(network, served.server())) {
            int id = client.get("/wait");
            Patience.until("it runs", () -> runs.get() == 1);
            var stopped = new CountDownLatch(1);
            Served.ASIDE.execute(
                    () -> {
                        served.server().stop(Duration.ofSeconds(20));
                        stopped.countDown();
                    });
            client.until("GOAWAY", () -> client.goAways() == 2);
            release.countDown();
            assertEquals("waited", client.response(id).text());
            client.untilEnd();
            assertTrue(stopped.await(20, TimeUnit.SECONDS));
        }
    }

    // ---- Floods.

    /// Sends frames until the server has closed the connection with the right error.
    private static void flood(Http2Client client, Http2Client honest, IoFrames frames)
            throws IOException {
        for (int i = 0; i < 3_000 && client.goAway() == null; i++) {
            if (i % 10 == 0) {
                assertEquals("Hello, World!", honest.fetch("/hello").text());
            }
            try {
                for (int j = 0; j < 100; j++) {
                    frames.write(client.out());
                }
                client.flush();
                client.pump();
            } catch (IOException e) {
                break; // closed while this client was still sending
            }
        }
        try {
            client.untilEnd();
        } catch (IOException e) {
            // A reset may overtake GOAWAY, as more was sent.
        }
    }

    private interface IoFrames {
        void write(ByteBuffer out) throws IOException;
    }

    /// Has one client flood while another one is served.
    private void expectCalm(Network network, Flooding flooding) throws IOException {
        try (Served served = serve(network);
                Http2Client honest = client(network, served.server());
                Http2Client client = client(network, served.server())) {
            client.roundTrip();
            honest.roundTrip();
            flood(client, honest, out -> flooding.write(client, out));
            Patience.until("the flood is closed", () -> served.server().connectionCount() == 1);
            assertTrue(client.goAway() == null || client.goAway() == ErrorCode.ENHANCE_YOUR_CALM);
            assertEquals("Hello, World!", honest.fetch("/hello").text());
        }
    }

    private interface Flooding {
        void write(Http2Client client, ByteBuffer out) throws IOException;
    }

    @ParameterizedTest
    @MethodSource(NETWORKS)
    void rapidResetIsEnded(Network network) throws IOException {
        expectCalm(
                network,
                (client, out) -> {
                    int id = client.write("GET", "/wait", true);
                    FrameWriter.resetStream(out, id, ErrorCode.CANCEL);
                });
    }

    @ParameterizedTest
    @MethodSource(NETWORKS)
    void resetsThatAClientProvokesAreEnded(Network network) throws IOException {
        expectCalm(
                network,
                (client, out) -> {
                    int id = client.write("GET", "/hello", false);
                    out.putInt(4 << 8 | 8).put((byte) 0).putInt(id).putInt(0); // WINDOW_UPDATE of 0
                });
    }

    @ParameterizedTest
    @MethodSource(NETWORKS)
    void pingFloodIsEnded(Network network) throws IOException {
        expectCalm(network, (client, out) -> FrameWriter.ping(out, 1, false));
    }

    @ParameterizedTest
    @MethodSource(NETWORKS)
    void settingsFloodIsEnded(Network network) throws IOException {
        expectCalm(network, (client, out) -> FrameWriter.settings(out, Settings.CLIENT));
    }

    @ParameterizedTest
    @MethodSource(NETWORKS)
    void priorityFloodIsEnded(Network network) throws IOException {
        expectCalm(
                network,
                (client, out) ->
                        out.putInt(5 << 8 | 2).put((byte) 0).putInt(1).putInt(3).put((byte) 7));
    }

    @ParameterizedTest
    @MethodSource(NETWORKS)
    void emptyContentFloodIsEnded(Network network) throws IOException {
        var id = new AtomicInteger();
        expectCalm(
                network,
                (client, out) -> {
                    if (id.get() == 0) {
                        id.set(client.write("POST", "/echo", false));
                    }
                    FrameWriter.data(out, id.get(), 0, false);
                });
    }

    @ParameterizedTest
    @MethodSource(NETWORKS)
    void continuationFloodIsEnded(Network network) throws IOException {
        var isBegun = new AtomicInteger();
        expectCalm(
                network,
                (client, out) -> {
                    if (isBegun.getAndIncrement() == 0) {
                        out.putInt(1).put((byte) 0).putInt(client.nextId()); // HEADERS, no end
                    }
                    out.putInt(9).put((byte) 0).putInt(client.nextId());
                });
    }

    /// One header of 500 bytes in the table, then a byte for each copy of it (the "HTTP/2 bomb"),
    /// with closed windows.
    @ParameterizedTest
    @MethodSource(NETWORKS)
    void headerBombGets431(Network network) throws IOException {
        try (Served served = serve(network);
                Http2Client client = client(network, served.server())) {
            String value = "x".repeat(500);
            client.keepWindows().fetch("/hello", "x-bomb", value);
            var names = new ArrayList<String>();
            for (int i = 0; i < 2_000; i++) {
                names.add("x-bomb");
                names.add(value);
            }
            assertEquals(431, client.fetch("/hello", names.toArray(String[]::new)).status);
        }
    }

    /// Sixteen connections with all of their streams, and a page with 300 small parts.
    @ParameterizedTest
    @MethodSource(NETWORKS)
    void honestBulkClientIsNotClosed(Network network) throws IOException {
        try (Served served = serve(network)) {
            for (int c = 0; c < 4; c++) {
                try (Http2Client client = client(network, served.server())) {
                    var ids = new ArrayList<Integer>();
                    for (int i = 0; i < 300; i++) {
                        ids.add(client.write("GET", "/hello", true));
                    }
                    client.flush();
                    int refused = 0;
                    for (int id : ids) {
                        refused += client.response(id).reset == null ? 0 : 1;
                    }
                    assertTrue(refused <= 200, refused + " refused");
                    assertEquals("Hello, World!", client.fetch("/hello").text());
                    assertEquals(null, client.goAway());
                }
            }
        }
    }
}
