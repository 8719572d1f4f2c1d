package dev.tandem.engine.http2;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.Server;
import dev.tandem.engine.OverTls;
import dev.tandem.engine.Served;
import dev.tandem.engine.TestCertificate;
import dev.tandem.http.Exchange;
import dev.tandem.http.Filter;
import dev.tandem.http.Handler;
import dev.tandem.http.h2.Settings;
import dev.tandem.net.Network;
import dev.tandem.testkit.Patience;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// HTTP/2 over sockets, in clear text and over TLS: what the kernel and the TLS engines do to it,
/// and clients that cost much. [Http2FloodsTest] has floods.
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

    static Socket socket(Network network, Server server) throws IOException {
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

    /// Blocks, as one that hashes passwords does.
    private static final class Blocking implements Filter {
        @Override
        public void apply(Exchange x, Handler next) throws Exception {
            next.handle(x);
        }

        @Override
        public Handler wrap(Handler handler) {
            return x -> apply(x, handler);
        }
    }

    @ParameterizedTest
    @MethodSource(NETWORKS)
    void onlyPathsOfAFilterThatBlocksLeaveTheLoop(Network network) throws IOException {
        Options options = Options.DEFAULT.withThreads(t -> t.withInPlace(false));
        Handler quick = Handler.nonBlocking(x -> x.send(Thread.currentThread().getName()));
        try (Served served =
                        Served.on(
                                network,
                                options,
                                t -> t.filter("/admin", new Blocking()).get("/{path...}", quick));
                Http2Client client = client(network, served.server())) {
            for (int i = 0; i < 2; i++) {
                String there = client.fetch("/a/%2e%2e/admin").text();
                assertTrue(there.startsWith("tandem-worker"), there);
                String here = client.fetch("/administration").text();
                assertTrue(here.startsWith("tandem-loop"), here);
            }
        }
    }

    /// The loop has closed the socket meanwhile.
    @ParameterizedTest
    @MethodSource(NETWORKS)
    void addressesAreKnownWhenTheClientIsGone(Network network) throws Exception {
        var begun = new CountDownLatch(1);
        var address = new CompletableFuture<SocketAddress>();
        Handler late =
                x -> {
                    begun.countDown();
                    release.await();
                    try {
                        address.complete(x.request().localAddress());
                    } catch (RuntimeException e) {
                        address.completeExceptionally(e);
                    }
                };
        try (Served served = Served.on(network, Options.DEFAULT, t -> t.get("/late", late))) {
            Server server = served.server();
            try (Http2Client client = client(network, server)) {
                client.write("GET", "/late", true);
                client.flush();
                assertTrue(begun.await(20, TimeUnit.SECONDS));
            }
            Patience.until("the client is gone", () -> server.connectionCount() == 0);
            release.countDown();
            assertEquals(server.address(), address.get(20, TimeUnit.SECONDS));
        }
    }

    /// Requests that have waited for too long, on a machine that stalls, are rejected: their
    /// responses arrive, too.
    @ParameterizedTest
    @MethodSource(NETWORKS)
    void responsesOfManyStreamsArrive(Network network) throws IOException {
        int rejected = 0;
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
                    Http2Client.Response response = client.response(ids.get(i));
                    if (response.status == 503) {
                        rejected++;
                    } else {
                        assertEquals(expected, response.text());
                    }
                }
            }
            assertEquals(served.server().load().rejected(), rejected);
            assertTrue(rejected < 1_000, rejected + " of 2,000 were rejected");
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

    // ---- Clients that cost much, and clients that are not attackers.

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
            Http2Client.Response response = client.fetch("/hello", names.toArray(String[]::new));
            assertEquals(431, response.status);
            assertEquals("no-store", response.headers.first("cache-control"));
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
