package dev.tandem.tomcat;

import static dev.tandem.tomcat.BlockingServletTest.servlet;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.http.h2.ErrorCode;
import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.RawClient;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpUpgradeHandler;
import jakarta.servlet.http.WebConnection;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.coyote.http2.Http2Protocol;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;
import org.apache.tomcat.util.net.SSLHostConfigCertificate.Type;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Servlets over HTTP/2.
@Timeout(120)
class Http2Test {
    private static final String CIPHER_SUITE = "jakarta.servlet.request.cipher_suite";
    private static final byte[] LARGE = new byte[3_000_000];

    static {
        for (int i = 0; i < LARGE.length; i++) {
            LARGE[i] = (byte) (i * 31 >>> 5);
        }
    }

    private final BlockingQueue<String> notes = new LinkedBlockingQueue<>();
    private final CountDownLatch release = new CountDownLatch(1);

    @AfterEach
    void release() {
        release.countDown();
    }

    private void awaitRelease() {
        try {
            assertTrue(release.await(60, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void upgrade(HttpServletRequest q) throws IOException {
        try {
            q.upgrade(Upgraded.class);
        } catch (ServletException e) {
            throw new IOException(e);
        }
    }

    private TestTomcat site() throws IOException {
        var site = new TestTomcat();
        site.connector.setProperty("http2", "true");
        return site.with("/hello", servlet((_, s) -> s.getWriter().print("hello")))
                .with("/large", servlet((_, s) -> s.getOutputStream().write(LARGE)))
                .with("/echo", servlet(Http2Test::echo))
                .with("/what", servlet((q, s) -> s.getWriter().print(describe(q))));
    }

    private static void echo(HttpServletRequest q, HttpServletResponse s) throws IOException {
        s.getOutputStream().write(q.getInputStream().readAllBytes());
    }

    private static String describe(HttpServletRequest q) {
        return q.getProtocol()
                + " "
                + q.getScheme()
                + " "
                + q.isSecure()
                + " "
                + q.getRemoteAddr()
                + " "
                + q.getRequestURI()
                + " "
                + q.getQueryString()
                + " "
                + q.getServletConnection().getProtocol()
                + " "
                + q.getProtocolRequestId();
    }

    private static TestTomcat withTls(TestTomcat site) {
        var host = new SSLHostConfig();
        var certificate = new SSLHostConfigCertificate(host, Type.UNDEFINED);
        certificate.setCertificateKeystoreFile(TestKeyStore.FIRST.path().toString());
        certificate.setCertificateKeystorePassword(TestKeyStore.PASSWORD);
        host.addCertificate(certificate);
        site.connector.setProperty("SSLEnabled", "true");
        site.connector.setScheme("https");
        site.connector.setSecure(true);
        site.connector.addSslHostConfig(host);
        return site;
    }

    private static HttpClient tlsClient() {
        return HttpClient.newBuilder()
                .sslContext(TestKeyStore.FIRST.anonymousClient())
                .cookieHandler(new CookieManager())
                .build();
    }

    private static HttpRequest.Builder request(TestTomcat site, String path) {
        return HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + site.port() + path))
                .timeout(Duration.ofSeconds(20));
    }

    private void assertNote(StreamClient client, String expected) throws IOException {
        client.until(expected, () -> !notes.isEmpty());
        assertEquals(expected, notes.remove());
    }

    // ---- Failures.

    @Test
    void connectorSpeaksHttp1AloneByDefault() throws Exception {
        try (var site = new TestTomcat().with("/", servlet((_, _) -> {})).start();
                RawClient client = site.client()) {
            int status = client.send("PRI * HTTP/2.0\n\nSM\n\n").response().status();
            assertTrue(status == 400 || status == 505, "status " + status);
        }
    }

    @Test
    void resetFailsTheReaderOfABody() throws Exception {
        try (TestTomcat site =
                        site().with(
                                        "/read",
                                        servlet(
                                                (q, _) -> {
                                                    notes.add("reads");
                                                    try {
                                                        q.getInputStream().readAllBytes();
                                                    } catch (IOException e) {
                                                        notes.add("failed");
                                                    }
                                                }))
                                .start();
                var client = new StreamClient(site.port())) {
            int id = client.request("POST", "/read", false);
            client.data(id, "abc", false);
            assertNote(client, "reads");
            client.reset(id);
            assertNote(client, "failed");
            assertEquals("hello", client.fetch("/hello").text());
        }
    }

    @Test
    void resetInMidResponseFailsTheWriterOnly() throws Exception {
        try (TestTomcat site =
                        site().with(
                                        "/endless",
                                        servlet(
                                                (_, s) -> {
                                                    try {
                                                        for (int i = 0; i < 1000; i++) {
                                                            s.getOutputStream().write(LARGE);
                                                        }
                                                    } catch (IOException e) {
                                                        notes.add("failed");
                                                    }
                                                }))
                                .start();
                var client = new StreamClient(site.port())) {
            client.keepWindows();
            int id = client.get("/endless");
            client.until("content", () -> client.expect(id).content.size() > 60_000);
            client.openWindow(0, 1_000_000);
            assertEquals("hello", client.fetch("/hello").text());
            client.reset(id);
            assertNote(client, "failed");
            assertEquals("hello", client.fetch("/hello").text());
        }
    }

    private final class Noting implements AsyncListener {
        @Override
        public void onComplete(AsyncEvent event) {
            notes.add("complete");
        }

        @Override
        public void onTimeout(AsyncEvent event) {
            notes.add("timeout");
        }

        @Override
        public void onError(AsyncEvent event) {
            notes.add("error: " + event.getThrowable().getMessage());
            event.getAsyncContext().complete();
        }

        @Override
        public void onStartAsync(AsyncEvent event) {}
    }

    @Test
    void resetIsAnErrorOfTheAsyncRequest() throws Exception {
        try (TestTomcat site =
                        site().with(
                                        "/async",
                                        servlet(
                                                (q, _) -> {
                                                    AsyncContext context = q.startAsync();
                                                    context.addListener(new Noting());
                                                    notes.add("started");
                                                }))
                                .start();
                var client = new StreamClient(site.port())) {
            int id = client.get("/async");
            assertNote(client, "started");
            client.reset(id);
            assertNote(client, "error: the client has disconnected, or reset the stream");
            assertNote(client, "complete");
            client.until("the end", () -> site.openCount() == 0);
            assertEquals("hello", client.fetch("/hello").text());
        }
    }

    /// Writes without an end, as the client takes it.
    private final class Endless implements WriteListener {
        private final ServletOutputStream out;
        private final AsyncContext context;

        Endless(AsyncContext context, ServletOutputStream out) {
            this.context = context;
            this.out = out;
        }

        @Override
        public void onWritePossible() throws IOException {
            while (out.isReady()) {
                out.write(LARGE, 0, 8192);
            }
            notes.add("not ready");
        }

        @Override
        public void onError(Throwable e) {
            notes.add("error");
            context.complete();
        }
    }

    @Test
    void resetIsAnErrorOfTheWriteListener() throws Exception {
        try (TestTomcat site =
                        site().with(
                                        "/endless",
                                        servlet(
                                                (q, s) -> {
                                                    AsyncContext context = q.startAsync();
                                                    ServletOutputStream out = s.getOutputStream();
                                                    out.setWriteListener(new Endless(context, out));
                                                }))
                                .start();
                var client = new StreamClient(site.port())) {
            client.keepWindows();
            int id = client.get("/endless");
            client.until("its window", () -> client.expect(id).content.size() == 65_535);
            client.until("a writer that waits", () -> notes.contains("not ready"));
            assertFalse(notes.contains("error"));
            client.reset(id);
            client.until("the error", () -> notes.contains("error"));
            client.until("the end", () -> site.openCount() == 0);
        }
    }

    @Test
    void asyncRequestsThatAreResetLeaveNothing() throws Exception {
        try (TestTomcat site =
                        site().with(
                                        "/async",
                                        servlet(
                                                (q, s) -> {
                                                    AsyncContext context = q.startAsync();
                                                    context.addListener(new Noting());
                                                    context.start(
                                                            () -> completeQuietly(context, s));
                                                }))
                                .start();
                var client = new StreamClient(site.port())) {
            for (int round = 0; round < 20; round++) {
                List<Integer> ids = new ArrayList<>();
                for (int i = 0; i < 20; i++) {
                    ids.add(client.get("/async"));
                }
                for (int i = 0; i < 20; i += 2) {
                    client.reset(ids.get(i));
                }
                for (int i = 1; i < 20; i += 2) {
                    assertEquals("late", client.response(ids.get(i)).text());
                }
            }
            client.until("the end of all", () -> site.openCount() == 0);
            assertEquals("hello", client.fetch("/hello").text());
        }
    }

    private static void completeQuietly(AsyncContext context, HttpServletResponse s) {
        try {
            s.getWriter().print("late");
            context.complete();
        } catch (IOException | IllegalStateException e) {
            // The stream was reset, and the listener has completed the request.
        }
    }

    @Test
    void asyncRequestTimesOut() throws Exception {
        try (TestTomcat site =
                        site().with(
                                        "/async",
                                        servlet(
                                                (q, _) -> {
                                                    AsyncContext context = q.startAsync();
                                                    context.setTimeout(1);
                                                    context.addListener(new Noting());
                                                }))
                                .start();
                var client = new StreamClient(site.port())) {
            assertEquals(500, client.fetch("/async").status);
            assertNote(client, "timeout");
        }
    }

    @Test
    void responseShorterThanItsLengthIsReset() throws Exception {
        try (TestTomcat site =
                        site().with(
                                        "/short",
                                        servlet(
                                                (_, s) -> {
                                                    s.setContentLength(10);
                                                    s.getOutputStream().print("abc");
                                                }))
                                .start();
                var client = new StreamClient(site.port())) {
            assertEquals(ErrorCode.INTERNAL_ERROR, client.fetch("/short").reset);
        }
    }

    @Test
    void failedServletHasItsErrorPage() throws Exception {
        try (TestTomcat site =
                        site().with(
                                        "/fails",
                                        servlet(
                                                (_, _) -> {
                                                    throw new IllegalStateException("on purpose");
                                                }))
                                .start();
                var client = new StreamClient(site.port())) {
            StreamClient.Response response = client.fetch("/fails");
            assertEquals(500, response.status);
            assertTrue(response.text().contains("on purpose"), response.text());
            assertNull(response.headers.first("connection"));
            assertEquals(404, client.fetch("/nowhere").status);
            assertEquals("hello", client.fetch("/hello").text());
            assertNull(client.goAway());
        }
    }

    /// An upgrade handler that is never called.
    public static final class Upgraded implements HttpUpgradeHandler {
        @Override
        public void init(WebConnection connection) {}

        @Override
        public void destroy() {}
    }

    @Test
    void requestCannotBeUpgraded() throws Exception {
        try (TestTomcat site = site().with("/upgrade", servlet((q, _) -> upgrade(q))).start();
                var client = new StreamClient(site.port())) {
            StreamClient.Response response = client.fetch("/upgrade");
            assertEquals(500, response.status);
            assertTrue(response.text().contains("cannot be upgraded"), response.text());
        }
    }

    @Test
    void connectRequestIsRejected() throws Exception {
        try (TestTomcat site = site().start();
                var client = new StreamClient(site.port())) {
            int id = client.request("CONNECT", "/x", true);
            StreamClient.Response response = client.response(id);
            assertTrue(response.status >= 400 || response.reset != null, response.toString());
            assertEquals("hello", client.fetch("/hello").text());
        }
    }

    // ---- Requests and responses.

    @Test
    void servletSeesTheProtocol() throws Exception {
        try (TestTomcat site = site().start();
                var client = new StreamClient(site.port())) {
            assertEquals(
                    "HTTP/2.0 http false 127.0.0.1 /what a=b%20c h2c 1",
                    client.fetch("/what?a=b%20c").text());
            StreamClient.Response hello = client.fetch("/hello");
            assertEquals("5", hello.headers.first("content-length"));
            assertTrue(hello.headers.contains("date"));
            assertEquals("HTTP/1.1", protocolOfHttp1(site));
        }
    }

    private static String protocolOfHttp1(TestTomcat site) throws IOException {
        try (RawClient client = site.client()) {
            String text = client.send("GET /what HTTP/1.1\nHost: h\n\n").response().text();
            return text.substring(0, "HTTP/1.1".length());
        }
    }

    @Test
    void clientOverTlsChoosesHttp2() throws Exception {
        try (TestTomcat site = withTls(site()).start();
                HttpClient client = tlsClient()) {
            HttpResponse<String> response =
                    client.send(
                            request(site, "/what").build(), HttpResponse.BodyHandlers.ofString());
            assertEquals(HttpClient.Version.HTTP_2, response.version());
            assertEquals("HTTP/2.0 https true 127.0.0.1 /what null h2 1", response.body());
        }
    }

    @Test
    void servletSeesTheTlsSession() throws Exception {
        try (TestTomcat site =
                        withTls(site())
                                .with(
                                        "/tls",
                                        servlet(
                                                (q, s) ->
                                                        s.getWriter()
                                                                .print(
                                                                        q.getAttribute(
                                                                                CIPHER_SUITE))))
                                .start();
                HttpClient client = tlsClient()) {
            HttpResponse<String> response =
                    client.send(
                            request(site, "/tls").build(), HttpResponse.BodyHandlers.ofString());
            assertEquals(HttpClient.Version.HTTP_2, response.version());
            assertTrue(response.body().startsWith("TLS_"), response.body());
        }
    }

    @Test
    void longBodiesAreSentBothWays() throws Exception {
        try (TestTomcat site = withTls(site()).start();
                HttpClient client = tlsClient()) {
            HttpRequest post =
                    request(site, "/echo")
                            .POST(HttpRequest.BodyPublishers.ofByteArray(LARGE))
                            .build();
            HttpResponse<byte[]> response =
                    client.send(post, HttpResponse.BodyHandlers.ofByteArray());
            assertEquals(HttpClient.Version.HTTP_2, response.version());
            assertArrayEquals(LARGE, response.body());
        }
    }

    @Test
    void sessionIsKeptByItsCookie() throws Exception {
        try (TestTomcat site =
                        withTls(site())
                                .with(
                                        "/count",
                                        servlet(
                                                (q, s) -> {
                                                    Object before =
                                                            q.getSession().getAttribute("n");
                                                    int count = before instanceof Integer n ? n : 0;
                                                    q.getSession().setAttribute("n", count + 1);
                                                    s.getWriter().print(count);
                                                }))
                                .start();
                HttpClient client = tlsClient()) {
            HttpRequest request = request(site, "/count").build();
            for (int i = 0; i < 3; i++) {
                HttpResponse<String> response =
                        client.send(request, HttpResponse.BodyHandlers.ofString());
                assertEquals(Integer.toString(i), response.body());
            }
        }
    }

    @Test
    void cookieCrumbsAreOneHeader() throws Exception {
        try (TestTomcat site =
                        site().with(
                                        "/cookies",
                                        servlet(
                                                (q, s) ->
                                                        s.getWriter().print(q.getCookies().length)))
                                .start();
                var client = new StreamClient(site.port())) {
            assertEquals("2", client.fetch("/cookies", "cookie", "a=b", "cookie", "c=d").text());
        }
    }

    @Test
    void responseToHeadHasNoContent() throws Exception {
        try (TestTomcat site = site().start();
                var client = new StreamClient(site.port())) {
            StreamClient.Response response =
                    client.response(client.request("HEAD", "/large", true));
            assertEquals(200, response.status);
            assertEquals(0, response.content.size());
        }
    }

    @Test
    void trailersAreSentAndReceived() throws Exception {
        try (TestTomcat site = site()) {
            site.connector.setProperty("allowedTrailerHeaders", "x-sum");
            site.with(
                    "/trailers",
                    servlet(
                            (q, s) -> {
                                s.setTrailerFields(() -> Map.of("grpc-status", "0"));
                                s.getOutputStream().print("a");
                                s.flushBuffer();
                                q.getInputStream().readAllBytes();
                                s.getOutputStream()
                                        .print(
                                                q.isTrailerFieldsReady()
                                                        + " "
                                                        + q.getTrailerFields());
                            }));
            site.start();
            try (var client = new StreamClient(site.port())) {
                int id = client.request("POST", "/trailers", false);
                client.data(id, "abc", false);
                client.until("a piece", () -> client.expect(id).text().equals("a"));
                client.trailers(id, "x-sum", "42");
                StreamClient.Response response = client.response(id);
                assertEquals("atrue {x-sum=42}", response.text());
                assertEquals("0", response.trailers.first("grpc-status"));
                assertNull(response.headers.first("transfer-encoding"));
            }
        }
    }

    /// As gRPC's responses of trailers only, which its clients expect in one frame.
    @Test
    void responseWithoutContentIsOneFrame() throws Exception {
        try (TestTomcat site =
                        site().with(
                                        "/status",
                                        servlet(
                                                (q, s) -> {
                                                    AsyncContext context = q.startAsync();
                                                    s.setHeader("grpc-status", "12");
                                                    context.start(context::complete);
                                                }))
                                .start();
                var client = new StreamClient(site.port())) {
            int id = client.request("POST", "/status", false);
            client.data(id, "more is to come", false);
            StreamClient.Response response = client.response(id);
            assertEquals("12", response.headers.first("grpc-status"));
            assertTrue(response.isEnded);
            assertEquals(0, response.dataFrames);
            client.until("the reset of what the client still sends", () -> response.reset != null);
            assertEquals(ErrorCode.NO_ERROR, response.reset);
        }
    }

    @Test
    void trailersFollowContentOfKnownLength() throws Exception {
        try (TestTomcat site =
                        site().with(
                                        "/trailers",
                                        servlet(
                                                (_, s) -> {
                                                    s.setTrailerFields(() -> Map.of("x-a", "b"));
                                                    s.setContentLength(3);
                                                    s.getOutputStream().print("abc");
                                                }))
                                .start();
                var client = new StreamClient(site.port())) {
            StreamClient.Response response = client.fetch("/trailers");
            assertEquals("abc", response.text());
            assertEquals("3", response.headers.first("content-length"));
            assertEquals("b", response.trailers.first("x-a"));
        }
    }

    @Test
    void continueAndHintsPrecedeTheResponse() throws Exception {
        try (TestTomcat site =
                        site().with(
                                        "/hints",
                                        servlet(
                                                (q, s) -> {
                                                    s.addHeader("Link", "</a.css>; rel=preload");
                                                    s.sendError(103);
                                                    echo(q, s);
                                                }))
                                .start();
                var client = new StreamClient(site.port())) {
            int id = client.request("POST", "/hints", false, "expect", "100-continue");
            StreamClient.Response response = client.expect(id);
            client.until("both", () -> response.interim.size() == 2);
            assertTrue(response.interim.containsAll(List.of(100, 103)));
            client.data(id, "abc", true);
            assertEquals("abc", client.response(id).text());
        }
    }

    @Test
    void slowReaderOfOneStreamDelaysNoOther() throws Exception {
        try (TestTomcat site = site().start();
                var client = new StreamClient(site.port())) {
            client.keepWindows();
            int slow = client.get("/large");
            client.until("its window", () -> client.expect(slow).content.size() == 65_535);
            client.openWindow(0, 10_000_000);
            for (int i = 0; i < 10; i++) {
                assertEquals("hello", client.fetch("/hello").text());
            }
            assertFalse(client.expect(slow).isEnded);
            client.openWindow(slow, 10_000_000);
            assertArrayEquals(LARGE, client.response(slow).content.toByteArray());
        }
    }

    // ---- Async requests.

    @Test
    void asyncRequestIsCompletedByAnotherThread() throws Exception {
        try (TestTomcat site =
                        site().with(
                                        "/async",
                                        servlet(
                                                (q, s) -> {
                                                    AsyncContext context = q.startAsync();
                                                    Thread.ofPlatform()
                                                            .start(() -> complete(context, s));
                                                }))
                                .start();
                var client = new StreamClient(site.port())) {
            for (int i = 0; i < 20; i++) {
                assertEquals("late", client.fetch("/async").text());
            }
        }
    }

    private static void complete(AsyncContext context, HttpServletResponse s) {
        try {
            s.getWriter().print("late");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        context.complete();
    }

    @Test
    void asyncRequestIsDispatched() throws Exception {
        try (TestTomcat site =
                        site().with("/async", servlet((q, _) -> q.startAsync().dispatch("/hello")))
                                .start();
                var client = new StreamClient(site.port())) {
            assertEquals("hello", client.fetch("/async").text());
        }
    }

    private record Echoing(
            AsyncContext context,
            ServletInputStream in,
            ServletOutputStream out,
            ByteArrayOutputStream body)
            implements ReadListener, WriteListener {
        @Override
        public void onDataAvailable() throws IOException {
            var buffer = new byte[1000];
            while (in.isReady() && !in.isFinished()) {
                int count = in.read(buffer);
                body.write(buffer, 0, Math.max(0, count));
            }
        }

        @Override
        public void onAllDataRead() {
            out.setWriteListener(this);
        }

        @Override
        public void onWritePossible() throws IOException {
            for (int i = 0; i < 100 && out.isReady(); i++) {
                if (body.size() == 0) {
                    context.complete();
                    return;
                }
                out.write(body.toByteArray());
                body.reset();
            }
        }

        @Override
        public void onError(Throwable e) {
            context.complete();
        }
    }

    @Test
    void listenersReadAndWrite() throws Exception {
        try (TestTomcat site =
                        withTls(site())
                                .with(
                                        "/listen",
                                        servlet(
                                                (q, s) -> {
                                                    AsyncContext context = q.startAsync();
                                                    q.getInputStream()
                                                            .setReadListener(
                                                                    new Echoing(
                                                                            context,
                                                                            q.getInputStream(),
                                                                            s.getOutputStream(),
                                                                            new ByteArrayOutputStream()));
                                                }))
                                .start();
                HttpClient client = tlsClient()) {
            HttpRequest post =
                    request(site, "/listen")
                            .POST(HttpRequest.BodyPublishers.ofByteArray(LARGE))
                            .build();
            for (int i = 0; i < 5; i++) {
                assertArrayEquals(
                        LARGE, client.send(post, HttpResponse.BodyHandlers.ofByteArray()).body());
            }
        }
    }

    /// Of the time-outs only that of the async request applies to a stream that waits for its
    /// client.
    @Test
    void silentBodyOutlivesTheReadTimeout() throws Exception {
        try (TestTomcat site =
                        site().with(
                                        "/listen",
                                        servlet(
                                                (q, s) -> {
                                                    AsyncContext context = q.startAsync();
                                                    context.setTimeout(0);
                                                    q.getInputStream()
                                                            .setReadListener(
                                                                    new Echoing(
                                                                            context,
                                                                            q.getInputStream(),
                                                                            s.getOutputStream(),
                                                                            new ByteArrayOutputStream()));
                                                }))
                                .start();
                var client = new StreamClient(site.port())) {
            int id = client.request("POST", "/listen", false);
            client.data(id, "before, ", false);
            client.until("a stream that waits", () -> site.openCount() == 1);
            site.checkTimeouts(Duration.ofDays(1));
            client.data(id, "after", true);
            assertEquals("before, after", client.response(id).text());
        }
    }

    // ---- The connector.

    @Test
    void requestRejectedByAdmissionIsRefusedOrGets503() throws Exception {
        try (TestTomcat site = site()) {
            site.connector.setProperty("maxThreads", "1");
            site.with(
                    "/wait",
                    servlet(
                            (_, s) -> {
                                notes.add("waits");
                                awaitRelease();
                                s.getWriter().print("waited");
                            }));
            site.start();
            try (var client = new StreamClient(site.port())) {
                int first = client.get("/wait");
                assertNote(client, "waits");
                int second = client.get("/wait");
                StreamClient.Response rejected = client.response(second);
                boolean isRefused = rejected.reset == ErrorCode.REFUSED_STREAM;
                assertTrue(isRefused || rejected.status == 503, rejected.toString());
                release.countDown();
                assertEquals("waited", client.response(first).text());
                assertTrue(notes.isEmpty(), "a rejected request has run");
            }
        }
    }

    @Test
    void stoppedConnectorSendsGoAwayAndCompletesRequests() throws Exception {
        try (TestTomcat site =
                site().with(
                                "/wait",
                                servlet(
                                        (_, s) -> {
                                            notes.add("waits");
                                            awaitRelease();
                                            s.getWriter().print("waited");
                                        }))
                        .start()) {
            try (var client = new StreamClient(site.port())) {
                int id = client.get("/wait");
                assertNote(client, "waits");
                site.connector.pause();
                release.countDown();
                assertEquals("waited", client.response(id).text());
                client.until("GOAWAY", () -> client.goAway() != null);
                assertEquals(ErrorCode.NO_ERROR, client.goAway());
            }
        }
    }

    @Test
    void idleConnectionOfAPausedConnectorIsDrained() throws Exception {
        try (TestTomcat site = site().start();
                var client = new StreamClient(site.port());
                RawClient other = site.client()) {
            assertEquals("hello", client.fetch("/hello").text());
            String hello = "GET /hello HTTP/1.1\nHost: h\n\n";
            assertEquals("hello", other.send(hello).response().text());
            site.connector.pause();
            client.until("GOAWAY", () -> client.goAway() != null);
            assertEquals(ErrorCode.NO_ERROR, client.goAway());
            assertEquals("hello", other.send(hello).response().text());
        }
    }

    @Test
    void streamsOfAConnectionHaveItsId() throws Exception {
        try (TestTomcat site =
                        site().with(
                                        "/id",
                                        servlet(
                                                (q, s) ->
                                                        s.getWriter()
                                                                .print(
                                                                        q.getServletConnection()
                                                                                .getConnectionId())))
                                .start();
                var client = new StreamClient(site.port());
                var other = new StreamClient(site.port())) {
            String id = client.fetch("/id").text();
            assertEquals(id, client.fetch("/id").text());
            assertNotEquals(id, other.fetch("/id").text());
        }
    }

    @Test
    void stockUpgradeProtocolTurnsItOn() throws Exception {
        var stock = new Http2Protocol();
        stock.setMaxConcurrentStreams(20);
        stock.setOverheadCountFactor(5);
        try (var log = LogCapture.of(TandemProtocol.class.getName());
                var site = new TestTomcat()) {
            site.connector.addUpgradeProtocol(stock);
            site.with("/what", servlet((q, s) -> s.getWriter().print(describe(q))));
            site.start();
            List<String> lines = log.messages(m -> m.contains("UpgradeProtocol"));
            assertEquals(1, lines.size(), lines.toString());
            assertTrue(
                    lines.getFirst()
                            .endsWith(
                                    "with at most 20 concurrent streams of a connection;"
                                            + " ignored: overheadCountFactor"),
                    lines.getFirst());
            assertEquals(List.of(stock), List.of(site.connector.findUpgradeProtocols()));
            try (var client = new StreamClient(site.port())) {
                assertTrue(client.fetch("/what").text().startsWith("HTTP/2.0 "));
            }
        }
    }

    @Test
    void contentIsCompressed() throws Exception {
        try (TestTomcat site = site()) {
            site.connector.setProperty("compression", "force");
            site.with(
                    "/text",
                    servlet(
                            (_, s) -> {
                                s.setContentType("text/plain");
                                s.getWriter().print("abc".repeat(10_000));
                            }));
            site.start();
            try (var client = new StreamClient(site.port())) {
                StreamClient.Response response = client.fetch("/text", "accept-encoding", "gzip");
                assertEquals("gzip", response.headers.first("content-encoding"));
                byte[] content = response.content.toByteArray();
                var in =
                        new java.util.zip.GZIPInputStream(
                                new java.io.ByteArrayInputStream(content));
                assertEquals(
                        "abc".repeat(10_000),
                        new String(in.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
    }
}
