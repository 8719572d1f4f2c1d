package dev.tandem.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.RawClient;
import dev.tandem.testkit.RawResponse;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Blocking servlets over a real socket.
class BlockingServletTest {
    private static TestTomcat site;

    @FunctionalInterface
    interface Doing {
        void serve(HttpServletRequest request, HttpServletResponse response) throws IOException;
    }

    static HttpServlet servlet(Doing doing) {
        return new HttpServlet() {
            private static final long serialVersionUID = 1L;

            @Override
            protected void service(HttpServletRequest request, HttpServletResponse response)
                    throws IOException {
                doing.serve(request, response);
            }
        };
    }

    @BeforeAll
    static void start() throws Exception {
        site = new TestTomcat();
        site.with("/hello", servlet((_, response) -> response.getWriter().print("hello")));
        site.with("/echo", servlet((q, s) -> q.getInputStream().transferTo(s.getOutputStream())));
        site.with("/form", servlet((q, s) -> s.getWriter().print(q.getParameter("a"))));
        site.with(
                "/long",
                servlet(
                        (_, s) -> {
                            for (int i = 0; i < 10_000; i++) {
                                s.getOutputStream().write("0123456789".getBytes());
                            }
                        }));
        site.with(
                "/fails",
                servlet(
                        (_, _) -> {
                            throw new IllegalStateException("meant");
                        }));
        site.with(
                "/trailers",
                servlet(
                        (q, s) -> {
                            q.getInputStream().readAllBytes();
                            s.setTrailerFields(() -> Map.of("x-sum", "5"));
                            s.getWriter().print(q.getTrailerFields());
                        }));
        site.with(
                "/who",
                servlet(
                        (q, s) ->
                                s.getWriter()
                                        .print(
                                                q.getRemoteAddr()
                                                        + " "
                                                        + q.getServerName()
                                                        + " "
                                                        + q.getQueryString()
                                                        + " "
                                                        + q.getProtocol()
                                                        + " "
                                                        + (q.getLocalPort()
                                                                == q.getServerPort()))));
        site.start();
    }

    @AfterAll
    static void stop() throws Exception {
        site.close();
    }

    private static RawResponse get(RawClient client, String path) throws IOException {
        return client.send("GET " + path + " HTTP/1.1\nHost: h:" + site.port() + "\n\n").response();
    }

    @Test
    void manyRequestsOnOneConnectionAreServed() throws IOException {
        try (RawClient client = site.client()) {
            for (int i = 0; i < 300; i++) {
                RawResponse response = get(client, "/hello");
                assertEquals(200, response.status());
                assertEquals("hello", response.text());
                assertEquals("5", response.field("Content-Length"));
            }
        }
    }

    @Test
    void pipelinedRequestsAreServed() throws IOException {
        try (RawClient client = site.client()) {
            client.send("GET /hello HTTP/1.1\nHost: h\n\n".repeat(5));
            for (int i = 0; i < 5; i++) {
                assertEquals("hello", client.response().text());
            }
        }
    }

    @Test
    void responseToHeadHasNoContent() throws IOException {
        try (RawClient client = site.client()) {
            client.send("HEAD /hello HTTP/1.1\nHost: h\n\n");
            assertEquals("5", client.responseToHead().field("Content-Length"));
            assertEquals("hello", get(client, "/hello").text());
        }
    }

    @Test
    void longResponseIsChunked() throws IOException {
        try (RawClient client = site.client()) {
            RawResponse response = get(client, "/long");
            assertEquals("chunked", response.field("Transfer-Encoding"));
            assertEquals(100_000, response.body().length);
            assertEquals("hello", get(client, "/hello").text());
        }
    }

    @Test
    void bodiesWithLengthAndChunksAreRead() throws IOException {
        try (RawClient client = site.client()) {
            client.send("POST /echo HTTP/1.1\nHost: h\nContent-Length: 3\n\nabc");
            assertEquals("abc", client.response().text());
            client.send(
                    "POST /echo HTTP/1.1\n"
                            + "Host: h\n"
                            + "Transfer-Encoding: chunked\n\n"
                            + "3\n"
                            + "abc\n"
                            + "2\n"
                            + "de\n"
                            + "0\n\n");
            assertEquals("abcde", client.response().text());
            client.send(
                    "POST /form HTTP/1.1\nHost: h\nContent-Length: 5\n"
                            + "Content-Type: application/x-www-form-urlencoded\n\na=b+c");
            assertEquals("b c", client.response().text());
        }
    }

    @Test
    void expectedContinueIsSent() throws IOException {
        try (RawClient client = site.client()) {
            client.send(
                    "POST /echo HTTP/1.1\nHost: h\nContent-Length: 3\nExpect: 100-continue\n\n");
            String head = new String(client.bytes(25));
            assertTrue(head.startsWith("HTTP/1.1 100"), head);
            assertEquals("abc", client.send("abc").response().text());
        }
    }

    @Test
    void trailersAreReceivedAndSent() throws IOException {
        try (RawClient client = site.client()) {
            site.connector.setProperty("allowedTrailerHeaders", "x-t");
            client.send(
                    "POST /trailers HTTP/1.1\nHost: h\nTransfer-Encoding: chunked\n\n"
                            + "3\nabc\n0\nX-T: y\nX-U: z\n\n");
            RawResponse response = client.response();
            assertEquals("{x-t=y}", response.text());
            assertEquals(java.util.List.of("x-sum: 5"), response.trailerLines());
        }
    }

    @Test
    void servletSeesAddressesAndQuery() throws IOException {
        try (RawClient client = site.client()) {
            assertEquals("127.0.0.1 h a=b HTTP/1.1 true", get(client, "/who?a=b").text());
        }
    }

    @Test
    void errorPageIsCatalinas() throws IOException {
        try (RawClient client = site.client()) {
            RawResponse response = get(client, "/fails");
            assertEquals(500, response.status());
            assertTrue(response.text().contains("meant"), response.text());
            assertTrue(response.saysClose());
        }
        try (RawClient client = site.client()) {
            assertEquals(404, get(client, "/nowhere").status());
            assertEquals("hello", get(client, "/hello").text());
        }
    }

    @Test
    void http10ConnectionIsClosed() throws IOException {
        try (RawClient client = site.client()) {
            client.send("GET /hello HTTP/1.0\n\n");
            RawResponse response = client.response();
            assertEquals("hello", response.text());
            assertNull(response.field("Transfer-Encoding"));
            assertTrue(client.isClosedByServer());
        }
    }

    @Test
    void invalidTargetAndHostAreRejected() throws IOException {
        try (RawClient client = site.client()) {
            assertEquals(400, client.send("GET /a|b HTTP/1.1\nHost: h\n\n").response().status());
        }
        try (RawClient client = site.client()) {
            assertEquals(400, client.send("GET / HTTP/1.1\nHost: h/\n\n").response().status());
        }
    }
}
