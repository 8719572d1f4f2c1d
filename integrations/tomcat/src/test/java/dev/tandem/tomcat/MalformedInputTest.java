package dev.tandem.tomcat;

import static dev.tandem.tomcat.BlockingServletTest.servlet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import dev.tandem.testkit.RawResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Malicious clients, and servlets that set invalid headers.
class MalformedInputTest {
    private static TestTomcat site;

    @BeforeAll
    static void start() throws Exception {
        site = new TestTomcat();
        site.with("/hello", servlet((_, s) -> s.getWriter().print("hello")));
        site.with("/admin", servlet((_, s) -> s.getWriter().print("admin")));
        site.with("/echo", servlet((q, s) -> s.getWriter().print(echo(q))));
        site.with("/header", servlet((q, s) -> s.setHeader(q.getParameter("n"), value(q))));
        site.with("/go", servlet((q, s) -> s.sendRedirect(value(q))));
        site.with(
                "/length",
                servlet(
                        (q, s) -> {
                            s.setContentLength(Integer.parseInt(q.getParameter("n")));
                            s.getOutputStream().print("12345");
                        }));
        site.with("/async", servlet((q, _) -> q.startAsync().setTimeout(300)));
        site.start();
    }

    private static String echo(jakarta.servlet.http.HttpServletRequest request) throws IOException {
        return new String(request.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1)
                + " "
                + request.getHeader("content-length")
                + " "
                + request.getContentLengthLong();
    }

    private static String value(jakarta.servlet.http.HttpServletRequest request) {
        return request.getParameter("v");
    }

    @AfterAll
    static void stop() throws Exception {
        site.close();
    }

