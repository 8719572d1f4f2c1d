package dev.tandem.filters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.filters.Rule.Redirect;
import dev.tandem.filters.Rule.Rewrite;
import dev.tandem.http.Handler;
import dev.tandem.testkit.server.Web;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RulesTest {
    private Web web;

    @BeforeEach
    void serve() throws IOException {
        Rules rules =
                Rules.of(
                        List.of(
                                new Redirect("/old", "/new", 301),
                                new Redirect("/docs/*", "https://docs.example/v2/{rest}", 308),
                                new Redirect("/docs/kept", "/kept?from=docs", 302),
                                new Rewrite("/blog/*", "/page/{rest}"),
                                new Rewrite("/loop/*", "/loop/{rest}")));
        web =
                new Web(
                        site ->
                                site.filter(rules)
                                        .route(
                                                "*",
                                                "/{path...}",
                                                x ->
                                                        x.send(
                                                                x.method()
                                                                        + " "
                                                                        + x.request().target())));
    }

    @AfterEach
    void stop() {
        web.close();
    }

    @ParameterizedTest
    @CsvSource({
        "/old, 301, /new",
        "/old?a=1, 301, /new?a=1",
        "//old, 301, /new",
        "/docs/a/b%20c?q, 308, https://docs.example/v2/a/b%20c?q",
        "/docs/, 308, https://docs.example/v2/",
        "/docs/%0d%0aX:y, 400, -",
        "/docs//evil.example, 308, https://docs.example/v2/evil.example",
        "/docs/..//evil.example, 200, -",
        "/docs/@evil.example, 308, https://docs.example/v2/%40evil.example",
        "/docs/%252e%252e/x, 308, https://docs.example/v2/%252e%252e/x",
        "/docs/kept?x=1, 302, /kept?from=docs",
        "/OLD, 200, -",
        "/old., 200, -",
        "/old/, 200, -"
    })
    void matchingPathIsRedirected(String target, int status, String location) throws IOException {
        Web.Response response = web.get(target);
        assertEquals(status, response.status());
        assertEquals(location, response.fields().getOrDefault("Location", "-"));
    }

    @ParameterizedTest
    @CsvSource({
        "/blog/2026/a%3Fb, GET /page/2026/a%3Fb",
        "/blog/x?y=z, GET /page/x?y=z",
        "/blog/%E2%82%AC, GET /page/%E2%82%AC",
        "/page/1, GET /page/1"
    })
    void matchingPathIsRewritten(String target, String expected) throws IOException {
        assertEquals(expected, web.get(target).text());
    }

    /// The handler of a rewrite's target may block.
    @Test
    void handlerBehindARewriteIsBlocking() {
        Handler quick = Handler.nonBlocking(_ -> {});
        assertTrue(Rules.of(List.of(new Rewrite("/a", "/b"))).wrap(quick).isBlocking());
        assertFalse(Rules.of(List.of(new Redirect("/a", "/b", 301))).wrap(quick).isBlocking());
    }

    @ParameterizedTest
    @CsvSource({
        "/a, tandem-loop",
        "/blogs, tandem-loop",
        "/BLOG/a, tandem-loop",
        "/blog/a, tandem-worker",
        "//blog/a, tandem-worker",
        "/%62log/a, tandem-worker",
        "/a/%2e%2e/blog/a, tandem-worker"
    })
    void onlyPathsWithARuleLeaveTheLoop(String target, String thread) throws IOException {
        Rules rules = Rules.of(List.of(new Rewrite("/blog/*", "/page/{rest}")));
        Handler quick = Handler.nonBlocking(x -> x.send(Thread.currentThread().getName()));
        try (var quickSite = new Web(site -> site.filter(rules).get("/{path...}", quick))) {
            String name = quickSite.get(target).text();
            assertEquals(thread, name.substring(0, name.lastIndexOf('-')));
        }
    }

    @Test
    void rewriteOfAPathThatAFilterPresentsRunsOnAWorker() throws IOException {
        Rules rules = Rules.of(List.of(new Rewrite("/blog/*", "/page/{rest}")));
        Handler quick =
                Handler.nonBlocking(x -> x.send(x.path() + " " + Thread.currentThread().getName()));
        try (var versions =
                new Web(
                        site ->
                                site.filter("/v1", Presented.as("/blog/a"))
                                        .filter(rules)
                                        .get("/{path...}", quick))) {
            String text = versions.get("/v1/blog/a").text();
            assertTrue(text.startsWith("/page/a tandem-worker"), text);
        }
    }

    /// After a rewrite, the password is that of the new path.
    @Test
    void targetOfARewriteIsFiltered() throws IOException {
        Rules rules = Rules.of(List.of(new Rewrite("/blog/*", "/private/{rest}")));
        BasicAuth auth = BasicAuth.of("here", Users.of("users", List.of()));
        BasicAuth some = auth.under(List.of("/private"));
        Handler quick = Handler.nonBlocking(x -> x.send("in"));
        try (var before = new Web(s -> s.filter(some).filter(rules).get("/{path...}", quick));
                var behind = new Web(s -> s.filter(rules).filter(some).get("/{path...}", quick))) {
            assertEquals(401, before.get("/blog/a").status());
            assertEquals(401, behind.get("/blog/a").status());
            assertEquals("in", behind.get("/blogs").text());
        }
    }

    @Test
    void postRequestIsNotRewritten() throws IOException {
        assertEquals("POST /blog/x", web.ask("POST", "/blog/x", "Content-Length: 0").text());
    }

    @Test
    void rewriteLoopEnds() throws IOException {
        assertEquals(500, web.get("/loop/x").status());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "old", "/a*", "/*/a", "//a", "*", "/a//b"})
    void malformedPatternIsRejected(String from) {
        assertThrows(IllegalArgumentException.class, () -> new Redirect(from, "/new", 301));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "new",
                "//evil.example",
                "ftp://a/",
                "javascript:x",
                "https://good.example{rest}",
                "https://{rest}",
                "/a{rest}",
                "/\\evil.example",
                "/a\r\nX: y"
            })
    void destinationOnAnotherHostIsRejected(String to) {
        assertThrows(IllegalArgumentException.class, () -> new Redirect("/old/*", to, 301));
        var error = assertThrows(IllegalArgumentException.class, () -> new Rewrite("/old", to));
        assertTrue(error.getMessage() != null);
    }
}
