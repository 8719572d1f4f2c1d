package dev.tandem.engine;

import static dev.tandem.engine.http1.WireCases.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.ErrorPage;
import dev.tandem.Options;
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
import java.util.List;
import java.util.Map;
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
                    .add("GET", "/no", ErrorTest::refuse)
                    .add("GET", "/behind", FIELDS.wrap(ErrorTest::describeAndRefuse))
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
    void theIdIsOnThePageAndOnceInTheLog(String path) throws IOException {
        String answer = lastAnswer(get(path).replace("\n\n", "\nConnection: close\n\n"));
        assertTrue(answer.startsWith("HTTP/1.1 500 Internal Server Error\n"), answer);
        String[] lines = answer.split("<0a>");
        String id = lines[lines.length - 1];
        assertTrue(id.matches("[0-9a-z]+-[0-9a-z]+"), id);
        assertEquals(
                List.of("exchange " + id + " failed in HANDLE: GET " + path),
                log.messages(_ -> true));
    }

    @Test
    void theCauseIsInTheLogAndNotOnThePage() throws IOException {
        String answer = lastAnswer(get("/worker").replace("\n\n", "\nConnection: close\n\n"));
        assertFalse(answer.contains("on purpose"), answer);
        assertEquals(
                "java.lang.IllegalStateException: on purpose",
                String.valueOf(log.lines().getFirst().thrown()));
    }

    @Test
    void aPageForBrowsersEscapesWhatIsSaid() throws IOException {
        String request =
                """
                GET /no HTTP/1.1
                Host: a
                Accept: text/html
                Connection: close

                """;
        String answer = lastAnswer(request);
        assertTrue(answer.startsWith("HTTP/1.1 403 Forbidden\n"), answer);
        assertTrue(answer.contains("<p>no &lt;b&gt;entry&lt;/b&gt;</p>"), answer);
    }

    @Test
    void aRefusalIsNotLogged() throws IOException {
        lastAnswer(get("/no").replace("\n\n", "\nConnection: close\n\n"));
        assertEquals(List.of(), log.messages(_ -> true));
    }

    @Test
    void aFailureAfterTheHeadCutsTheAnswerAndIsLogged() throws IOException {
        String answer = lastAnswer(get("/late"));
        assertTrue(answer.endsWith("\n\n3\none\n"), answer);
        assertEquals(1, log.messages(line -> line.contains("failed in HANDLE")).size());
    }

    @Test
    void aClientThatHasGoneIsNotLoggedEvenIfTheHandlerWrapsIt() throws IOException {
        MemoryPipe pipe = server.connect();
        byte[] bytes = WireText.bytes(get("/wrapped"));
        pipe.toServer().offer(bytes, 0, bytes.length);
        pipe.toClient().breakOff();
        server.turnUntil("the connection is closed", () -> server.connections() == 0);
        assertEquals(List.of(), log.messages(_ -> true));
    }

    @Test
    void anErrorPageThatThrowsCutsTheConnection() throws IOException {
        server.close();
        server =
                new MemoryServer(
                        Options.DEFAULT,
                        ROUTES,
                        (_, _) -> {
                            throw new IllegalStateException("page");
                        },
                        null);
        assertEquals("", lastAnswer(get("/no")));
        assertEquals(1, log.messages(line -> line.endsWith("the error page failed")).size());
    }

    @Test
    void thePageKeepsTheFieldsOfFiltersButNotThoseOfTheContent() throws IOException {
        String answer = lastAnswer(get("/behind").replace("\n\n", "\nConnection: close\n\n"));
        assertTrue(answer.startsWith("HTTP/1.1 403 Forbidden\n"), answer);
        assertTrue(answer.contains("\nContent-Security-Policy: default-src 'self'\n"), answer);
        assertTrue(answer.contains("\nCache-Control: no-store\n"), answer);
        assertFalse(answer.contains("Content-Language"), answer);
        assertFalse(answer.contains("max-age"), answer);
        assertFalse(answer.contains("ETag"), answer);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/starved", "/starved-deep"})
    void outOfDescriptorsItIs503AndSaidOnceInAWhile(String path) throws IOException {
        for (int i = 0; i < 3; i++) {
            String answer = lastAnswer(get(path).replace("\n\n", "\nConnection: close\n\n"));
            assertTrue(answer.startsWith("HTTP/1.1 503 Service Unavailable\n"), answer);
            assertTrue(answer.contains("\nRetry-After: 1\n"), answer);
        }
        assertEquals(1, log.lines().size());
        assertNull(log.lines().getFirst().thrown());
    }

    private String lastAnswer(String request) throws IOException {
        MemoryPipe pipe = server.connect();
        byte[] bytes = WireText.bytes(request);
        pipe.toServer().offer(bytes, 0, bytes.length);
        return server.hearEnd(pipe);
    }

    private static void fail(Exchange x) {
        throw new IllegalStateException("on purpose");
    }

    private static void refuse(Exchange x) {
        throw new HttpException(403, "no <b>entry</b>");
    }

    private static void describeAndRefuse(Exchange x) {
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
