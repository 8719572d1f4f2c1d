package dev.tandem.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.Tandem;
import dev.tandem.http.Exchange;
import dev.tandem.net.Network;
import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.RawResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// An exchange with the response of another target.
class ForwardTest {
    private final List<String> filtered = new ArrayList<>();
    private final Served served = Served.on(Network.best(), Options.DEFAULT, this::routes);

    private Tandem routes(Tandem server) {
        return server.filter(
                        (x, next) -> {
                            filtered.add(x.method() + " " + x.path());
                            next.handle(x);
                        })
                .route(
                        "*",
                        "/to",
                        x ->
                                x.header("X-First", "kept")
                                        .forward(String.valueOf(x.queryParam("target"))))
                .get("/loop", x -> x.forward("/loop"))
                .get("/host", x -> x.send(x.header("Host") + " " + x.request().headers()))
                .route("*", "/seen/{name}", ForwardTest::describe);
    }

    private static void describe(Exchange x) throws IOException {
        x.send(
                String.join(
                        " ",
                        x.method(),
                        x.path(),
                        x.pathParam("name"),
                        x.routePattern(),
                        x.queryParam("a"),
                        x.header("Content-Type"),
                        x.header("X-Own"),
                        Long.toString(x.request().contentLength()),
                        Integer.toString(x.request().body().read())));
    }

    @AfterEach
    void stop() throws IOException {
        served.close();
    }

    private RawResponse get(String target) throws IOException {
        return served.client().send("GET " + target + " HTTP/1.1\nHost: a\n\n").response();
    }

    @Test
    void otherTargetRespondsWithoutTheBody() throws IOException {
        var response =
                served.client()
                        .send(
                                "POST /to?target=/seen/b%2520c%3Fa=d HTTP/1.1\nHost: a\nX-Own: e\n"
                                        + "Content-Type: f/g\nContent-Length: 3\n\nabc")
                        .response();
        assertEquals("GET /seen/b c b c /seen/{name} d null e 0 -1", response.text());
        assertEquals("kept", response.field("X-First"));
        assertEquals(List.of("POST /to", "GET /seen/b c"), filtered);
    }

    /// RFC 9112, section 3.2.2.
    @ParameterizedTest
    @ValueSource(strings = {"/host", "/to?target=/host"})
    void hostOfTargetReplacesHostHeader(String path) throws IOException {
        var response =
                served.client()
                        .send("GET http://b.example" + path + " HTTP/1.1\nHost: a.example\n\n")
                        .response();
        assertEquals("b.example Host: b.example\n", response.text());
    }

    @Test
    void headStaysHead() throws IOException {
        var client = served.client().send("HEAD /to?target=/hello HTTP/1.1\nHost: a\n\n");
        assertEquals("13", client.responseToHead().field("Content-Length"));
        assertEquals(List.of("HEAD /to", "HEAD /hello"), filtered);
    }

    @Test
    void otherTargetMayBeMissingOrOnTheLoop() throws IOException {
        assertEquals("now", get("/to?target=/now").text());
        assertEquals(404, get("/to?target=/none").status());
    }

    @Test
    void numberOfForwardsIsLimited() throws IOException {
        assertEquals(500, get("/loop").status());
        assertEquals(1 + Exchange.FORWARDS_MAX, filtered.size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "*", "http://b/hello", "/%2500", "/a%20b", ""})
    void invalidPathIsRejected(String target) throws IOException {
        assertEquals(500, get("/to?target=" + target).status());
    }

    @Test
    void exchangeWithAResponseIsNotForwarded() throws IOException {
        var thrown = new ArrayList<IllegalStateException>();
        try (var log = LogCapture.of("dev.tandem.engine");
                var responded =
                        Served.on(
                                Network.best(),
                                Options.DEFAULT,
                                server ->
                                        server.get(
                                                "/twice",
                                                x -> {
                                                    x.send("once");
                                                    thrown.add(
                                                            assertThrows(
                                                                    IllegalStateException.class,
                                                                    () -> x.forward("/hello")));
                                                }))) {
            var client = responded.client().send("GET /twice HTTP/1.1\nHost: a\n\n");
            assertEquals("once", client.response().text());
            client.send("GET /hello HTTP/1.1\nHost: a\n\n");
            assertEquals("Hello, World!", client.response().text());
            assertEquals(1, thrown.size());
            assertTrue(log.lines().isEmpty());
        }
    }
}
