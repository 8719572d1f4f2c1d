package dev.tandem.engine.tls;

import static dev.tandem.engine.http1.WireCases.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.engine.Child;
import dev.tandem.engine.Networks;
import dev.tandem.engine.OverTls;
import dev.tandem.engine.Said;
import dev.tandem.engine.Served;
import dev.tandem.engine.TestCertificate;
import dev.tandem.engine.manage.PrometheusText;
import dev.tandem.http.Exchange;
import dev.tandem.http.Filter;
import dev.tandem.http.HttpException;
import dev.tandem.http.TlsSessionInfo;
import dev.tandem.net.Network;
import dev.tandem.testkit.FreePort;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import dev.tandem.testkit.RawResponse;
import dev.tandem.tls.ClientCertificateMode;
import dev.tandem.tls.EngineChoice;
import dev.tandem.tls.FailureReason;
import dev.tandem.tls.TlsCounters;
import dev.tandem.tls.TlsSettings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What is particular to TLS; all else that goes over sockets is tested over it, too: see
/// [OverTls].
public class TlsOverSocketsTest {
    private static final int SIZE = 20_000_000;

    public static List<Named<Network>> secured() {
        return Networks.usable().stream().filter(n -> n.getPayload() instanceof OverTls).toList();
    }

    private static RawClient plain(Served served) throws IOException {
        return RawClient.connect(served.server().address());
    }

    private static TlsCounters counters(Served served) {
        return served.server().tlsCounters().getFirst();
    }

    private static void awaitFailure(Served served, FailureReason reason) {
        Patience.until(reason.toString(), () -> counters(served).failures(reason) == 1);
        served.awaitConnections(0);
    }

    // ---- What handlers see.

    private static void describe(Exchange x) throws IOException {
        TlsSessionInfo s = x.request().tlsSession();
        if (s == null) {
            x.send("none " + x.request().isSecure());
            return;
        }
        var names = s.clientCertificates().stream().map(c -> c.getSubjectX500Principal()).toList();
        x.send(
                "%s %s %s %s %s %s"
                        .formatted(
                                s.protocol(),
                                s.cipherSuite().isEmpty(),
                                s.isResumed(),
                                s.serverName(),
                                names,
                                x.request().isSecure()));
    }

    @ParameterizedTest
    @MethodSource("secured")
    void handlerSeesTheTlsSession(Network network) throws IOException {
        try (Served served =
                Served.on(
                        network, Options.DEFAULT, t -> t.get("/", TlsOverSocketsTest::describe))) {
            String reported = served.client().send(get("/")).response().text();
            assertTrue(reported.startsWith("TLSv1.3 false "), reported);
            assertTrue(reported.endsWith(" localhost [] true"), reported);
            served.client().send(get("/")).response();
            assertTrue(counters(served).resumedHandshakes() > 0, "nothing was resumed");
        }
    }

    @Test
    void handlerSeesNoTlsSessionWithoutTls() throws IOException {
        Network network = Networks.plain().getFirst().getPayload();
        try (Served served =
                Served.on(
                        network, Options.DEFAULT, t -> t.get("/", TlsOverSocketsTest::describe))) {
            assertEquals("none false", served.client().send(get("/")).response().text());
        }
    }

    @ParameterizedTest
    @MethodSource("secured")
    void clientCertificateIsRequestedAndVisible(Network network, @TempDir Path folder)
            throws Exception {
        OverTls with = (OverTls) network;
        TlsSettings asking =
                with.settings()
                        .withClientCertificates(
                                ClientCertificateMode.REQUIRED, TestCertificate.pem(folder));
        Network asks = new OverTls(with.network(), asking);
        try (Served served =
                Served.on(asks, Options.DEFAULT, t -> t.get("/", TlsOverSocketsTest::describe))) {
            String reported = served.client().send(get("/")).response().text();
            assertTrue(reported.contains("[CN=localhost]"), reported);
        }
    }

    // ---- Sites.

    @ParameterizedTest
    @MethodSource("secured")
    void httpsTargetIsServedOverTlsOnly(Network network) throws IOException {
        try (Served served = Served.on(network)) {
            RawClient client = served.client();
            assertEquals(200, client.send(get("https://localhost/now")).response().status());
            assertEquals(421, client.send(get("http://localhost/now")).response().status());
        }
    }

