package dev.tandem.tomcat;

import static dev.tandem.tomcat.BlockingServletTest.servlet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import dev.tandem.testkit.RawResponse;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Behaviors that Tomcat's own test suite requires of a connector, rewritten.
class StockBehaviorTest {
    private static TestTomcat site;

    @BeforeAll
    static void start() throws Exception {
        site = new TestTomcat();
        site.connector.setProperty("maxKeepAliveRequests", "3");
        site.with("/", servlet((q, s) -> s.getWriter().print(q.getServerName())));
        site.with("/reject", servlet((_, s) -> s.setStatus(403)));
        site.with(
                "/fields",
                servlet(
                        (_, s) -> {
                            s.setHeader("x-foreign", "a\u0141b");
                            s.setHeader("x-cut", "a\u0001b");
                        }));
        site.with(
                "/long",
                servlet(
                        (q, s) -> {
                            s.setHeader("x", "y".repeat(Integer.parseInt(q.getQueryString())));
                            s.getWriter().print("done");
                        }));
        site.with("/read", servlet((q, s) -> s.getWriter().print(readQuietly(q))));
        site.with("/path/*", servlet((q, s) -> s.getWriter().print(q.getRequestURI())));
        site.connector.setProperty("keepAliveTimeout", "5000");
        site.connector.setProperty("maxHttpRequestHeaderSize", "32768");
        site.connector.setEncodedSolidusHandling("passthrough");
        site.start();
    }

    @AfterAll
    static void stop() throws Exception {
        site.close();
    }

    @Test
    void idleConnectionIsClosedAfterKeepAliveTimeout() throws Exception {
        try (var own = new TestTomcat()) {
            own.with("/", servlet((_, s) -> s.getWriter().print("done")));
            own.connector.setProperty("keepAliveTimeout", "200");
            own.start();
            Patience.until("the end after a response", () -> isClosedAfterResponse(own));
        }
    }

    /// Not if the client takes so long to send that its connection has been idle before.
    private static boolean isClosedAfterResponse(TestTomcat site) {
        try (RawClient client = site.client()) {
            client.send("GET / HTTP/1.1\nHost: h\n\n");
            return client.response().status() == 200 && client.isClosedByServer();
        } catch (IOException _) {
            return false;
        }
    }

    private static int readQuietly(HttpServletRequest request) {
        try {
            return request.getInputStream().readAllBytes().length;
        } catch (IOException e) {
            return -1;
        }
    }

    private static RawResponse ask(String head) throws IOException {
        try (RawClient client = site.client()) {
            return client.send(head + "\n\n").response();
        }
    }

    @Test
    void targetAndHostHeaderMustMatch() throws Exception {
        assertEquals("A", ask("GET http://A/ HTTP/1.1\nHost: A").text());
        assertEquals("a", ask("GET http://user:word@a/ HTTP/1.1\nHost: a").text());
        assertEquals(400, ask("GET http://b@a/ HTTP/1.1\nHost: b").status());
        RawResponse rejected = ask("GET http://a/ HTTP/1.1\nHost: b");
        assertEquals(400, rejected.status());
        assertTrue(rejected.saysClose());
    }

    @Test
    void connectIsNotImplemented() throws Exception {
        assertEquals(501, ask("CONNECT a HTTP/1.1\nHost: a").status());
        assertEquals(501, ask("CONNECT a:443 HTTP/1.1\nHost: a:443").status());
    }

    @Test
    void invalidHeaderValuesAreNotSent() throws Exception {
        RawResponse response = ask("GET /fields HTTP/1.1\nHost: h");
        assertNull(response.field("x-foreign"));
        assertEquals("a b", response.field("x-cut"));
        assertEquals("", response.reason());
    }

    @Test
    void rejectedExpectationClosesConnection() throws Exception {
        try (RawClient client = site.client()) {
            client.send(
                    "POST /reject HTTP/1.1\nHost: h\nContent-Length: 9\nExpect: 100-continue\n\n");
            assertEquals(100, client.response().status());
            RawResponse response = client.response();
            assertEquals(403, response.status());
            assertTrue(response.saysClose());
        }
    }

    @Test
    void tooLongResponseHeadIsAnError() throws Exception {
        assertEquals("done", ask("GET /long?7000 HTTP/1.1\nHost: h").text());
        RawResponse response = ask("GET /long?8200 HTTP/1.1\nHost: h");
        assertEquals(500, response.status());
        assertNull(response.field("x"));
        assertTrue(response.saysClose());
    }

