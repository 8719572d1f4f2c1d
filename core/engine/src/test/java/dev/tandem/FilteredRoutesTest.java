package dev.tandem;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.tandem.http.Exchange;
import dev.tandem.http.ExchangeWrapper;
import dev.tandem.http.Filter;
import dev.tandem.http.Handler;
import dev.tandem.http.HttpException;
import dev.tandem.testkit.RawClient;
import dev.tandem.testkit.RawResponse;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Handlers that do not block run on the loop where no filter is for the path.
class FilteredRoutesTest {
    private static final String USER = "X-User: a\n";

    private Server server;

    /// Admits those who name themselves. May block.
    private static final class Guard implements Filter {
        @Override
        public void apply(Exchange x, Handler next) throws Exception {
            if (x.header("X-User") == null) {
                throw new HttpException(401, "who are you?");
            }
            next.handle(x);
        }

        @Override
        public Handler wrap(Handler handler) {
            return x -> apply(x, handler);
        }
    }

    @BeforeEach
    void start() throws IOException {
        Filter guard = new Guard();
        Handler quick = Handler.nonBlocking(FilteredRoutesTest::sayThread);
        server =
                Tandem.listen("127.0.0.1", 0)
                        .options(Options.DEFAULT.withThreads(t -> t.withInPlace(false)))
                        .filter("/disguised", (x, next) -> next.handle(as("/admin", x)))
                        .filter("/veiled", (x, next) -> next.handle(as("/group", x)))
                        .filter("/disguised", Filter.before(x -> x.header("X-Own", "yes")))
                        .filter("/admin", guard)
                        .filter("/headers", Filter.headers(Map.of("X-A", "yes")))
                        .errorPage((x, _) -> sayThread(x))
                        .route("*", "/open/{path...}", quick)
                        .route("*", "/admin/users", quick)
                        .route("*", "/;x/admin/users", quick)
                        .route("*", "/admin;x/users", quick)
                        .get("/ADMIN/users", quick)
                        .get("/administration", quick)
                        .get("/a;x/admin", quick)
                        .get("/headers", quick)
                        .get("/disguised", quick)
                        .get("/waits", FilteredRoutesTest::sayThread)
                        .get("/forward", Handler.nonBlocking(x -> x.forward("/a/../admin/users")))
                        .group("/api", api -> addGroup(api, guard, quick))
                        .group(
                                "/veiled",
                                veiled ->
                                        veiled.filter(new PathFilter("/group", guard))
                                                .get("/a", quick))
                        .start();
    }

