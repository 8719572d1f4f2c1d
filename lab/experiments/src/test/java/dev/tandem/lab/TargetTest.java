package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.testkit.RawClient;
import dev.tandem.testkit.RawResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TargetTest {
    private final Path root;
    private final Target target;
    private final Server server;
    private final RawClient client;

    TargetTest(@TempDir Path root) throws IOException {
        this.root = root;
        target = new Target(root);
        server = target.addTo(Tandem.listen("127.0.0.1", 0)).start();
        client = RawClient.connect(server.address());
    }

    @AfterEach
    void stop() throws IOException {
        client.close();
        server.stop(Duration.ofSeconds(5));
        target.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "60001", "", "5ms", "99999999999"})
    void sleepOutOfRangeIsRejected(String millis) throws IOException {
        RawResponse response = get("/block?ms=" + millis);
        assertEquals(400, response.status());
        assertTrue(response.text().contains("ms must be 0..60000"), response.text());
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "1000001", "", "1e3"})
    void computationOutOfRangeIsRejected(String micros) throws IOException {
        RawResponse response = get("/cpu?us=" + micros);
        assertEquals(400, response.status());
        assertTrue(response.text().contains("us must be 0..1000000"), response.text());
    }

    /// The result shows that every step was computed.
    @Test
    void computationIsReproducible() throws IOException {
        assertEquals("200 text/plain 1", summary(get("/cpu?us=0")));
        String some = get("/cpu?us=50").text();
        assertEquals(some, get("/cpu?us=50").text());
        assertTrue(some.length() > 4 && !some.equals(get("/cpu?us=51").text()), some);
    }

    @Test
    void sleepLastsForTheRequestedTime() throws IOException {
        long start = System.nanoTime();
        assertEquals("ok", get("/block?ms=40").text());
        long millis = (System.nanoTime() - start) / 1_000_000;
        assertTrue(millis >= 40, millis + " ms");
        assertEquals("ok", get("/report?ms=1").text());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/hello", "/hello-loop"})
    void helloIsServed(String path) throws IOException {
        RawResponse response = get(path);
        assertEquals("200 text/plain Hello, World!", summary(response));
    }

    @Test
    void rowOfTheTableIsJson() throws IOException {
        RawResponse response = get("/db");
        assertEquals("application/json", response.field("Content-Type"));
        assertTrue(
                response.text()
                        .matches("\\{\"id\":\\d+,\"name\":\"item number \\d+\",\"price\":\\d+}"),
                response.text());
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "PATCH", "DELETE", "PURGE", "GET"})
    void echoAcceptsAnyMethod(String method) throws IOException {
        client.send(method + " /echo HTTP/1.1\nHost: a\nContent-Length: 3\n\n")
                .send(new byte[] {0, 1, 2});
        RawResponse response = client.response();
        assertEquals(200, response.status());
        assertArrayEquals(new byte[] {0, 1, 2}, response.body());
    }

    @Test
    void echoAcceptsAChunkedBody() throws IOException {
        client.send("POST /echo HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\n\n")
                .send("3\nabc\n2\nde\n0\n\n");
        assertEquals("200 text/plain abcde", summary(client.response()));
    }

    @Test
    void echoAcceptsAnEmptyBody() throws IOException {
        client.send("POST /echo HTTP/1.1\nHost: a\nContent-Length: 0\n\n");
        assertEquals("200 text/plain ", summary(client.response()));
    }

    /// It sends back what it has read before the rest is received: the body is not buffered
    /// completely.
    @Test
    void echoBeginsBeforeTheBodyEnds() throws IOException {
        var half = new byte[128 << 10]; // more than a response's buffer holds
        client.send("POST /echo HTTP/1.1\nHost: a\nContent-Length: " + 2 * half.length + "\n\n");
        client.send(half);
        assertTrue(client.bytes(1024).length > 0, "nothing came before the body was complete");
    }

    @Test
    void fileIsServed() throws IOException {
        Files.writeString(Files.createDirectory(root.resolve("static")).resolve("1.txt"), "one");
        RawResponse response = get("/static/1.txt");
        assertEquals("200 text/plain; charset=utf-8 one", summary(response));
    }

    @Test
    void missingFileIsNotFound() throws IOException {
        assertEquals(404, get("/static/2.txt").status());
    }

    private RawResponse get(String path) throws IOException {
        return client.send("GET " + path + " HTTP/1.1\nHost: a\n\n").response();
    }

    private static String summary(RawResponse response) {
        return response.status() + " " + response.field("Content-Type") + " " + response.text();
    }
}