    @Test
    void requestedKeepAliveIsAnnouncedWithTimeout() throws Exception {
        RawResponse response = ask("GET / HTTP/1.1\nHost: h\nConnection: keep-alive");
        assertEquals("timeout=5", response.field("Keep-Alive"));
        assertEquals("keep-alive", response.field("Connection"));
        assertNull(ask("GET / HTTP/1.1\nHost: h").field("Keep-Alive"));
    }

    @Test
    void encodedSlashesArePassedToCatalina() throws Exception {
        assertEquals("/path/a%2Fb", ask("GET /path/a%2Fb HTTP/1.1\nHost: h").text());
        assertEquals(400, ask("GET /path/a%5Cb HTTP/1.1\nHost: h").status());
        assertEquals(400, ask("GET /path/%00 HTTP/1.1\nHost: h").status());
    }

    @Test
    void tooLongRequestHeadIsRejected() throws Exception {
        String line = "GET /?%s HTTP/1.1\nHost: h";
        assertEquals(200, ask(line.formatted("x".repeat(4000))).status());
        assertEquals(400, ask(line.formatted("x".repeat(33_000))).status());
        assertEquals(400, ask("GET / HTTP/1.1\nHost: h\nx: " + "y".repeat(33_000)).status());
        assertEquals(400, ask("GET / HTTP/1.1\nHost: h" + "\nx: y".repeat(100)).status());
    }

    @Test
    void requestRejectedByAttributesGetsCatalinasErrorPage() throws Exception {
        for (String rejected :
                List.of("GET /?[ HTTP/1.1\nHost: h", "GET http://a/ HTTP/1.1\nHost: b")) {
            RawResponse response = ask(rejected);
            assertEquals(400, response.status());
            assertTrue(response.text().contains("HTTP Status 400"), response.text());
        }
    }

    @Test
    void targetCanBeAsLongAsTheHead() throws Exception {
        String path = "/path/" + "y".repeat(20_000);
        assertEquals(path, ask("GET " + path + " HTTP/1.1\nHost: h").text());
    }

    @Test
    void unknownTransferCodingIsNotImplemented() throws Exception {
        String head = "POST / HTTP/1.1\nHost: h\nTransfer-Encoding: ";
        assertEquals(501, ask(head + "gzip, chunked").status());
        assertEquals(400, ask(head + "chunked, gzip").status());
    }

    /// A client that sends all of a request before it reads sees the response, not a reset.
    @Test
    void unreadBodyIsSwallowed() throws Exception {
        try (RawClient client = site.client()) {
            client.send("POST / HTTP/1.1\nHost: h\nContent-Length: 1900000\n\n");
            for (int i = 0; i < 19; i++) {
                client.send("x".repeat(100_000));
            }
            RawResponse response = client.response();
            assertEquals(200, response.status());
            assertFalse(response.saysClose());
            assertEquals("h", client.send("GET / HTTP/1.1\nHost: h\n\n").response().text());
        }
    }

    @Test
    void clientThatSendsBodyAfterResponseGetsResponse() throws Exception {
        try (RawClient client = site.client()) {
            String head = "POST / HTTP/1.1\nHost: h\nTransfer-Encoding: chunked\n\n";
            assertEquals("h", client.send(head).response().text());
            client.send("2\nAB\n0\n\n" + head);
            assertEquals("h", client.response().text());
        }
    }

    @Test
    void malformedBodyIsRejectedEvenIfIgnored() throws Exception {
        try (RawClient client = site.client()) {
            client.send("POST /read HTTP/1.1\nHost: h\nTransfer-Encoding: chunked\n\n-1\nx\n0\n\n");
            RawResponse response = client.response();
            assertEquals(400, response.status());
            assertTrue(response.saysClose());
        }
    }

    @Test
    void connectionClosesAfterMaximumOfRequests() throws Exception {
        try (RawClient client = site.client()) {
            String request = "GET / HTTP/1.1\nHost: h\n\n";
            assertFalse(client.send(request).response().saysClose());
            assertFalse(client.send(request).response().saysClose());
            assertTrue(client.send(request).response().saysClose());
            assertTrue(client.isClosedByServer());
        }
    }
}
