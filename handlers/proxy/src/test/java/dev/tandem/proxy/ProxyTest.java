package dev.tandem.proxy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.FreePort;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import dev.tandem.testkit.RawResponse;
import dev.tandem.testkit.server.Web;
import dev.tandem.upstream.UpstreamOptions;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class ProxyTest {
    private static final String HELLO = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration BRIEF = Duration.ofMillis(300);

    private AutoCloseable running = () -> {};
    private IntSupplier underWay = () -> 0;

    private Web proxied(ProxyOptions options, String... addresses) throws IOException {
        Proxy proxy = Proxy.to(List.of(addresses), options);
        underWay = proxy::requestCount;
        Web web = new Web(site -> site.route("*", "/{path...}", proxy));
        running =
                () -> {
                    web.close();
                    proxy.close();
                };
        return web;
    }

    @AfterEach
    void stop() throws Exception {
        running.close();
    }

    // ---- Requests.

    @Test
    void requestIsForwardedWithoutConnectionHeaders() throws IOException {
        try (var upstream = ScriptedServer.responding(HELLO)) {
            Web web = proxied(ProxyOptions.DEFAULT, upstream.address());
            Web.Response response =
                    web.get(
                            "/a/b%20c?q=%2F&r",
                            "X-One: 1",
                            "X-One: 2",
                            "X-Mine: secret",
                            "Connection: X-Mine, keep-alive",
                            "Keep-Alive: timeout=5",
                            "TE: trailers",
                            "Proxy: evil:80",
                            "Proxy-Authorization: Basic x",
                            "X-Forwarded-For: 6.6.6.6",
                            "Forwarded: for=6.6.6.6");
            assertEquals("hello", response.text());
            assertEquals(
                    """
                    GET /a/b%20c?q=%2F&r HTTP/1.1
                    Host: localhost
                    X-One: 1
                    X-One: 2
                    Forwarded: for=127.0.0.1;proto=http;host="localhost"
                    X-Forwarded-For: 127.0.0.1
                    X-Forwarded-Proto: http
                    X-Forwarded-Host: localhost
                    Via: 1.1 tandem

                    """,
                    upstream.heads().getFirst().replace("\r", ""));
        }
    }

    @Test
    void trustedForwardingHeadersAreExtended() throws IOException {
        try (var upstream = ScriptedServer.responding(HELLO)) {
            Web web =
                    proxied(
                            ProxyOptions.DEFAULT
                                    .withTrustingForwarded(true)
                                    .withHost("inner.example"),
                            upstream.address());
            web.get("/", "X-Forwarded-For: 1.2.3.4", "X-Forwarded-Proto: https", "Via: 2 front");
            String head = upstream.heads().getFirst();
            assertTrue(head.contains("X-Forwarded-For: 1.2.3.4, 127.0.0.1\r\n"), head);
            assertTrue(head.contains("X-Forwarded-Proto: https\r\n"), head);
            assertTrue(head.contains("Via: 2 front, 1.1 tandem\r\n"), head);
            assertTrue(head.contains("Host: inner.example\r\n"), head);
        }
    }

    /// RFC 9112, section 3.2.2.
    @ParameterizedTest
    @ValueSource(strings = {"/a", "/old/a"})
    void hostOfTargetReplacesHostHeader(String path) throws IOException {
        try (var upstream = ScriptedServer.responding(HELLO)) {
            Proxy proxy = Proxy.to(List.of(upstream.address()), ProxyOptions.DEFAULT);
            Web web =
                    new Web(
                            site ->
                                    site.get("/old/a", x -> x.forward("/a"))
                                            .route("*", "/{path...}", proxy));
            running =
                    () -> {
                        web.close();
                        proxy.close();
                    };
            assertEquals("hello", web.get("http://b.example" + path).text());
            String head = upstream.heads().getFirst();
            assertTrue(head.contains("\r\nHost: b.example\r\n"), head);
            assertTrue(head.contains("\r\nX-Forwarded-Host: b.example\r\n"), head);
            assertFalse(head.contains("localhost"), head);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/api, /",
        "/api/, /",
        "/api/users?x, /users?x",
        "/apix, /apix",
        "/a/../api/x, /x",
        "//api//x, /x",
        "/api/%2e%2e/etc, /etc",
        "/api/%252e%252e/etc, /%252e%252e/etc",
        "/%61pi/x, /x",
        "/api/a;b=c:@!$&()*+=, /a;b=c:@!$&()*+=",
        "/api/%E2%82%AC, /%E2%82%AC",
        "/api/%3F%23, /%3F%23"
    })
    void pathIsTheOneThatFiltersHaveSeen(String target, String passed) throws IOException {
        try (var upstream = ScriptedServer.responding(HELLO)) {
            Web web = proxied(ProxyOptions.DEFAULT.withPrefix("/api"), upstream.address());
            assertEquals(200, web.get(target).status());
            assertEquals("GET " + passed, upstream.heads().getFirst().split(" HTTP")[0]);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/a%2fb", "/a%5cb", "/a%00", "/%c0%ae%c0%ae/", "/../a", "/a%0d%0aX:%20y"})
    void ambiguousPathIsNotForwarded(String target) throws IOException {
        try (var upstream = ScriptedServer.responding(HELLO)) {
            Web web = proxied(ProxyOptions.DEFAULT, upstream.address());
            assertEquals(400, web.get(target).status());
            assertEquals(List.of(), upstream.heads());
        }
    }

    // ---- Responses.

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
                "HTTP/1.0 200 OK\r\n\r\nhello",
                "HTTP/1.1 200\r\nConnection: close\r\n\r\nhello",
                "HTTP/1.1 200 \r\n"
                        + "Transfer-Encoding: chunked\r\n\r\n"
                        + "2\r\n"
                        + "he\r\n"
                        + "3;x=y\r\n"
                        + "llo\r\n"
                        + "0\r\n\r\n",
                "HTTP/1.1 100 Continue\r\n\r\n"
                        + "HTTP/1.1 103 E\r\n"
                        + "Link: x\r\n\r\n"
                        + "HTTP/1.1 200 OK\r\n"
                        + "Content-Length: 5\r\n\r\n"
                        + "hello"
            })
    void everyFramingIsParsed(String response) throws IOException {
        try (var upstream =
                new ScriptedServer(
                        talk -> {
                            talk.readHead();
                            for (char c : response.toCharArray()) {
                                talk.say(String.valueOf(c)); // one character at a time
                            }
                        })) {
            Web web = proxied(ProxyOptions.DEFAULT, upstream.address());
            Web.Response got = web.get("/");
            assertEquals(200, got.status());
            assertEquals("hello", unchunked(got));
            assertNull(got.field("Link"));
        }
    }

    private static String unchunked(Web.Response response) {
        if (response.field("Transfer-Encoding") == null) {
            return response.text();
        }
        var text = new StringBuilder();
        String left = response.text();
        for (int size = 1; size > 0; ) {
            int end = left.indexOf("\r\n");
            size = Integer.parseInt(left.substring(0, end), 16);
            text.append(left, end + 2, end + 2 + size);
            left = left.substring(end + 2 + size + 2);
        }
        return text.toString();
    }

    @Test
    void responseHeadersAreReturnedExceptConnectionHeaders() throws IOException {
        String response =
                "HTTP/1.1 404 Nope\r\n"
                        + "Set-Cookie: a=1\r\n"
                        + "Set-Cookie: b=2\r\n"
                        + "X-Own: 1\r\n"
                        + "X-Hop: 1\r\n"
                        + "Connection: X-Hop\r\n"
                        + "Keep-Alive: timeout=5\r\n"
                        + "Content-Length: 2\r\n\r\n"
                        + "no";
        try (var upstream = ScriptedServer.responding(response)) {
            Web.Response got = proxied(ProxyOptions.DEFAULT, upstream.address()).get("/");
            assertEquals(404, got.status());
            assertEquals("a=1, b=2", got.field("Set-Cookie"));
            assertEquals("1", got.field("X-Own"));
            assertNull(got.field("X-Hop"));
            assertNull(got.field("Keep-Alive"));
            assertEquals("no", got.text());
        }
    }

    /// Waits until the connection is released, which happens a moment after the response.
    private void awaitRelease() {
        Patience.until("it is given back", () -> underWay.getAsInt() == 0);
    }

    @ParameterizedTest
    @CsvSource({"HEAD, 200", "GET, 304", "GET, 204"})
    void responseWithoutContentHasNone(String method, int status) throws IOException {
        String length = status == 204 ? "" : "Content-Length: 7\r\n";
        try (var upstream =
                ScriptedServer.responding("HTTP/1.1 " + status + " X\r\n" + length + "\r\n")) {
            Web web = proxied(ProxyOptions.DEFAULT, upstream.address());
            for (int i = 0; i < 2; i++) {
                Web.Response got = web.ask(method, "/");
                assertEquals(status, got.status());
                assertEquals("", got.text());
                awaitRelease();
            }
            // Announced content may be sent all the same.
            assertEquals(length.isEmpty() ? 1 : 2, upstream.connections());
        }
    }

    @Test
    void longResponseIsForwardedCompletely() throws IOException {
        var content = new byte[3_000_000];
        new Random(3).nextBytes(content);
        String text = new String(content, StandardCharsets.ISO_8859_1);
        try (var upstream =
                ScriptedServer.responding(
                        "HTTP/1.1 200 OK\r\nContent-Length: 3000000\r\n\r\n" + text)) {
            Web web = proxied(ProxyOptions.DEFAULT, upstream.address());
            assertArrayEquals(content, web.get("/").body());
            awaitRelease();
            assertArrayEquals(content, web.get("/").body());
            assertEquals(1, upstream.connections());
        }
    }

    @Test
    void beginningOfAResponseIsSentBeforeItsEnd() throws Exception {
        var isForwarded = new java.util.concurrent.CountDownLatch(1);
        try (var upstream =
                new ScriptedServer(
                        talk -> {
                            talk.readHead();
                            talk.say("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n");
                            talk.say("data: 1\n\n");
                            await(isForwarded);
                        })) {
            Web web = proxied(ProxyOptions.DEFAULT, upstream.address());
            try (Socket socket = web.connect()) {
                Web.send(socket, "GET", "/");
                var seen = new StringBuilder();
                while (seen.indexOf("data: 1") < 0) {
                    seen.append((char) socket.getInputStream().read());
                }
                isForwarded.countDown();
                assertTrue(seen.toString().startsWith("HTTP/1.1 200"));
            }
        }
    }

    private static void await(java.util.concurrent.CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    // ---- Bodies.

    @ParameterizedTest
    @ValueSource(ints = {1, 60_000, 65_536, 65_537, 2_000_000})
    void bodyIsForwardedCompletely(int size) throws IOException {
        var content = new byte[size];
        new Random(4).nextBytes(content);
        try (var upstream =
                new ScriptedServer(
                        talk -> {
                            String head = String.valueOf(talk.readHead());
                            assertTrue(head.contains("Content-Length: " + size + "\r\n"), head);
                            byte[] got = talk.read(size);
                            talk.say(
                                    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"
                                            + Arrays.equals(got, content)
                                            + " ");
                        })) {
            Web web = proxied(ProxyOptions.DEFAULT, upstream.address());
            assertEquals("true ", post(web, "Content-Length: " + size, content).text());
        }
    }

    private static Web.Response post(Web web, String framing, byte[] body) throws IOException {
        try (Socket socket = web.connect()) {
            Web.send(socket, "POST", "/", framing);
            socket.getOutputStream().write(body);
            return Web.read(socket.getInputStream());
        }
    }

    @Test
    void chunkedBodyIsForwardedInChunks() throws IOException {
        try (var upstream =
                new ScriptedServer(
                        talk -> {
                            String head = String.valueOf(talk.readHead());
                            assertTrue(head.contains("Transfer-Encoding: chunked\r\n"), head);
                            var seen = new StringBuilder();
                            while (!seen.toString().endsWith("0\r\n\r\n")) {
                                seen.append((char) talk.in().read());
                            }
                            String text = seen.toString().replaceAll("[0-9a-f]+\r\n|\r\n", "");
                            talk.say(
                                    "HTTP/1.1 200 OK\r\nContent-Length: "
                                            + text.length()
                                            + "\r\n\r\n"
                                            + text);
                        })) {
            Web web = proxied(ProxyOptions.DEFAULT, upstream.address());
            byte[] body =
                    "5\r\nHELLO\r\n6\r\n WORLD\r\n0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
            assertEquals("HELLO WORLD", post(web, "Transfer-Encoding: chunked", body).text());
        }
    }

    @Test
    void echoThatFillsBothDirectionsDoesNotDeadlock() throws IOException {
        int size = 8_000_000;
        var content = new byte[size];
        new Random(5).nextBytes(content);
        try (var upstream =
                new ScriptedServer(
                        talk -> {
                            talk.readHead();
                            talk.say("HTTP/1.1 200 OK\r\nContent-Length: " + size + "\r\n\r\n");
                            var buffer = new byte[50_000];
                            for (int done = 0; done < size; ) {
                                int count = talk.in().read(buffer);
                                talk.socket().getOutputStream().write(buffer, 0, count);
                                done += count;
                            }
                        })) {
            Web web = proxied(ProxyOptions.DEFAULT, upstream.address());
            try (Socket socket = web.connect()) {
                Web.send(socket, "POST", "/", "Content-Length: " + size);
                Thread sender =
                        Thread.ofVirtual()
                                .start(
                                        () -> {
                                            try {
                                                socket.getOutputStream().write(content);
                                            } catch (IOException _) {
                                                // The response shows the result.
                                            }
                                        });
                assertArrayEquals(content, Web.read(socket.getInputStream()).body());
                assertFalse(sender.isInterrupted());
            }
        }
    }

    @Test
    void responseBeforeTheBodysEndIsForwarded() throws IOException {
        try (var upstream =
                new ScriptedServer(
                        talk -> {
                            talk.readHead();
                            talk.say("HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\n\r\nno!");
                            talk.awaitEnd();
                        })) {
            Web web = proxied(ProxyOptions.DEFAULT, upstream.address());
            try (Socket socket = web.connect()) {
                Web.send(socket, "POST", "/", "Content-Length: 10000000");
                // More than socket buffers hold, so that the whole body cannot be sent before the
                // response.
                Thread.ofVirtual().start(() -> write(socket, new byte[9_999_999]));
                assertEquals(413, Web.read(socket.getInputStream()).status());
            }
        }
    }

    /// The rest of such a body is read by a worker, while others have the loop.
    @ParameterizedTest
    @CsvSource({
        "Content-Length: 100000, false",
        "Transfer-Encoding: chunked, false",
        "Content-Length: 100000, true",
        "Transfer-Encoding: chunked, true",
    })
    void responseBeforeTheEndOfABodyReachesItsOwnClient(String framing, boolean isStreamed)
            throws IOException {
        String other = isStreamed ? chunked("other", 20_000) : sized("other");
        String own = isStreamed ? chunked("own", 20_000) : sized("own");
        try (var upstream =
                new ScriptedServer(
                        talk -> {
                            String status = "HTTP/1.1 413 Too Large\r\n";
                            String head = talk.readHead();
                            while (head != null && !head.startsWith("POST")) {
                                talk.say(status + other);
                                head = talk.readHead();
                            }
                            talk.say(status + own);
                            talk.awaitEnd();
                        })) {
            Web web = proxied(ProxyOptions.DEFAULT, upstream.address());
            String get = "GET / HTTP/1.1\nHost: localhost\n\n";
            try (RawClient client = RawClient.connect(web.serverAddress());
                    RawClient another = RawClient.connect(web.serverAddress())) {
                boolean isChunked = framing.endsWith("chunked");
                client.send("POST / HTTP/1.1\nHost: localhost\n" + framing + "\n\n");
                client.send(isChunked ? "11170\n" : "").send(new byte[70_000]);
                assertRejected("own", client.response());
                assertRejected("other", another.send(get).response());
                client.send(isChunked ? "\n0\n\n" : "");
                client.send(isChunked ? new byte[0] : new byte[30_000]);
                assertRejected("other", client.send(get).response());
            }
        }
    }

    private static void assertRejected(String text, RawResponse response) {
        assertEquals(413, response.status());
        assertTrue(response.text().startsWith(text), response::text);
    }

    private static String sized(String text) {
        return "Content-Length: " + text.length() + "\r\n\r\n" + text;
    }

    private static String chunked(String text, int further) {
        String rest = Integer.toHexString(further) + "\r\n" + "x".repeat(further) + "\r\n0\r\n\r\n";
        String first = Integer.toHexString(text.length()) + "\r\n" + text + "\r\n";
        return "Transfer-Encoding: chunked\r\n\r\n" + first + rest;
    }

    private static void write(Socket socket, byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
        } catch (IOException _) {
            // The response shows the result.
        }
    }

    // ---- Misbehaving upstreams.

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "garbage\r\n\r\n",
                "HTTP/2 200 OK\r\n\r\n",
                "HTTP/1.1 999 X\r\n\r\n",
                "HTTP/1.1 20 X\r\n\r\n",
                "HTTP/1.1 200 OK\nContent-Length: 2\n\nhi",
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nhi",
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nhi",
                "HTTP/1.1 200 OK\r\n"
                        + "Content-Length: 2\r\n"
                        + "Transfer-Encoding: chunked\r\n\r\n"
                        + "0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
                "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: +2\r\n\r\nhi",
                "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nhi",
                "HTTP/1.1 200 OK\r\nX: a\r\n b\r\nContent-Length: 2\r\n\r\nhi",
                "HTTP/1.1 200 OK\r\nX : a\r\nContent-Length: 2\r\n\r\nhi",
                "HTTP/1.1 200 OK\r\nX\r\nContent-Length: 2\r\n\r\nhi",
                "HTTP/1.1 200 OK\r\nX: a\rb\r\nContent-Length: 2\r\n\r\nhi",
                "HTTP/1.1 200 OK\r\nX: a\0b\r\nContent-Length: 2\r\n\r\nhi",
                "HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n"
            })
    void malformedResponseIs502AndEndsTheConnection(String response) throws IOException {
        try (var upstream =
                new ScriptedServer(
                        talk -> {
                            talk.readHead();
                            talk.say(response);
                            if (!response.isEmpty() && response.endsWith("\r\n\r\n")) {
                                talk.awaitEnd();
                            }
                        })) {
            Web web = proxied(ProxyOptions.DEFAULT.withAttemptsMax(1), upstream.address());
            assertEquals(502, web.get("/").status());
            assertEquals(502, web.get("/").status());
            assertEquals(2, upstream.connections());
        }
    }

    @Test
    void endlessHeadIs502() throws IOException {
        try (var upstream =
                new ScriptedServer(
                        talk -> {
                            talk.readHead();
                            talk.say("HTTP/1.1 200 OK\r\n");
                            for (int i = 0; i < 10_000; i++) {
                                talk.say("X-" + i + ": " + "x".repeat(100) + "\r\n");
                            }
                        })) {
            Web web = proxied(ProxyOptions.DEFAULT.withAttemptsMax(1), upstream.address());
            assertEquals(502, web.get("/").status());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\nshort",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhelloXX",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\nhello\r\n0\r\n\r\n"
            })
    void truncatedResponseNeverLooksComplete(String response) throws IOException {
        try (var upstream =
                new ScriptedServer(
                        talk -> {
                            talk.readHead();
                            talk.say(response);
                        })) {
            Web web = proxied(ProxyOptions.DEFAULT.withAttemptsMax(1), upstream.address());
            Web.Response got = web.get("/");
            boolean isWhole =
                    got.status() == 200
                            && (got.field("Transfer-Encoding") != null
                                    ? got.text().endsWith("0\r\n\r\n")
                                    : String.valueOf(got.body().length)
                                            .equals(got.field("Content-Length")));
            assertFalse(isWhole, got.toString());
        }
    }

    /// Where the content ends with the connection, that is reset.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhelloXX"
            })
    void truncatedResponseOverHttp10NeverLooksComplete(String response) throws IOException {
        try (var upstream =
                new ScriptedServer(
                        talk -> {
                            talk.readHead();
                            talk.say(response);
                        })) {
            Web web = proxied(ProxyOptions.DEFAULT.withAttemptsMax(1), upstream.address());
            try (Socket socket = web.connect()) {
                socket.getOutputStream()
                        .write("GET / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                byte[] got;
                try {
                    got = socket.getInputStream().readAllBytes();
                } catch (SocketException _) {
                    return; // it was reset
                }
                String text = new String(got, StandardCharsets.US_ASCII);
                assertTrue(text.startsWith("HTTP/1.1 502 "), text); // nothing had been sent
            }
        }
    }

    @Test
    void dataBehindAResponseIsNotTheNextResponse() throws IOException {
        try (var upstream =
                ScriptedServer.responding(HELLO + "HTTP/1.1 200 OK\r\nX-Smuggled: 1\r\n\r\n")) {
            Web web = proxied(ProxyOptions.DEFAULT, upstream.address());
            for (int i = 0; i < 3; i++) {
                Web.Response got = web.get("/");
                assertEquals("hello", got.text());
                assertNull(got.field("X-Smuggled"));
            }
            assertEquals(3, upstream.connections());
        }
    }

    @Test
    void inactiveUpstreamIs504() throws IOException {
        try (var upstream =
                new ScriptedServer(
                        talk -> {
                            talk.readHead();
                            talk.awaitEnd();
                        })) {
            var times =
                    UpstreamOptions.DEFAULT
                            .withConnectTimeout(LONG)
                            .withResponseTimeout(BRIEF)
                            .withInactivityTimeout(LONG);
            ProxyOptions options = ProxyOptions.DEFAULT.withUpstream(times);
            assertEquals(504, proxied(options, upstream.address()).get("/").status());
        }
    }

    @Test
    void responseIsTruncatedIfTheUpstreamStalls() throws IOException {
        try (var upstream =
                new ScriptedServer(
                        talk -> {
                            talk.readHead();
                            talk.say("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\nbegun");
                            talk.awaitEnd();
                        })) {
            var times =
                    UpstreamOptions.DEFAULT
                            .withConnectTimeout(LONG)
                            .withResponseTimeout(LONG)
                            .withInactivityTimeout(BRIEF);
            ProxyOptions options = ProxyOptions.DEFAULT.withUpstream(times);
            Web.Response got = proxied(options, upstream.address()).get("/");
            assertEquals("100000", got.field("Content-Length"));
            assertEquals("begun", got.text());
        }
    }

    @Test
    void rejectedConnectionIs502() throws IOException {
        String address = "127.0.0.1:" + FreePort.find();
        assertEquals(502, proxied(ProxyOptions.DEFAULT, address).get("/").status());
    }

    @Test
    void unknownHostIs502() throws IOException {
        assertEquals(
                502, proxied(ProxyOptions.DEFAULT, "no-such-host.invalid:80").get("/").status());
    }
}