    @ParameterizedTest
    @MethodSource("secured")
    void plainRequestsAreRedirectedAndSecureOnesHaveHsts(Network network) throws IOException {
        Tandem tandem =
                Tandem.listen("127.0.0.1", 0)
                        .network(network)
                        .redirectToHttps(8443)
                        .strictTransport(Duration.ofDays(1))
                        .andListen("127.0.0.1", 0)
                        .tls(((OverTls) network).settings())
                        .get("/now", x -> x.send("now"));
        try (Server server = tandem.start();
                RawClient plain = RawClient.connect(server.addresses().getFirst());
                RawClient secure =
                        RawClient.connect(
                                server.addresses().getLast(), 0, TestCertificate.trust())) {
            RawResponse sent = plain.send(get("/now?a=b")).response();
            assertEquals(308, sent.status());
            assertEquals("https://a:8443/now?a=b", sent.field("Location"));
            assertNull(sent.field("Strict-Transport-Security"));
            sent = plain.send(get("http://t/now")).response();
            assertEquals("https://t:8443/now", sent.field("Location"));
            RawResponse response = secure.send(get("/now")).response();
            assertEquals("now", response.text());
            assertEquals("max-age=86400", response.field("Strict-Transport-Security"));
            assertEquals(2, server.connectionCount());
        }
    }

    /// A password that a filter required there would be sent without encryption.
    @ParameterizedTest
    @MethodSource("secured")
    void plainRequestsAreRedirectedBeforeFilters(Network network) throws IOException {
        Tandem tandem =
                Tandem.listen("127.0.0.1", 0)
                        .network(network)
                        .redirectToHttps(8443)
                        .andListen("127.0.0.1", 0)
                        .tls(((OverTls) network).settings())
                        .filter(Filter.before(TlsOverSocketsTest::requirePassword))
                        .get("/now", x -> x.send("now"));
        try (Server server = tandem.start();
                RawClient plain = RawClient.connect(server.addresses().getFirst());
                RawClient secure =
                        RawClient.connect(
                                server.addresses().getLast(), 0, TestCertificate.trust())) {
            RawResponse sent = plain.send(get("/now")).response();
            assertEquals(308, sent.status());
            assertNull(sent.field("WWW-Authenticate"));
            assertEquals(421, plain.send(get("https://localhost/now")).response().status());
            assertEquals(401, secure.send(get("/now")).response().status());
            assertEquals(401, secure.send(get("/none")).response().status());
        }
    }

    private static void requirePassword(Exchange x) {
        x.header("WWW-Authenticate", "Basic realm=\"here\"");
        throw new HttpException(401, "a password is required");
    }

    @ParameterizedTest
    @MethodSource("secured")
    void unknownServerNameCanBeRejected(Network network) throws IOException {
        OverTls with = (OverTls) network;
        Network strict =
                new OverTls(with.network(), with.settings().withUnknownNamesRejected(true));
        try (Served served = Served.on(strict)) {
            assertEquals("now", served.client().send(get("/now")).response().text());
            byte[] alert = alertFor(served, Hello.bytes("other.test"));
            assertEquals(21, alert[0]);
            assertEquals(112, alert[6]);
            Patience.until(
                    "counted", () -> counters(served).failures(FailureReason.UNKNOWN_NAME) == 1);
        }
    }

    // ---- Reports.

    @ParameterizedTest
    @MethodSource("secured")
    void costOfHandshakesIsReported(Network network) throws IOException {
        Tandem tandem =
                Tandem.listen("127.0.0.1", 0)
                        .network(network)
                        .tls(((OverTls) network).settings())
                        .manage("127.0.0.1", 0)
                        .get("/now", x -> x.send("now"));
        try (Server server = tandem.start();
                RawClient first = secure(server);
                RawClient asking =
                        RawClient.connect(Objects.requireNonNull(server.managementAddress()))) {
            first.send(get("/now")).response();
            try (RawClient second = secure(server)) {
                second.send(get("/now")).response();
                var metrics =
                        PrometheusText.read(asking.send(reported("/metrics")).response().text());
                assertEquals(2, metrics.value("tandem_tls_connections"));
                for (String kind : List.of("full", "resumed")) {
                    String of = "kind=\"" + kind + "\"";
                    assertEquals(1, metrics.value("tandem_tls_handshakes_total", of));
                    assertTrue(metrics.value("tandem_tls_handshake_mean_cpu_seconds", of) > 1e-5);
                }
                assertTrue(metrics.value("tandem_tls_false_resumption_claims_total") >= 0);
                String explained = asking.send(reported("/explain")).response().text();
                assertTrue(explained.contains("1 + 1 (50 %)"), explained);
                assertTrue(explained.contains("learned from 1"), explained);
            }
        }
    }

    private static String reported(String path) {
        return get(path).replace("Host: a", "Host: localhost");
    }

    private static RawClient secure(Server server) throws IOException {
        return RawClient.connect(server.address(), 0, TestCertificate.trust());
    }

    // ---- What is no handshake.

    private static byte[] alertFor(Served served, byte[] bytes) throws IOException {
        try (RawClient client = plain(served)) {
            client.send(bytes);
            client.halfClose();
            return client.rest();
        }
    }

