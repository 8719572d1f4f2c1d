package dev.tandem;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.http.Exchange;
import dev.tandem.http.Filter;
import dev.tandem.http.HttpException;
import dev.tandem.testkit.RawClient;
import dev.tandem.testkit.RawResponse;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.NoSuchElementException;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Groups of routes, filters by path, exception handlers, and conversions of what clients send.
class RouteGroupTest {
    /// A user, as a filter sets it.
    private record User(String name) {}

    private Server server;

    @BeforeEach
    void start() throws IOException {
        server =
                Tandem.listen("127.0.0.1", 0)
                        .filter("/admin", Filter.before(x -> x.header("X-Admin", "yes")))
                        .get("/admin/users", x -> x.send("users"))
                        .get("/administration", x -> x.send("other"))
                        .get("/io", _ -> fail(new FileNotFoundException("no file")))
                        .get("/fails", _ -> fail(new NoSuchElementException("no element")))
                        .get("/late", x -> streamAndFail(x))
                        .post("/text", x -> x.send(x.bodyText()))
                        .get("/id/{id}", x -> x.send("" + x.pathParam("id", UUID::fromString)))
                        .get("/int/{n}", x -> x.send(x.pathInt("n") + " " + x.queryInt("page", 1)))
                        .get("/long/{n}", x -> x.send("" + x.pathLong("n")))
                        .group(
                                "/api",
                                api ->
                                        api.get("", x -> x.send("root of " + user(x)))
                                                .get("/orders/{id}", x -> x.send(user(x)))
                                                .get("/bad", _ -> fail(new IOException("lost")))
                                                .get("/begun", RouteGroupTest::beginAndFail)
                                                .group("/inner", RouteGroupTest::addInner)
                                                .filter(Filter.before(RouteGroupTest::signIn))
                                                .exception(
                                                        IOException.class,
                                                        (x, e) ->
                                                                x.status(502)
                                                                        .send(
                                                                                "api: "
                                                                                        + e
                                                                                                .getMessage())))
                        .exception(
                                IOException.class,
                                (x, e) -> x.status(503).send("site: " + e.getMessage()))
                        .exception(
                                HttpException.class, (x, e) -> x.send("as page: " + e.getMessage()))
                        .start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static void addInner(RouteGroup inner) {
        inner.get("/x", x -> x.send("inner of " + user(x)))
                .get("/bad", _ -> fail(new IOException("deep")));
    }

    private static void signIn(Exchange x) {
        String name = x.header("X-User");
        if (name == null) {
            throw new HttpException(401, "who are you?");
        }
        x.value(User.class, new User(name));
    }

    private static String user(Exchange x) {
        return x.value(User.class).name();
    }

    private static void fail(Exception e) throws Exception {
        throw e;
    }

    private static void beginAndFail(Exchange x) throws IOException {
        x.contentType("text/html").header("Cache-Control", "public, max-age=3600");
        x.header("Content-Encoding", "gzip").header("Content-Length", "1000");
        x.outputStream().write(new byte[100]);
        throw new IOException("lost");
    }

    private static void streamAndFail(Exchange x) throws IOException {
        x.outputStream().write(new byte[100_000]);
        throw new IOException("too late");
    }

    private RawResponse get(String path, String... headers) throws IOException {
        try (var client = RawClient.connect(server.address())) {
            String more = String.join("\n", headers) + (headers.length == 0 ? "" : "\n");
            return client.send("GET " + path + " HTTP/1.1\nHost: a\n" + more + "\n").response();
        }
    }

    @Test
    void filterOfAPathIsForWholeSegments() throws IOException {
        assertEquals("yes", get("/admin/users").field("X-Admin"));
        assertEquals("yes", get("/admin/missing").field("X-Admin"));
        assertNull(get("/administration").field("X-Admin"));
    }

    @Test
    void groupHasFiltersOfItsOwn() throws IOException {
        assertEquals("root of anna", get("/api", "X-User: anna").text());
        assertEquals("anna", get("/api/orders/3", "X-User: anna").text());
        assertEquals("inner of anna", get("/api/inner/x", "X-User: anna").text());
        assertEquals(401, get("/api/orders/3").status());
        assertEquals("users", get("/admin/users").text());
    }

    @Test
    void exceptionHandlerOfTheGroupComesFirst() throws IOException {
        RawResponse response = get("/api/bad", "X-User: a");
        assertEquals(502, response.status());
        assertEquals("api: lost", response.text());
        assertEquals("api: deep", get("/api/inner/bad", "X-User: a").text());
    }

    /// A cache would keep the error, and a browser would read it as a page.
    @Test
    void nothingOfTheHandlerThatFailedIsLeft() throws IOException {
        try (var client = RawClient.connect(server.address())) {
            String head = " HTTP/1.1\nHost: a\nX-User: a\n\n";
            RawResponse response = client.send("GET /api/begun" + head).response();
            assertEquals("502 api: lost", response.status() + " " + response.text());
            assertEquals("text/plain; charset=utf-8", response.field("Content-Type"));
            assertNull(response.field("Cache-Control"));
            assertNull(response.field("Content-Encoding"));
            assertEquals("anna", get("/api/orders/3", "X-User: anna").text());
            assertEquals(200, client.send("GET /api/orders/3" + head).response().status());
        }
    }

    @Test
    void exceptionHandlerIsForSubtypes() throws IOException {
        RawResponse response = get("/io");
        assertEquals(503, response.status());
        assertEquals("site: no file", response.text());
    }

    @Test
    void exceptionWithoutHandlerIs500() throws IOException {
        assertEquals(500, get("/fails").status());
    }

    @Test
    void statusOfAnHttpExceptionIsKept() throws IOException {
        RawResponse missing = get("/nothing");
        assertEquals(404, missing.status());
        assertEquals("as page: nothing is here", missing.text());
    }

    @Test
    void committedResponseIsTruncated() throws IOException {
        try (var client = RawClient.connect(server.address())) {
            client.send("GET /late HTTP/1.1\nHost: a\n\n");
            String all = new String(client.restOrCut(), StandardCharsets.ISO_8859_1);
            assertTrue(all.startsWith("HTTP/1.1 200"), all.substring(0, 20));
            assertTrue(!all.contains("too late") && !all.endsWith("0\r\n\r\n"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/int/7, 200, 7 1",
        "/int/-7?page=3, 200, -7 3",
        "/int/7?page=x, 400, as page: query parameter page is malformed: 'x'",
        "/int/99999999999, 400, as page: path parameter n is malformed: '99999999999'",
        "/long/99999999999, 200, 99999999999",
        "/long/1.5, 400, as page: path parameter n is malformed: '1.5'",
        "/id/b9c0a4a6-3d6f-4a0e-9a3e-6b7f1f0c2d11, 200, b9c0a4a6-3d6f-4a0e-9a3e-6b7f1f0c2d11",
        "/id/none, 400, as page: path parameter id is malformed: 'none'",
    })
    void parameterIsConvertedOr400(String path, int status, String text) throws IOException {
        RawResponse response = get(path);
        assertEquals(status, response.status(), response.text());
        assertEquals(text, response.text());
    }

    @ParameterizedTest
    @CsvSource({
        "text/plain, C3A4, 200",
        "text/plain; charset=iso-8859-1, E4, 200",
        "text/plain; charset=\"UTF-16BE\", 00E4, 200",
        "text/plain, E4, 400",
        "text/plain; charset=nonsense, 41, 415",
        "'text/plain; charset=,', 41, 415",
    })
    void textIsDecodedByItsCharset(String type, String hex, int status) throws IOException {
        byte[] body = HexFormat.of().parseHex(hex);
        try (var client = RawClient.connect(server.address())) {
            client.send(
                    "POST /text HTTP/1.1\nHost: a\nContent-Type: %s\nContent-Length: %d\n\n"
                            .formatted(type, body.length));
            RawResponse response = client.send(body).response();
            assertEquals(status, response.status(), response.text());
            if (status == 200) {
                assertEquals("ä", new String(response.body(), StandardCharsets.UTF_8));
            }
        }
    }

    @Test
    void malformedPathOfAGroupIsRejected() {
        Tandem tandem = Tandem.listen(0);
        assertThrows(IllegalArgumentException.class, () -> tandem.group("api", _ -> {}));
        assertThrows(IllegalArgumentException.class, () -> tandem.group("/api/", _ -> {}));
        assertThrows(IllegalArgumentException.class, () -> tandem.filter("/", (x, next) -> {}));
    }
}
