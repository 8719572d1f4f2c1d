package dev.tandem.engine;

import static dev.tandem.engine.http1.WireCases.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.ErrorPage;
import dev.tandem.Options;
import dev.tandem.engine.loop.LoopExchange;
import dev.tandem.engine.loop.LoopHandler;
import dev.tandem.http.Exchange;
import dev.tandem.http.Filter;
import dev.tandem.http.Handler;
import dev.tandem.http.HttpException;
import dev.tandem.http.Router;
import dev.tandem.net.OutOfDescriptorsException;
import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.MemoryPipe;
import dev.tandem.testkit.WireText;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What clients and the log see of failures.
class ErrorTest {
    private static final Filter FIELDS =
            Filter.headers(
                    Map.of(
                            "Content-Security-Policy",
                            "default-src 'self'",
                            "Content-Language",
                            "x"));

    private static final Router ROUTES =
            Router.builder()
                    .add("GET", "/worker", ErrorTest::fail)
                    .add("GET", "/loop", Handler.nonBlocking(ErrorTest::fail))
                    .add("GET", "/late", ErrorTest::failLate)
                    .add("GET", "/wrapped", ErrorTest::wrapGone)
                    .add("GET", "/deep", ErrorTest::deep)
                    .add("GET", "/started", ErrorTest::failAfterWriting)
                    .add("GET", "/no", ErrorTest::reject)
                    .add("GET", "/behind", FIELDS.wrap(ErrorTest::describeAndReject))
                    .add("GET", "/starved", ErrorTest::starve)
                    .add("GET", "/starved-deep", ErrorTest::starveDeep)
                    .build();

    private final LogCapture log = LogCapture.of("dev.tandem.engine");
    private MemoryServer server = new MemoryServer(Options.DEFAULT, ROUTES, ErrorPage.PLAIN, null);