    @ParameterizedTest
    @MethodSource("secured")
    void plainHttpGetsAnExplanation(Network network) throws IOException {
        try (Served served = Served.on(network)) {
            try (RawClient client = plain(served)) { // for which the server lingers
                RawResponse response = client.send(get("/now")).response();
                assertEquals(400, response.status());
                assertTrue(response.text().contains("https"), response.text());
                assertTrue(client.isClosedByServer());
            }
            awaitFailure(served, FailureReason.PLAIN_HTTP);
        }
    }

    @ParameterizedTest
    @MethodSource("secured")
    void brokenHelloGetsAnAlert(Network network) throws IOException {
        try (Served served = Served.on(network)) {
            byte[] hello = Hello.bytes("localhost");
            hello[5] = 2; // a ServerHello
            byte[] alert = alertFor(served, hello);
            assertEquals(7, alert.length, Arrays.toString(alert));
            assertEquals(21, alert[0]);
            awaitFailure(served, FailureReason.BAD_HELLO);
        }
    }

    @ParameterizedTest
    @MethodSource("secured")
    void helloMayComeByteByByte(Network network) throws IOException {
        try (Served served = Served.on(network);
                RawClient client = plain(served)) {
            client.sendBytewise(Hello.bytes("localhost"));
            byte[] response = client.bytes(1);
            assertEquals(22, response[0], "the handshake continues");
        }
    }

    @ParameterizedTest
    @MethodSource("secured")
    void stalledHandshakeIsClosed(Network network) throws IOException {
        Options hasty = Options.DEFAULT.withTimeouts(t -> t.withHandshake(Duration.ofSeconds(4)));
        try (Served served = Served.on(network, hasty, t -> t)) {
            try (RawClient begins = plain(served);
                    RawClient stops = plain(served)) {
                begins.send(new byte[] {22, 3, 1});
                stops.send(Hello.bytes("localhost"));
                assertTrue(begins.isClosedByServer());
                stops.rest(); // with our part of the handshake, or without it on a slow machine
            }
            served.awaitConnections(0);
            assertEquals(2, counters(served).failures(FailureReason.ABANDONED));
        }
    }

    // ---- The end.

    @ParameterizedTest
    @MethodSource("secured")
    void responseWithoutLengthEndsWithCloseNotify(Network network) throws IOException {
        try (Served served =
                Served.on(
                        network,
                        Options.DEFAULT,
                        t -> t.get("/old", x -> x.outputStream().write(new byte[50_000])))) {
            RawClient client = served.client();
            client.send("GET /old HTTP/1.0\n\n");
            byte[] all = client.rest(); // throws if it ends without close_notify
            assertTrue(all.length > 50_000, "came: " + all.length);
        }
    }

