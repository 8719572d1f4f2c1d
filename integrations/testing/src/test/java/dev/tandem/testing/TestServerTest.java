package dev.tandem.testing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.Tandem;
import dev.tandem.VirtualHost;
import dev.tandem.http.Body;
import dev.tandem.http.BodyMapper;
import dev.tandem.http.Event;
import dev.tandem.http.EventChannel;
import dev.tandem.http.Exchange;
import dev.tandem.http.FileStamp;
import dev.tandem.http.Filter;
import dev.tandem.http.Form;
import dev.tandem.http.Handler;
import dev.tandem.http.Part;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Responses are the same in memory and over a port, unless a test says otherwise.
@Timeout(60)
class TestServerTest {
    private final Path folder;
    private final EventChannel channel = EventChannel.of();
    private final List<TestServer> running = new ArrayList<>();

    TestServerTest(@TempDir Path folder) {
        this.folder = folder;
    }

    record Order(String item, int count) {}

    enum Way {
        IN_MEMORY,
        ON_PORT;

        TestServer start(TestServer.Site site) {
            return this == IN_MEMORY ? TestServer.inMemory(site) : TestServer.onPort(site);
        }
    }

    private TestServer serve(Way way) {
        return started(way.start(this::addTo));
    }

    private TestServer started(TestServer server) {
        running.add(server);
        return server;
    }

    @AfterEach
    void stop() {
        running.forEach(TestServer::close);
    }

    private void addTo(Tandem site) {
        site.options(Options.DEFAULT.withLimits(l -> l.withBodyMax(1_000)))
                .filter("/private", Filter.before(x -> x.value(String.class, "Ann")))
                .get("/hello/{name}", x -> x.send("Hello, " + x.pathParam("name")))
                .get("/now", Handler.nonBlocking(x -> x.send("now")))
                .get("/private/name", x -> x.send(x.value(String.class)))
                .get("/query", x -> x.send("" + x.queryInt("n", 7)))
                .get("/header", x -> x.send(x.request().headers().all("X-Test").toString()))
                .get("/none", x -> {})
                .get("/file", this::sendFile)
                .get("/stream", TestServerTest::stream)
                .get("/broken", TestServerTest::breakDown)
                .get("/missing", TestServerTest::findNothing)
                .get("/bug", TestServerTest::fail)
                .get("/events", x -> channel.subscribe(x, () -> List.of(Event.of("price", "1"))))
                .post("/orders", x -> x.status(201).json(x.body(Order.class)))
                .post("/form", TestServerTest::sendForm)
                .post("/text", x -> x.send(x.bodyText()))
                .exception(
                        NoSuchElementException.class,
                        (x, e) -> x.status(404).send("there is no " + e.getMessage()))
                .host(VirtualHost.of("other.example").get("/", x -> x.send("other")));
    }

