package dev.tandem.tomcat;

import static dev.tandem.tomcat.BlockingServletTest.servlet;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tandem.testkit.RawClient;
import dev.tandem.testkit.RawResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Clients that send old forms of HTTP are accepted, as by the stock connectors.
class LenientHeadTest {
    private static TestTomcat site;

    @BeforeAll
    static void start() throws Exception {
        site = new TestTomcat();
        site.with("/", servlet((q, s) -> s.getWriter().print(q.getHeader("x"))));
        site.start();
    }

    @AfterAll
    static void stop() throws Exception {
        site.close();
    }

    private static RawClient sent(String bytes) throws IOException {
        return site.client().send(bytes.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static RawResponse response(String bytes) throws IOException {
        try (RawClient client = sent(bytes)) {
            return client.response();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\nHost: a\nX: a b\n\n",
                "GET / HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n",
                "GET / HTTP/1.1\nHost: a\nX: a \n b\n\n",
                "GET\t/\tHTTP/1.1\r\nHost: a\r\nX: a b\r\n\r\n",
                "\r\n\r\n\r\n\n\nGET / HTTP/1.1\r\nHost: a\r\nX: a b\r\n\r\n",
            })
    void lenientHeadIsAccepted(String head) throws IOException {
        assertEquals("a b", response(head).text());
    }

    @Test
    void strictConnectorRejectsLenientHead() throws Exception {
        try (var strict = new TestTomcat()) {
            strict.connector.setProperty("lenientHeads", "false");
            strict.with("/", servlet((_, s) -> s.getWriter().print("root"))).start();
            try (RawClient client = strict.client()) {
                assertEquals("root", client.send("GET / HTTP/1.1\nHost: a\n\n").response().text());
                byte[] old = "GET / HTTP/1.1\nHost: a\n\n".getBytes(StandardCharsets.ISO_8859_1);
                assertEquals(400, client.send(old).response().status());
            }
        }
    }

    @Test
    void lenientHeadByteByByteIsAccepted() throws IOException {
        String head = "GET / HTTP/1.1\nHost: a\nX: a\r\n b\n\r\n";
        try (RawClient client = site.client()) {
            client.sendBytewise(head.getBytes(StandardCharsets.ISO_8859_1));
            assertEquals("a b", client.response().text());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET /\r\n", "GET /\n", "\r\nGET\t/\n", "GET /\n\nGET /\nX: y\n\n"})
    void http09RequestGetsContentOnly(String line) throws IOException {
        for (int i = 0; i < 3; i++) { // the first target is not cached yet
            try (RawClient client = sent(line)) {
                assertEquals("null", new String(client.rest(), StandardCharsets.US_ASCII));
            }
        }
    }

    @Test
    void http09RequestAfterOthersIsServed() throws IOException {
        String get = "GET / HTTP/1.1\nHost: a\nX: y\n\n";
        try (RawClient client = sent(get + get + "GET /\n")) {
            assertEquals("y", client.response().text());
            assertEquals("y", client.response().text());
            assertEquals("null", new String(client.rest(), StandardCharsets.US_ASCII));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST /\r\n", "GET / \r\n", "GET \r\n", "GET /\r \n", "GET / HTTP\r\n"})
    void otherRequestLinesAreRejected(String line) throws IOException {
        assertEquals(400, response(line).status());
    }

    /// On a worker's connection pipelined heads are decoded by the worker first, then by the loop
    /// if they are rejected.
    @Test
    void rejectedFoldStaysRejected() throws IOException {
        String get = "GET / HTTP/1.1\nHost: a\nX: a\n b\n\n";
        String bad = "POST / HTTP/1.1\nHost: a\nTransfer-Encoding:\n chunked\n\n0\r\n\r\n";
        for (int i = 0; i < 50; i++) {
            try (RawClient client = sent(get + get + bad)) {
                assertEquals("a b", client.response().text());
                assertEquals("a b", client.response().text());
                assertEquals(400, client.response().status());
            }
        }
    }
}