    @AfterEach
    void stop() {
        server.close();
        log.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/worker", "/loop", "/deep", "/started"})
    void idIsOnThePageAndOnceInTheLog(String path) throws IOException {
        String response = lastResponse(get(path).replace("\n\n", "\nConnection: close\n\n"));
        assertTrue(response.startsWith("HTTP/1.1 500 Internal Server Error\n"), response);
        String[] lines = response.split("<0a>");
        String id = lines[lines.length - 1];
        assertTrue(id.matches("[0-9a-z]+-[0-9a-z]+"), id);
        assertEquals(
                List.of("exchange " + id + " failed in HANDLE: GET " + path),
                log.messages(_ -> true));
    }

    @Test
    void causeIsInTheLogAndNotOnThePage() throws IOException {
        String response = lastResponse(get("/worker").replace("\n\n", "\nConnection: close\n\n"));
        assertFalse(response.contains("on purpose"), response);
        assertEquals(
                "java.lang.IllegalStateException: on purpose",
                String.valueOf(log.lines().getFirst().thrown()));
    }

    @Test
    void htmlPageEscapesTheMessage() throws IOException {
        String request =
                """
                GET /no HTTP/1.1
                Host: a
                Accept: text/html
                Connection: close

                """;
        String response = lastResponse(request);
        assertTrue(response.startsWith("HTTP/1.1 403 Forbidden\n"), response);
        assertTrue(response.contains("<p>no &lt;b&gt;entry&lt;/b&gt;</p>"), response);
    }

    @Test
    void rejectionIsNotLogged() throws IOException {
        lastResponse(get("/no").replace("\n\n", "\nConnection: close\n\n"));
        assertEquals(List.of(), log.messages(_ -> true));
    }

    @Test
    void failureAfterTheHeadTruncatesTheResponseAndIsLogged() throws IOException {
        String response = lastResponse(get("/late"));
        assertTrue(response.endsWith("\n\n3\none\n"), response);
        assertEquals(1, log.messages(line -> line.contains("failed in HANDLE")).size());
    }

    /// Reads the body on the loop, as the proxy does.
    private record Reading(Runnable before, AtomicBoolean isOver) implements LoopHandler {
        @Override
        public void proceed(LoopExchange on) throws IOException {
            before.run();
            on.read(new byte[10], 0, 10);
        }

        @Override
        public void ended() {
            isOver.set(true);
        }
    }

    @Test
    void clientThatResetsWhenItIsAskedForItsBodyIsNotLogged() throws IOException {
        var pipes = new ArrayList<MemoryPipe>();
        var reading = new Reading(() -> pipes.getFirst().reset(), new AtomicBoolean());
        Handler handler = x -> LoopExchange.begin(x, reading);
        server.close();
        Router routes = Router.builder().add("POST", "/body", handler).build();
        server = new MemoryServer(Options.DEFAULT, routes, ErrorPage.PLAIN, null);
        pipes.add(server.connect());
        String head = "POST /body HTTP/1.1\nHost: a\nExpect: 100-continue\nContent-Length: 10\n\n";
        byte[] bytes = WireText.bytes(head);
        pipes.getFirst().toServer().offer(bytes, 0, bytes.length);
        server.iterateUntil("it is over", () -> reading.isOver().get());
        server.iterateUntil("the connection is closed", () -> server.connections() == 0);
        assertEquals(List.of(), log.messages(_ -> true));
    }

    @Test
    void wrappedDisconnectIsNotLogged() throws IOException {
        MemoryPipe pipe = server.connect();
        byte[] bytes = WireText.bytes(get("/wrapped"));
        pipe.toServer().offer(bytes, 0, bytes.length);
        pipe.toClient().breakOff();
        server.iterateUntil("the request is read", () -> pipe.toServer().size() == 0);
        pipe.toServer().end();
        server.iterateUntil("the connection is closed", () -> server.connections() == 0);
        assertEquals(List.of(), log.messages(_ -> true));
    }

    @Test
    void failingErrorPageClosesTheConnection() throws IOException {
        server.close();
        server =
                new MemoryServer(
                        Options.DEFAULT,
                        ROUTES,
                        (_, _) -> {
                            throw new IllegalStateException("page");
                        },
                        null);
        assertEquals("", lastResponse(get("/no")));
        assertEquals(1, log.messages(line -> line.endsWith("the error page failed")).size());
    }

    @Test
    void errorPageKeepsHeadersOfFiltersButNotOfContent() throws IOException {
        String response = lastResponse(get("/behind").replace("\n\n", "\nConnection: close\n\n"));
        assertTrue(response.startsWith("HTTP/1.1 403 Forbidden\n"), response);
        assertTrue(response.contains("\nContent-Security-Policy: default-src 'self'\n"), response);
        assertTrue(response.contains("\nCache-Control: no-store\n"), response);
        assertFalse(response.contains("Content-Language"), response);
        assertFalse(response.contains("max-age"), response);
        assertFalse(response.contains("ETag"), response);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/starved", "/starved-deep"})
    void lackOfDescriptorsIs503AndLoggedRarely(String path) throws IOException {
        for (int i = 0; i < 3; i++) {
            String response = lastResponse(get(path).replace("\n\n", "\nConnection: close\n\n"));
            assertTrue(response.startsWith("HTTP/1.1 503 Service Unavailable\n"), response);
            assertTrue(response.contains("\nRetry-After: 1\n"), response);
        }
        assertEquals(1, log.lines().size());
        assertNull(log.lines().getFirst().thrown());
    }

    private String lastResponse(String request) throws IOException {
        MemoryPipe pipe = server.connect();
        byte[] bytes = WireText.bytes(request);
        pipe.toServer().offer(bytes, 0, bytes.length);
        return server.readToEnd(pipe);
    }

    private static void fail(Exchange x) {
        throw new IllegalStateException("on purpose");
    }

    private static void reject(Exchange x) {
        throw new HttpException(403, "no <b>entry</b>");
    }

    private static void describeAndReject(Exchange x) {
        x.header("ETag", "\"1\"").header("Cache-Control", "max-age=9");
        throw new HttpException(403, "no");
    }

    private static void starve(Exchange x) throws IOException {
        throw new FileSystemException("/a/file", null, "Too many open files");
    }

    private static void starveDeep(Exchange x) {
        throw new IllegalStateException(
                new OutOfDescriptorsException("epoll_create1: too many open files"));
    }

    private static void failLate(Exchange x) throws IOException {
        OutputStream out = x.outputStream();
        out.write("one".getBytes());
        out.flush();
        throw new IllegalStateException("on purpose");
    }

    /// What was written is not sent yet, so that it can still be an error page.
    private static void failAfterWriting(Exchange x) throws IOException {
        x.header("X-A", "b").outputStream().write("one".getBytes());
        throw new IllegalStateException("on purpose");
    }

    private static void wrapGone(Exchange x) {
        try {
            x.send("gone");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void deep(Exchange x) {
        deep(x);
    }
}