    @ParameterizedTest
    @MethodSource("secured")
    void closeNotifyWithTheRequestGetsTheResponse(Network network) throws Exception {
        for (String path : List.of("/now", "/hello")) {
            try (Served served = Served.on(network);
                    Said client = Said.to(served)) {
                client.say(get(path).replace("\n", "\r\n"), "", true);
                String response = client.rest();
                assertTrue(response.startsWith("HTTP/1.1 200 "), path + ": '" + response + "'");
                served.awaitConnections(0);
                assertEquals(0, counters(served).failures(FailureReason.TRUNCATED));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("secured")
    void bodyOfTwoBytesInItsOwnRecordIsReadAtOnce(Network network) throws Exception {
        try (Served served =
                        Served.on(
                                network,
                                Options.DEFAULT,
                                t -> t.post("/", x -> x.send(x.request().body().readAllBytes())));
                Said client = Said.to(served)) {
            client.say("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n", "{}", false);
            String response = client.until("{}");
            assertTrue(response.startsWith("HTTP/1.1 200 "), response);
        }
    }

    @ParameterizedTest
    @MethodSource("secured")
    void truncationIsNoCloseNotify(Network network) throws Exception {
        var failed = new CountDownLatch(1);
        try (Served served =
                Served.on(
                        network,
                        Options.DEFAULT,
                        t ->
                                t.post(
                                        "/",
                                        x -> {
                                            try {
                                                x.request().body().readAllBytes();
                                            } catch (IOException e) {
                                                failed.countDown();
                                                throw e;
                                            }
                                        }))) {
            RawClient client = served.client();
            client.send("POST / HTTP/1.1\nHost: a\nContent-Length: 200000\n\n");
            client.send(new byte[100_000]);
            client.cut();
            assertTrue(failed.await(20, TimeUnit.SECONDS));
            awaitFailure(served, FailureReason.TRUNCATED);
        }
    }

    // ---- Much.

    @ParameterizedTest
    @MethodSource("secured")
    void slowReaderGetsTwentyMegabytesWhileOthersAreServed(Network network) throws IOException {
        var bytes = new byte[SIZE];
        for (int i = 0; i < SIZE; i++) {
            bytes[i] = (byte) (i * 0x9E3779B1 >>> 24);
        }
        try (Served served =
                Served.on(network, Options.DEFAULT, t -> t.get("/much", x -> x.send(bytes)))) {
            RawClient slow = served.client(4096);
            slow.send(get("/much") + get("/now"));
            byte[] first = slow.bytes(10);
            assertEquals("HTTP/1.1 2", new String(first, StandardCharsets.US_ASCII));
            assertEquals("Hello, World!", served.client().send(get("/hello")).response().text());
            byte[] rest = new byte[0];
            var all = new java.io.ByteArrayOutputStream();
            while (all.size() < SIZE) {
                rest = slow.bytes(65_536);
                assertNotEquals(0, rest.length);
                all.write(rest);
            }
            String text = all.toString(StandardCharsets.ISO_8859_1);
            int body = text.indexOf("\r\n\r\n") + 4;
            byte[] came = Arrays.copyOfRange(all.toByteArray(), body, all.size());
            int count = Math.min(came.length, SIZE);
            assertTrue(Arrays.equals(came, 0, count, bytes, 0, count));
        }
    }

    // ---- Proxies.

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#plain")
    void proxyNamesTheClient(Network network) throws IOException {
        try (Served served = proxied(network, "127.0.0.0/8")) {
            RawClient client = plain(served);
            String line = "PROXY TCP4 192.0.2.1 198.51.100.1 5632 443\n";
            assertEquals("192.0.2.1", client.send(line + get("/who")).response().text());
            assertEquals("192.0.2.1", client.send(get("/who")).response().text());
            RawClient bytewise = plain(served);
            bytewise.sendBytewise(dev.tandem.testkit.WireText.bytes(line + get("/who")));
            assertEquals("192.0.2.1", bytewise.response().text());
            RawClient none = plain(served);
            assertTrue(none.send(get("/who")).isClosedByServer());
        }
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#plain")
    void onlyProxiesMayNameTheClient(Network network) throws IOException {
        try (Served served = proxied(network, "192.0.2.0/24");
                RawClient client = plain(served)) {
            assertEquals("127.0.0.1", client.send(get("/who")).response().text());
            client.send("PROXY TCP4 192.0.2.1 198.51.100.1 5632 443\n" + get("/who"));
            assertEquals(400, client.response().status());
        }
    }

    private static Served proxied(Network network, String peers) {
        return Served.on(
                network,
                Options.DEFAULT,
                t ->
                        t.behindProxy(peers)
                                .get(
                                        "/who",
                                        x -> {
                                            var from =
                                                    (InetSocketAddress) x.request().remoteAddress();
                                            x.send(from.getAddress().getHostAddress());
                                        }));
    }

    // ---- Starting.

    @Test
    void brokenCertificatePreventsTheStart(@TempDir Path folder) throws IOException {
        Path file = java.nio.file.Files.writeString(folder.resolve("cert.pem"), "no certificate");
        TlsSettings settings =
                TlsSettings.of(dev.tandem.tls.CertificateFiles.pem(file, file))
                        .withEngine(EngineChoice.JDK);
        int port = FreePort.find();
        Tandem tandem = Tandem.listen("127.0.0.1", port).andListen("127.0.0.1", 0).tls(settings);
        var e = assertThrows(IOException.class, tandem::start);
        assertTrue(String.valueOf(e.getMessage()).contains("cert.pem"), e.getMessage());
        var address = new InetSocketAddress("127.0.0.1", port);
        assertThrows(IOException.class, () -> RawClient.connect(address));
    }

    @Test
    void serverWithoutTlsLoadsNoNettyClass(@TempDir Path folder) throws IOException {
        Path log = folder.resolve("classes");
        Network network = Networks.plain().getLast().getPayload();
        try (var child = new Child(network, "true", "-Xlog:class+load:file=" + log);
                RawClient client = child.client()) {
            assertEquals("now", client.send(get("/now")).response().text());
        }
        String classes = java.nio.file.Files.readString(log);
        assertTrue(classes.contains("dev.tandem.Server "), "the log has classes");
        assertFalse(classes.contains("io.netty"), "Netty's were loaded");
        assertFalse(classes.contains("sun.security.ssl"), "the JDK's engine was loaded");
    }

    /// A client's first message.
    private static final class Hello {
        static byte[] bytes(String name) throws SSLException {
            var engine = TestCertificate.trust().createSSLEngine(name, 443);
            engine.setUseClientMode(true);
            var out = ByteBuffer.allocate(20_000);
            engine.wrap(ByteBuffer.allocate(0), out);
            return Arrays.copyOf(out.array(), out.position());
        }
    }
}