    private static String get(String target) {
        return "GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n";
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static RawResponse response(String block) throws IOException {
        try (RawClient client = site.client()) {
            return client.send(bytes(block)).response();
        }
    }

    // ---- Clients.

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST /hello HTTP/1.1\r\n"
                        + "Host: a\r\n"
                        + "Content-Length: 1\r\n"
                        + "Content-Length: 2\r\n\r\n"
                        + "x",
                "POST /hello HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, gzip"
                        + "\r\n\r\n0\r\n\r\n",
                "POST /hello HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
                "GET /hello HTTP/1.1\r\n\r\n",
                "GET /hello HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
                "GET /hello HTTP/1.1\r\nHost: a b\r\n\r\n",
                "GET /hello HTTP/1.1\r\nHost: a\r\nX : y\r\n\r\n",
                "GET /hello HTTP/1.1\r\nHost:\r\n a\r\n\r\n",
                "GET /hello HTTP/1.1\r\nHost: a\r\nX: y\r z\r\n\r\n",
                "GET /hello HTTP/1.1\r\nHost: a\r\nX: a\u0000b\r\n\r\n",
                "GET /hello HTTP/1.1\rHost: a\r\r",
                "GET /hello%00 HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET /a%2f..%2fadmin HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET /a\\..\\admin HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET /%c0%ae%c0%ae/admin HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET /../admin HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET /hello<b> HTTP/1.1\r\nHost: a\r\n\r\n",
            })
    void requestThatCouldHideAnotherIsRejected(String block) throws IOException {
        RawResponse response = response(block);
        assertEquals(400, response.status());
        assertFalse(response.text().contains("hello") || response.text().contains("admin"));
    }

    /// Constraints apply to the path that is mapped.
    @ParameterizedTest
    @CsvSource({
        "/hello/..;/admin, admin",
        "/hello/..;x=1/admin;y, admin",
        "/%61dmin, admin",
        "//admin, admin"
    })
    void pathIsNormalizedBeforeMapping(String target, String text) throws IOException {
        assertEquals(text, response(get(target)).text());
    }

    /// A peer that believed the length would see another end of the body: nothing more is read.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked",
                "HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 90",
                "HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked",
            })
    void bodyWithTwoLengthsClosesConnection(String head) throws IOException {
        String post = "POST /echo " + head + "\r\nHost: a\r\n\r\n4\r\nbody\r\n0\r\n\r\n";
        try (RawClient client = site.client()) {
            client.send(bytes(post + get("/admin")));
            String all = new String(client.restOrCut(), StandardCharsets.ISO_8859_1);
            assertTrue(all.startsWith("HTTP/1.1 200") && all.contains("body null -1"), all);
            assertTrue(all.contains("\r\nConnection: close\r\n"), all);
            assertFalse(all.contains("admin"), all);
        }
    }

    @Test
    void unreadBodyIsNotParsedAsRequest() throws IOException {
        String body = get("/admin");
        String post =
                "POST /hello HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n%s"
                        .formatted(body.length(), body);
        String chunked =
                "POST /hello HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0"
                        + "\r\n\r\n";
        try (RawClient client = site.client()) {
            client.send(bytes(post + chunked.formatted(body.length(), body) + get("/hello")));
            for (int i = 0; i < 3; i++) {
                assertEquals("hello", client.response().text());
            }
        }
    }

    @Test
    void disconnectDuringAsyncRequestClosesConnection() throws IOException {
        long before = connections();
        for (int i = 0; i < 50; i++) {
            RawClient client = site.client().send(bytes(get("/async")));
            client.cut();
        }
        Patience.until("connections are closed", () -> connections() <= before);
        assertEquals("hello", response(get("/hello")).text());
    }

    private static long connections() {
        var handler = (TandemProtocol) site.connector.getProtocolHandler();
        return handler.endpoint().getConnectionCount();
    }

    // ---- Servlets.

    @ParameterizedTest
    @CsvSource({
        "/header?n=X&v=a%0d%0aEvil:%201",
        "/header?n=X&v=a%0aEvil:%201",
        "/header?n=X%0d%0aEvil:%201%0d%0aY&v=b",
        "/header?n=X%0aEvil&v=1",
        "/go?v=/a%0d%0aEvil:%201"
    })
    void lineBreakInHeaderDoesNotCreateHeader(String target) throws IOException {
        try (RawClient client = site.client()) {
            String all =
                    new String(
                            client.send(bytes(close(target))).rest(), StandardCharsets.ISO_8859_1);
            assertFalse(all.contains("\nEvil"), all);
        }
    }

    private static String close(String target) {
        return "GET " + target + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    }

    @ParameterizedTest
    @ValueSource(strings = {"chunked", "gzip, chunked", "identity"})
    void transferEncodingOfServletIsRemoved(String coding) throws IOException {
        String target = "/header?n=Transfer-Encoding&v=" + coding.replace(" ", "%20");
        try (RawClient client = site.client()) {
            String all =
                    new String(
                            client.send(bytes(close(target))).rest(), StandardCharsets.ISO_8859_1);
            assertFalse(all.contains("Transfer-Encoding"), all);
            assertTrue(all.contains("Content-Length: 0\r\n"), all);
        }
    }

    @Test
    void responseShorterThanAnnouncedClosesConnection() throws IOException {
        try (RawClient client = site.client()) {
            client.send(bytes(get("/length?n=9") + get("/hello")));
            String all = new String(client.restOrCut(), StandardCharsets.ISO_8859_1);
            assertTrue(all.endsWith("\r\n\r\n12345"), all);
        }
    }

    @Test
    void responseIsNotLongerThanAnnounced() throws IOException {
        try (RawClient client = site.client()) {
            client.send(bytes(get("/length?n=2") + get("/hello")));
            assertEquals("12", client.response().text());
            RawResponse next = client.response();
            assertEquals("hello", next.text());
            assertNull(next.field("Evil"));
        }
    }

    /// Of those that stock Tomcat can be configured to accept.
    @Test
    void unsupportedRelaxedCharactersAreLogged() throws Exception {
        try (var log = LogCapture.of(TandemProtocol.class.getName());
                TestTomcat relaxed = new TestTomcat();
                RawClient client = begin(relaxed, "[]|<", "{}\"").client()) {
            assertEquals(
                    404, client.send("GET /a|b?{c} HTTP/1.1\nHost: h\n\n").response().status());
            assertEquals(400, client.send("GET /a<b HTTP/1.1\nHost: h\n\n").response().status());
            assertEquals(
                    1, log.messages(m -> m.matches("relaxedPathChars: .* rejects < .*")).size());
            assertEquals(
                    1, log.messages(m -> m.matches("relaxedQueryChars: .* rejects \" .*")).size());
        }
    }

    private static TestTomcat begin(TestTomcat site, String path, String query) throws Exception {
        site.connector.setProperty("relaxedPathChars", path);
        site.connector.setProperty("relaxedQueryChars", query);
        return site.start();
    }
}