    private static void addGroup(RouteGroup api, Filter guard, Handler quick) {
        api.filter(new PathFilter("/api/private", guard))
                .get("/open", quick)
                .get("/private/a", quick)
                .get("/files/{path...}", new PathFilterTest.Prepared())
                .get("/private/files/{path...}", new PathFilterTest.Prepared())
                .group(
                        "/inner",
                        inner ->
                                inner.filter(new PathFilter("/api/inner/private", guard))
                                        .exception(
                                                IllegalStateException.class,
                                                (x, _) -> sayThread(x.status(409)))
                                        .get("/fails", Handler.nonBlocking(_ -> fail()))
                                        .get("/open", quick)
                                        .get("/private", quick));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /// Returns a request as handlers and filters see it that is presented as one for another path.
    private static Exchange as(String path, Exchange x) {
        return new ExchangeWrapper(x) {
            @Override
            public String path() {
                return path;
            }
        };
    }

    private static void sayThread(Exchange x) throws IOException {
        String name = Thread.currentThread().getName();
        x.header("X-Thread", name.substring(0, name.lastIndexOf('-'))).send();
    }

    private static void fail() {
        throw new IllegalStateException("as it should");
    }

    private String ask(String method, String target, String headers) throws IOException {
        try (RawClient client = RawClient.connect(server.address())) {
            client.send(method + " " + target + " HTTP/1.1\nHost: a\n" + headers + "\n");
            RawResponse response =
                    method.equals("HEAD") ? client.responseToHead() : client.response();
            return response.status() + " " + response.field("X-Thread");
        }
    }

    private String ask(String target) throws IOException {
        return ask("GET", target, "");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/open/",
                "/open/admin",
                "/administration",
                "/ADMIN/users",
                "/a;x/admin",
                "/admin/%2e%2e/open/a",
                "/open/%2561dmin"
            })
    void handlerOfAnotherPathRunsOnTheLoop(String target) throws IOException {
        assertEquals("200 tandem-loop", ask(target));
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD", "OPTIONS", "DELETE"})
    void everyMethodOfAnotherPathRunsOnTheLoop(String method) throws IOException {
        assertEquals("200 tandem-loop", ask(method, "/open/a", ""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/admin/users",
                "//admin//users",
                "/%61dmin/users",
                "/open/../admin/users",
                "/open/%2e%2e/admin/users",
                "/./admin/users",
                "/;x/admin/users",
                "/admin;x/users",
                "/admin%3Bx/users"
            })
    void pathOfTheFilterIsFilteredInEverySpelling(String target) throws IOException {
        assertEquals("401 tandem-worker", ask(target));
        assertEquals("401 tandem-worker", ask("HEAD", target, ""));
        assertEquals("401 tandem-worker", ask("OPTIONS", target, ""));
        assertEquals("200 tandem-worker", ask("GET", target, USER));
    }

    @Test
    void secondRequestOfALineIsFilteredAsTheFirst() throws IOException {
        try (RawClient client = RawClient.connect(server.address())) {
            for (int i = 0; i < 2; i++) {
                client.send("GET /open/a HTTP/1.1\nHost: a\n\n");
                assertEquals("tandem-loop", client.response().field("X-Thread"));
                client.send("GET /admin/users HTTP/1.1\nHost: a\n\n");
                assertEquals(401, client.response().status());
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/nothing, 404 tandem-loop",
        "/administration/, 404 tandem-loop",
        "/admin/nothing, 401 tandem-worker",
        "/admin;x, 401 tandem-worker"
    })
    void pathWithoutRouteIsFiltered(String target, String expected) throws IOException {
        assertEquals(expected, ask(target));
    }

    @Test
    void blockingHandlerRunsOnAWorker() throws IOException {
        assertEquals("200 tandem-worker", ask("/waits"));
    }

    @Test
    void filterThatDoesNotBlockRunsOnTheLoop() throws IOException {
        assertEquals("200 tandem-loop", ask("/headers"));
    }

    @Test
    void pathThatAFilterPresentsIsFiltered() throws IOException {
        assertEquals("401 tandem-worker", ask("/disguised"));
        assertEquals("200 tandem-worker", ask("GET", "/disguised", USER));
        assertEquals("401 tandem-worker", ask("/disguised/nothing"));
    }

    @Test
    void pathThatAFilterPresentsIsFilteredByAGroup() throws IOException {
        assertEquals("401 tandem-worker", ask("/veiled/a"));
        assertEquals("200 tandem-worker", ask("GET", "/veiled/a", USER));
    }

    @Test
    void filterIsNotForThePathThatOneBeforeItHasReplaced() throws IOException {
        try (RawClient client = RawClient.connect(server.address())) {
            client.send("GET /disguised HTTP/1.1\nHost: a\n" + USER + "\n");
            RawResponse response = client.response();
            assertEquals(200, response.status());
            assertNull(response.field("X-Own"));
        }
    }

    @Test
    void targetOfAForwardIsFiltered() throws IOException {
        assertEquals("401 tandem-loop", ask("/forward"));
        assertEquals("200 tandem-loop", ask("GET", "/forward", USER));
    }

    @ParameterizedTest
    @CsvSource({
        "/api/open, 200 tandem-loop",
        "/api/private/a, 401 tandem-worker",
        "/api/inner/open, 200 tandem-loop",
        "/api/inner/fails, 409 tandem-loop",
        "/api/inner/%70rivate, 401 tandem-worker"
    })
    void filtersOfGroupsAreForTheirPaths(String target, String expected) throws IOException {
        assertEquals(expected, ask(target));
    }

    @ParameterizedTest
    @CsvSource({"/api/files/a, ready", "/api/private/files/a, handled"})
    void preparedResponsesOfGroupsAreUsed(String target, String text) throws IOException {
        try (RawClient client = RawClient.connect(server.address())) {
            client.send("GET " + target + " HTTP/1.1\nHost: a\n" + USER + "\n");
            assertEquals(text, client.response().text());
        }
    }
}