    private void sendFile(Exchange x) throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "0123456789".repeat(3_000));
        x.send(new Body.FileRegion(file, 5, 20_000, FileStamp.of(file)));
    }

    private static void stream(Exchange x) throws IOException {
        try (OutputStream out = x.outputStream()) {
            out.write("one".getBytes(StandardCharsets.UTF_8));
            out.flush();
            out.write("two".getBytes(StandardCharsets.UTF_8));
        }
    }

    private static void breakDown(Exchange x) throws IOException {
        x.outputStream().write(new byte[100_000]);
        throw new NoSuchElementException("after the response had begun");
    }

    private static void findNothing(Exchange x) {
        throw new NoSuchElementException("tea");
    }

    private static void fail(Exchange x) {
        throw new IllegalStateException("on purpose");
    }

    private static void sendForm(Exchange x) throws IOException {
        try (Form form = x.request().form()) {
            Part picture = form.part("picture");
            String file =
                    picture == null ? "none" : picture.fileName() + "=" + picture.bytes().length;
            x.send(form.first("item") + " " + file);
        }
    }

    // ---- Requests and responses.

    @ParameterizedTest
    @EnumSource
    void textIsSent(Way way) {
        TestServer server = serve(way);
        TestResponse response = server.get("/hello/J%C3%B6rg").expect(200);
        assertEquals("Hello, Jörg", response.text());
        assertEquals("text/plain; charset=utf-8", response.header("content-type"));
        assertEquals("12", response.header("Content-Length"));
        assertNull(response.header("Location"));
    }

    @ParameterizedTest
    @EnumSource
    void nonBlockingHandlerResponds(Way way) {
        TestServer server = serve(way);
        assertEquals("now", server.get("/now").expect(200).text());
    }

    @ParameterizedTest
    @EnumSource
    void objectsAreMapped(Way way) {
        TestServer server = serve(way);
        Order order = new Order("tea", 2);
        assertEquals(order, server.post("/orders", order).expect(201).body(Order.class));
    }

    @ParameterizedTest
    @EnumSource
    void bodyThatDoesNotMapIsRejected(Way way) {
        TestServer server = serve(way);
        TestResponse response =
                server.request("POST", "/orders")
                        .body("application/json", "{\"count\":\"many\"}")
                        .send()
                        .expect(400);
        assertTrue(response.text().contains("count"), response.text());
    }

    @ParameterizedTest
    @EnumSource
    void formIsUrlEncodedWithoutFiles(Way way) {
        TestServer server = serve(way);
        TestRequest request = server.request("POST", "/form").field("item", "tea & milk=1");
        assertEquals("tea & milk=1 none", request.send().expect(200).text());
    }

    @ParameterizedTest
    @EnumSource
    void fileIsUploaded(Way way) {
        TestServer server = serve(way);
        TestRequest request =
                server.request("POST", "/form")
                        .field("item", "tea")
                        .file("picture", "tea.png", new byte[300]);
        assertEquals("tea tea.png=300", request.send().expect(200).text());
    }

    @ParameterizedTest
    @EnumSource
    void bodyBeyondTheLimitIsRejected(Way way) {
        TestServer server = serve(way);
        assertEquals(
                "a".repeat(1_000),
                server.request("POST", "/text").text("a".repeat(1_000)).send().text());
        server.request("POST", "/text").text("a".repeat(1_001)).send().expect(413);
    }

    @ParameterizedTest
    @EnumSource
    void queryAndHeadersAreSent(Way way) {
        TestServer server = serve(way);
        assertEquals("3", server.get("/query?n=3").expect(200).text());
        server.get("/query?n=x").expect(400);
        assertEquals(
                "[a, b]",
                server.request("GET", "/header")
                        .header("X-Test", "a")
                        .header("x-test", "b")
                        .send()
                        .text());
    }

    @ParameterizedTest
    @EnumSource
    void responseToHeadHasNoBody(Way way) {
        TestServer server = serve(way);
        TestResponse response = server.request("HEAD", "/hello/Ann").send().expect(200);
        assertEquals(0, response.bytes().length);
        assertEquals("10", response.header("Content-Length"));
    }

    @ParameterizedTest
    @EnumSource
    void handlerWithoutResponseSends204(Way way) {
        TestServer server = serve(way);
        assertEquals("", server.get("/none").expect(204).text());
    }

    @ParameterizedTest
    @EnumSource
    void filterPassesAValue(Way way) {
        TestServer server = serve(way);
        assertEquals("Ann", server.get("/private/name").expect(200).text());
    }

    @ParameterizedTest
    @EnumSource
    void fileIsSent(Way way) {
        TestServer server = serve(way);
        byte[] expected = "0123456789".repeat(3_000).getBytes(StandardCharsets.US_ASCII);
        assertArrayEquals(
                Arrays.copyOfRange(expected, 5, 20_005), server.get("/file").expect(200).bytes());
    }

    @ParameterizedTest
    @EnumSource
    void streamIsSent(Way way) {
        TestServer server = serve(way);
        assertEquals("onetwo", server.get("/stream").expect(200).text());
    }

    // ---- Failures.

    @ParameterizedTest
    @EnumSource
    void missingRouteAndMethodHaveTheErrorPage(Way way) {
        TestServer server = serve(way);
        assertTrue(server.get("/nowhere").expect(404).text().contains("nothing is here"));
        assertEquals("GET, HEAD, OPTIONS", server.delete("/none").expect(405).header("Allow"));
    }

    @ParameterizedTest
    @EnumSource
    void exceptionHandlerResponds(Way way) {
        TestServer server = serve(way);
        assertEquals("there is no tea", server.get("/missing").expect(404).text());
    }

    @ParameterizedTest
    @EnumSource
    void bugIs500WithoutItsMessage(Way way) {
        TestServer server = serve(way);
        assertTrue(!server.get("/bug").expect(500).text().contains("on purpose"));
    }

    @ParameterizedTest
    @EnumSource
    void incompleteResponseIsAnException(Way way) {
        TestServer server = serve(way);
        assertThrows(UncheckedIOException.class, () -> server.get("/broken"));
    }

    @ParameterizedTest
    @EnumSource
    void unexpectedStatusShowsTheResponse(Way way) {
        TestServer server = serve(way);
        var error = assertThrows(AssertionError.class, () -> server.get("/missing").expect(200));
        String message = String.valueOf(error.getMessage());
        assertTrue(message.startsWith("GET /missing: expected 200, the response is 404"), message);
        assertTrue(message.endsWith("there is no tea"), message);
    }

    @ParameterizedTest
    @EnumSource
    void malformedTargetIsAnException(Way way) {
        TestServer server = serve(way);
        assertThrows(IllegalArgumentException.class, () -> server.get("/a b"));
    }

    @ParameterizedTest
    @EnumSource
    void siteThatCannotBeMadeSaysWhy(Way way) {
        TestServer.Site broken =
                _ -> {
                    throw new IOException("no database");
                };
        var e = assertThrows(IllegalStateException.class, () -> way.start(broken));
        assertEquals("the site cannot be made: no database", e.getMessage());
        assertTrue(e.getCause() instanceof IOException);
    }

    // ---- In memory.

    @Test
    void handlerInMemoryRunsOnTheTestsThread() {
        var ran = new AtomicReference<Thread>();
        TestServer server =
                started(
                        TestServer.inMemory(
                                site -> site.get("/", x -> ran.set(Thread.currentThread()))));
        server.get("/").expect(204);
        assertSame(Thread.currentThread(), ran.get());
    }

    @Test
    void hostSelectsTheSiteInMemory() {
        TestServer server = serve(Way.IN_MEMORY);
        TestRequest request = server.request("GET", "/").header("Host", "other.example:8080");
        assertEquals("other", request.send().expect(200).text());
        server.get("/").expect(404);
    }

    @Test
    void eventsInMemoryAreThoseThatAreThere() {
        TestServer server = serve(Way.IN_MEMORY);
        TestResponse response = server.get("/events").expect(200);
        assertEquals("text/event-stream", response.header("Content-Type"));
        assertTrue(response.text().contains("data: 1\n"), response.text());
        assertEquals(0, channel.subscriberCount());
        assertThrows(
                UnsupportedOperationException.class,
                () -> server.request("GET", "/events").lines());
        assertThrows(IllegalStateException.class, () -> server.uri("/events"));
    }

    @Test
    void webSocketInMemoryIs501() {
        TestServer server =
                started(TestServer.inMemory(site -> site.webSocket("/", session -> {})));
        server.get("/").expect(501);
    }

    // ---- Over a port.

    @Test
    void eventsOverAPortAreReadAsTheyCome() {
        TestServer server = serve(Way.ON_PORT);
        try (Stream<String> lines = server.request("GET", "/events").lines()) {
            assertTrue(
                    lines.peek(line -> publishAfter("data: 1", line)).anyMatch("data: 2"::equals));
        }
    }

    private void publishAfter(String first, String line) {
        if (line.equals(first)) {
            channel.publish("price", "2");
        }
    }

    @Test
    void portIsFreeAgainWhenTheServerIsClosed() throws Exception {
        TestServer server = serve(Way.ON_PORT);
        server.get("/none").expect(204);
        int port = server.uri("/").getPort();
        server.close();
        Tandem.listen("127.0.0.1", port).start().close();
    }

    // ---- The mapper.

    @Test
    void chosenMapperIsUsed() {
        TestServer server =
                started(TestServer.inMemory(site -> site.post("/", x -> x.send(x.bodyText()))))
                        .mapper(new Lines());
        TestResponse response = server.post("/", "tea").expect(200);
        assertEquals("line tea", response.text());
        assertEquals("read line tea", response.body(String.class));
    }

    /// Of texts.
    private static final class Lines implements BodyMapper {
        @Override
        public String mediaType() {
            return "text/x-line";
        }

        @Override
        public boolean canRead(String mediaType) {
            return true;
        }

        @Override
        public Object read(InputStream body, Type type) throws IOException {
            return "read " + new String(body.readAllBytes(), StandardCharsets.UTF_8);
        }

        @Override
        public void write(@Nullable Object value, OutputStream to) throws IOException {
            to.write(("line " + value).getBytes(StandardCharsets.UTF_8));
        }
    }
}
