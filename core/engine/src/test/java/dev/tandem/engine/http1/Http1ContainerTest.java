package dev.tandem.engine.http1;

import static dev.tandem.engine.http1.WireCases.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.engine.MemoryServer;
import dev.tandem.engine.container.Container;
import dev.tandem.engine.container.ContainerExchange;
import dev.tandem.engine.container.ContainerOptions;
import dev.tandem.http.RequestTarget;
import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.MemoryPipe;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.WireText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A container's exchange over a connection in memory: its body, its response, and its life beyond
/// the call that began it.
@Timeout(60)
class Http1ContainerTest {
    private static final Options OPTIONS = Options.DEFAULT.withThreads(t -> t.withWorkersMax(2));

    private static final String TEXT = "0123456789".repeat(10);

    private final LogCapture log = LogCapture.of("dev.tandem");
    private final BlockingQueue<ContainerExchange> served = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> notes = new LinkedBlockingQueue<>();
    private final Path folder;
    private Serve serve = x -> respond(x, "hello");
    private final MemoryServer server = new MemoryServer(OPTIONS, new Serving());
    private MemoryPipe pipe = server.connect();

    Http1ContainerTest(@TempDir Path folder) {
        this.folder = folder;
    }

    @AfterEach
    void stop() {
        server.close();
        log.close();
    }

    @FunctionalInterface
    private interface Serve {
        void serve(ContainerExchange x) throws Exception;
    }

    private final class Serving implements Container {
        @Override
        public ContainerOptions options() {
            return ContainerOptions.DEFAULT.withBodiesCollected(false);
        }

        @Override
        public void serve(ContainerExchange x) throws Exception {
            try {
                serve.serve(x);
            } finally {
                served.add(x); // if it is shared, the test's thread may use it from now on
            }
        }

        @Override
        public String routeOf(String method, RequestTarget target) {
            return "all";
        }
    }

    private static void begin(ContainerExchange x, int length) throws IOException {
        x.begin(x.newHead(200).contentLength(length));
    }

    private static void respond(ContainerExchange x, String text) throws IOException {
        x.keep(x.mayKeep());
        begin(x, text.length());
        write(x, text, true);
    }

    private static void write(ContainerExchange x, String text, boolean waits) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        x.write(bytes, 0, bytes.length, waits);
    }

    private static String ok(String text) {
        return "HTTP/1.1 200 \nContent-Length: " + text.length() + "\n\n" + text;
    }

    private static String post(String head, String body) {
        return "POST / HTTP/1.1\nHost: a\n" + head + "\n\n" + body;
    }

    /// Replaces the client by one that takes so many bytes at once.
    private void connect(int space) {
        pipe.toServer().end();
        pipe = server.connect(space);
    }

    private void offer(String text) throws IOException {
        byte[] bytes = WireText.bytes(text);
        assertEquals(bytes.length, pipe.toServer().offer(bytes, 0, bytes.length));
    }

    private void assertNote(String note) throws InterruptedException {
        assertEquals(note, notes.poll(20, TimeUnit.SECONDS));
    }

    private String ask(String request, String expected) throws IOException {
        return server.ask(pipe, request, expected);
    }

    // ---- The response.

    @Test
    void unflushedOutputIsSentAtTheEnd() throws IOException {
        assertEquals(ok("hello"), ask(get("/"), ok("hello")));
        assertEquals(ok("hello"), ask(get("/"), ok("hello")), "over the same connection");
        assertEquals(1, server.connections());
    }

    @Test
    void connectionEndsUnlessItIsKept() throws IOException {
        serve =
                x -> {
                    begin(x, 5);
                    write(x, "hello", true);
                };
        offer(get("/") + get("/"));
        assertEquals(ok("hello"), server.readToEnd(pipe));
        assertEquals(1, served.size());
    }

    @Test
    void connectionThatTheClientEndsIsNotKept() throws IOException {
        serve =
                x -> {
                    assertFalse(x.mayKeep());
                    begin(x, 5);
                    x.keep(true);
                    write(x, "hello", true);
                };
        offer("GET / HTTP/1.1\nHost: a\nConnection: close\n\n");
        assertEquals(ok("hello"), server.readToEnd(pipe));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 64, 140})
    void responseArrivesOverEverySplit(int space) throws IOException {
        serve = x -> respond(x, TEXT);
        connect(space);
        assertEquals(ok(TEXT) + ok(TEXT), ask(get("/") + get("/"), ok(TEXT) + ok(TEXT)));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 64})
    void outputWrittenWithoutWaitingIsSentAfterTheEnd(int space) throws Exception {
        serve =
                x -> {
                    x.keep(true);
                    begin(x, TEXT.length());
                    write(x, TEXT, false);
                    notes.add("all sent: " + x.flush(false));
                    notes.add("held up: " + x.isHeldUp());
                };
        connect(space);
        offer(get("/"));
        server.iterateUntil("it is written", () -> notes.size() == 2);
        assertNote("all sent: false");
        assertNote("held up: true");
        assertEquals(ok(TEXT), server.readResponse(pipe, ok(TEXT)));
    }

    @Test
    void fileFollowsItsHead() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "##" + TEXT + "##");
        serve =
                x -> {
                    x.keep(true);
                    begin(x, TEXT.length());
                    x.sendFile(file, 2, TEXT.length());
                };
        for (int space : new int[] {1, 50, 4096}) {
            connect(space);
            assertEquals(ok(TEXT), ask(get("/"), ok(TEXT)), "room " + space);
            assertEquals(ok(TEXT), ask(get("/"), ok(TEXT)), "again, room " + space);
        }
    }

    @Test
    void interimResponseIsSentAtOnce() throws Exception {
        serve =
                x -> {
                    x.interim(x.newHead(103));
                    x.share();
                };
        String interim = "HTTP/1.1 103 \n\n";
        assertEquals(interim, ask(get("/"), interim));
        ContainerExchange x = served.take();
        respond(x, "hello");
        x.end();
        assertEquals(ok("hello"), server.readResponse(pipe, ok("hello")));
    }

    // ---- Failures.

    @Test
    void failureBeforeTheHeadIsAnErrorPage() throws IOException {
        serve =
                _ -> {
                    throw new IllegalStateException("on purpose");
                };
        String begin = "HTTP/1.1 500 Internal Server Error\n";
        assertTrue(ask(get("/"), begin).startsWith(begin));
        assertEquals(1, log.lines().size());
    }

    @Test
    void failureAfterTheHeadTruncatesTheResponse() throws IOException {
        serve =
                x -> {
                    x.keep(true);
                    begin(x, 10);
                    write(x, "abc", true);
                    x.flush(true);
                    write(x, "lost", true);
                    throw new IllegalStateException("on purpose");
                };
        offer(get("/") + get("/"));
        assertEquals("HTTP/1.1 200 \nContent-Length: 10\n\nabc", server.readToEnd(pipe));
        assertEquals(1, served.size());
    }

    /// What ends with the connection would look complete.
    @Test
    void failureAfterAHeadWithoutLengthResetsTheConnection() throws IOException {
        serve =
                x -> {
                    x.begin(x.newHead(200));
                    write(x, "abc", true);
                    x.flush(true);
                    throw new IllegalStateException("on purpose");
                };
        offer("GET / HTTP/1.0\n\n");
        server.iterateUntil("it is served", () -> !served.isEmpty());
        server.iterateUntil("it is closed", () -> server.connections() == 0);
        assertThrows(IOException.class, () -> pipe.toClient().take(new byte[1], 0, 1));
    }

    @Test
    void contentWithoutLengthEndsWithTheConnection() throws IOException {
        serve =
                x -> {
                    x.begin(x.newHead(200));
                    write(x, "abc", true);
                };
        offer("GET / HTTP/1.0\n\n");
        assertEquals("HTTP/1.1 200 \n\nabc", server.readToEnd(pipe));
    }

    @Test
    void nothingIsWrittenBehindLostOutput() throws Exception {
        serve = ContainerExchange::share;
        offer(get("/"));
        server.iterateUntil("it is served", () -> !served.isEmpty());
        ContainerExchange x = served.take();
        server.awaitRest();
        pipe.reset();
        assertThrows(IOException.class, () -> respondAndFlush(x));
        assertThrows(IOException.class, () -> write(x, "more", true));
        assertThrows(IOException.class, () -> x.flush(false));
        x.end();
        server.iterateUntil("its connection is closed", () -> server.connections() == 0);
    }

    @Test
    void clientThatResetsBeforeItsResponseIsNotLogged() throws Exception {
        serve =
                x -> {
                    pipe.reset();
                    respond(x, "hello");
                };
        offer(get("/"));
        server.iterateUntil("it is served", () -> !served.isEmpty());
        server.iterateUntil("its connection is closed", () -> server.connections() == 0);
        assertEquals(List.of(), log.lines());
    }

    /// As with a servlet that starts asynchronous processing.
    @Test
    void clientThatResetsARequestThatIsSharedIsNotLogged() throws Exception {
        serve =
                x -> {
                    x.share();
                    pipe.reset();
                    begin(x, 10);
                    write(x, "hello", true);
                };
        offer(get("/"));
        server.iterateUntil("it is served", () -> !served.isEmpty());
        server.iterateUntil("its connection is closed", () -> server.connections() == 0);
        assertEquals(List.of(), log.lines());
    }

    private static void respondAndFlush(ContainerExchange x) throws IOException {
        respond(x, "hello");
        x.flush(true);
    }

    // ---- The body.

    @Test
    void requestWithoutABodyHasReachedItsEnd() throws IOException {
        serve =
                x -> {
                    assertTrue(x.isBodyOver());
                    assertEquals(0, x.available());
                    assertEquals(-1, x.read(new byte[4], 0, 4, true));
                    assertEquals(0, x.read(new byte[0], 0, 0, true));
                    respond(x, "empty");
                };
        assertEquals(ok("empty"), ask(get("/"), ok("empty")));
    }

    private static String readAll(ContainerExchange x, int size) throws IOException {
        var all = new StringBuilder();
        var bytes = new byte[size];
        for (int count = 0; count >= 0; count = x.read(bytes, 0, size, true)) {
            all.append(new String(bytes, 0, count, StandardCharsets.US_ASCII));
        }
        assertTrue(x.isBodyOver());
        return all.toString();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 5, 6, 100})
    void bodyIsReadInPiecesOfAnySize(int size) throws IOException {
        serve = x -> respond(x, readAll(x, size));
        String requests = post("Content-Length: 6", "abcdef") + get("/");
        assertEquals(ok("abcdef") + ok(""), ask(requests, ok("abcdef") + ok("")));
    }

    @Test
    void bodyInChunksHasTrailers() throws IOException {
        serve = x -> respond(x, readAll(x, 4) + x.trailers().first("X-Sum"));
        String chunks = "3\nabc\n2\nde\n0\nX-Sum: 5\n\n";
        String request = post("Transfer-Encoding: chunked", chunks);
        assertEquals(ok("abcde5"), ask(request, ok("abcde5")));
    }

    @Test
    void threadWaitsForMoreOfTheBody() throws IOException {
        serve =
                x -> {
                    notes.add("begun");
                    respond(x, readAll(x, 4));
                };
        offer(post("Content-Length: 6", "abc"));
        server.iterateUntil("it is served", () -> !notes.isEmpty());
        assertEquals(ok("abcdef"), ask("def", ok("abcdef")));
    }

    // ---- Beyond the call.

    private ContainerExchange shared(String request) throws Exception {
        serve = ContainerExchange::share;
        offer(request);
        server.iterateUntil("it is served", () -> !served.isEmpty());
        return served.take();
    }

    @Test
    void stepsRunInOrderUntilTheEnd() throws Exception {
        ContainerExchange x = shared(get("/"));
        assertTrue(x.isShared());
        assertTrue(x.resume(() -> respond(x, "a")));
        assertTrue(x.resume(() -> notes.add("second")));
        assertTrue(
                x.resume(
                        () -> {
                            notes.add("third");
                            x.end();
                        }));
        assertNote("second");
        assertNote("third");
        assertEquals(ok("a"), server.readResponse(pipe, ok("a")));
        server.awaitRest();
        assertTrue(x.isOver());
        assertFalse(x.resume(() -> notes.add("late")));
        x.end();
        x.close();
        assertEquals(ok("hello"), askNext());
        assertTrue(notes.isEmpty());
    }

    /// A client may send all of its request before it reads the response.
    @Test
    void bodyIsReadWhileOutputWaits() throws Exception {
        connect(10);
        ContainerExchange x = shared(post("Content-Length: 6", ""));
        begin(x, TEXT.length());
        write(x, TEXT, false);
        assertFalse(x.flush(false));
        Thread reader = Thread.ofPlatform().start(() -> noteBody(x));
        Patience.until("it waits", () -> reader.getState() == Thread.State.TIMED_WAITING);
        offer("abcdef");
        server.iterateUntil("it is read", () -> !notes.isEmpty());
        assertNote("abcdef");
        x.close();
        server.awaitRest();
    }

    private void noteBody(ContainerExchange x) {
        try {
            notes.add(readAll(x, 4));
        } catch (IOException e) {
            notes.add(e.toString());
        }
    }

    /// Also by the worker that had it last, which would use its own output.
    @Test
    void requestThatIsOverTakesNoMoreOutput() throws Exception {
        var ended = new AtomicReference<Thread>();
        ContainerExchange over = shared(get("/"));
        over.resume(
                () -> {
                    ended.set(Thread.currentThread());
                    respond(over, "a");
                    over.end();
                });
        assertEquals(ok("a"), server.readResponse(pipe, ok("a")));
        server.awaitRest();
        var isTried = new AtomicBoolean();
        serve =
                x -> {
                    x.keep(true);
                    begin(x, TEXT.length());
                    write(x, TEXT.substring(0, 10), true);
                    if (Thread.currentThread() == ended.get()) {
                        assertThrows(IOException.class, () -> write(over, "wrong", true));
                        assertThrows(IOException.class, () -> over.flush(true));
                        isTried.set(true);
                    }
                    write(x, TEXT.substring(10), true);
                };
        for (int i = 0; i < 1000 && !isTried.get(); i++) {
            assertEquals(ok(TEXT), ask(get("/"), ok(TEXT)));
        }
        assertTrue(isTried.get());
    }

    /// Sends the next request on the kept connection.
    private String askNext() throws IOException {
        serve = x -> respond(x, "hello");
        return ask(get("/"), ok("hello"));
    }

    @Test
    void anotherThreadResponds() throws Exception {
        ContainerExchange x = shared(get("/"));
        respond(x, "hello");
        x.flush(true);
        x.end();
        assertEquals(ok("hello"), server.readResponse(pipe, ok("hello")));
        assertEquals(ok("hello"), askNext());
    }

    @Test
    void pipelinedRequestIsServedWhenTheOneBeforeIsOver() throws Exception {
        ContainerExchange x = shared(get("/first") + get("/second"));
        server.iterate();
        assertTrue(served.isEmpty());
        serve = next -> respond(next, next.head().target().path());
        assertTrue(
                x.resume(
                        () -> {
                            respond(x, "late");
                            x.end();
                        }));
        String responses = ok("late") + ok("/second");
        assertEquals(responses, server.readResponse(pipe, responses));
    }

    /// No event of the socket will announce bytes that were received already.
    @Test
    void stepRunsAtOnceIfSomeOfTheBodyWasReceived() throws Exception {
        ContainerExchange x = shared(post("Content-Length: 6", "abc"));
        server.awaitRest();
        x.awaitInput(() -> readSome(x, new StringBuilder()));
        assertNote("abc");
        x.close();
    }

    @Test
    void stepRunsWhenMoreOfTheBodyWasReceived() throws Exception {
        serve =
                x -> {
                    x.share();
                    readSome(x, new StringBuilder());
                };
        offer(post("Content-Length: 6", "abc"));
        server.iterateUntil("it has read", () -> notes.contains("abc"));
        server.awaitRest();
        server.iterate();
        assertEquals(List.of("abc"), List.copyOf(notes), "it waits without a thread");
        assertEquals(ok("abcdef"), ask("def", ok("abcdef")));
    }

    private void readSome(ContainerExchange x, StringBuilder all) throws IOException {
        var bytes = new byte[8];
        int count = x.read(bytes, 0, bytes.length, false);
        if (count < 0 || x.isBodyOver()) {
            all.append(new String(bytes, 0, Math.max(0, count), StandardCharsets.US_ASCII));
            respond(x, all.toString());
            x.end();
            return;
        }
        if (count > 0) {
            all.append(new String(bytes, 0, count, StandardCharsets.US_ASCII));
            notes.add(all.toString());
        }
        x.awaitInput(() -> readSome(x, all));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 64})
    void stepRunsWhenTheClientHasReadAll(int space) throws Exception {
        connect(space);
        ContainerExchange x = shared(get("/"));
        assertTrue(x.resume(() -> writeMuch(x)));
        server.iterateUntil("it is written", () -> notes.size() == 1);
        server.iterate();
        assertNote("held up: true");
        assertTrue(notes.isEmpty(), "the client has taken nothing more");
        assertEquals(ok(TEXT), server.readResponse(pipe, ok(TEXT)));
        server.iterateUntil("all is taken", () -> notes.size() == 1);
        assertNote("held up: false");
    }

    private void writeMuch(ContainerExchange x) throws IOException {
        begin(x, TEXT.length());
        write(x, TEXT, false);
        x.flush(false);
        notes.add("held up: " + x.isHeldUp());
        x.awaitOutput(
                () -> {
                    notes.add("held up: " + x.isHeldUp());
                    x.end();
                });
    }

    @Test
    void threadThatWritesWaitsForTheClient() throws Exception {
        connect(8);
        ContainerExchange x = shared(get("/"));
        Thread.ofPlatform().daemon().start(() -> respondAndEnd(x));
        assertEquals(ok(TEXT), server.readResponse(pipe, ok(TEXT)));
        server.iterateUntil("it has ended", () -> notes.contains("ended"));
        assertEquals(ok("hello"), askNext());
    }

    /// The thread took no lock when it began, and so has none to release.
    @Test
    void threadWritesWhileTheRequestBecomesShared() throws Exception {
        connect(1_024);
        String page = "x".repeat(500_000);
        var isFull = new CountDownLatch(1);
        serve =
                x -> {
                    x.keep(true);
                    begin(x, page.length());
                    Thread other = Thread.ofPlatform().daemon().start(() -> writePage(x, page));
                    assertTrue(isFull.await(20, TimeUnit.SECONDS));
                    x.share();
                    other.join();
                    x.end();
                };
        offer(get("/"));
        server.iterateUntil("it waits", () -> pipe.toClient().size() == 1_024);
        isFull.countDown();
        String response = server.readResponse(pipe, ok(page));
        assertNote("written");
        assertTrue(response.equals(ok(page)), "length " + response.length());
    }

    private void writePage(ContainerExchange x, String page) {
        try {
            write(x, page, true);
            x.flush(true);
            notes.add("written");
        } catch (IOException | RuntimeException e) {
            notes.add(e.toString());
        }
    }

    /// Such as for lack of memory. The others would wait for its lock for good, each with a worker.
    @Test
    void errorOfOneThreadDoesNotKeepTheRequestFromOthers() throws Exception {
        ContainerExchange x = shared(get("/"));
        x.resume(
                () -> {
                    begin(x, TEXT.length());
                    server.failNextWrite(new OutOfMemoryError("at the moment"));
                    Thread other = Thread.ofPlatform().daemon().start(() -> writeByAnother(x));
                    other.join();
                    var e = assertThrows(IOException.class, () -> write(x, TEXT, true));
                    notes.add(e.getMessage());
                    throw e;
                });
        assertNote("at the moment");
        assertNote("an earlier write has failed");
        server.iterateUntil("it has ended", x::isOver);
        server.iterateUntil("its connection is closed", () -> pipe.toClient().isEnded());
    }

    /// It is unknown what was sent of what was gathered: the next response would fill the gap.
    @Test
    void responseThatAnErrorHasCutIsTheLast() throws Exception {
        serve =
                x -> {
                    x.keep(x.mayKeep());
                    begin(x, TEXT.length());
                    write(x, TEXT, true);
                    server.failNextWrite(new OutOfMemoryError("at the moment"));
                    var e = assertThrows(OutOfMemoryError.class, () -> x.flush(true));
                    notes.add(e.getMessage());
                };
        offer(get("/") + get("/"));
        assertEquals("", server.readToEnd(pipe));
        assertNote("at the moment");
        assertEquals(1, served.size());
    }

    @Test
    void outputThatIsWrittenWithoutWaitingCounts() throws Exception {
        connect(1_024);
        ContainerExchange x = shared(get("/"));
        String page = "x".repeat(60_000);
        x.resume(
                () -> {
                    begin(x, page.length());
                    write(x, page, false);
                    notes.add("written");
                });
        assertNote("written");
        server.iterateUntil("it counts", () -> server.engine().outputMemory().bytes() > 58_000);
        pipe.toClient().breakOff();
        server.iterateUntil("it is let go", () -> server.engine().outputMemory().bytes() == 0);
    }

    @Test
    void writingWithoutWaitingFailsWhereAQuarterOfTheHeapIsHeld() throws Exception {
        connect(1_024);
        ContainerExchange x = shared(get("/"));
        long held = Runtime.getRuntime().maxMemory() / 4;
        server.engine().outputMemory().add(held);
        String page = "x".repeat(60_000);
        x.resume(
                () -> {
                    begin(x, page.length());
                    var e = assertThrows(IOException.class, () -> write(x, page, false));
                    notes.add(e.getMessage());
                    throw e;
                });
        assertNote("too little memory for what the client does not read");
        server.iterateUntil("it is closed", () -> pipe.toClient().isEnded());
        server.iterateUntil("it is let go", () -> server.engine().outputMemory().bytes() == held);
    }

    private void writeByAnother(ContainerExchange x) {
        try {
            write(x, TEXT, true);
        } catch (OutOfMemoryError e) {
            notes.add(e.getMessage());
        } catch (IOException e) {
            notes.add(e.toString());
        }
    }

    private void respondAndEnd(ContainerExchange x) {
        try {
            respond(x, TEXT);
            x.flush(true);
            x.end();
            notes.add("ended");
        } catch (IOException e) {
            notes.add(e.toString());
        }
    }

    @Test
    void closeClosesTheConnection() throws Exception {
        ContainerExchange x = shared(get("/") + get("/"));
        x.close();
        x.close();
        assertTrue(x.isOver());
        assertEquals("", server.readToEnd(pipe));
        assertThrows(IOException.class, () -> write(x, "late", true));
        assertThrows(IOException.class, () -> x.read(new byte[1], 0, 1, true));
        pipe.toServer().end();
        server.iterateUntil("its connection is closed", () -> server.connections() == 0);
        assertTrue(served.isEmpty());
    }

    @Test
    void closeEndsTheWaitOfAThread() throws Exception {
        connect(8);
        ContainerExchange x = shared(get("/"));
        Thread.ofPlatform().daemon().start(() -> respondAndEnd(x));
        server.iterateUntil("it waits", () -> pipe.toClient().size() == 8);
        x.close();
        server.iterateUntil("it has failed", () -> !notes.isEmpty());
        assertFalse(notes.contains("ended"));
        pipe.toServer().end();
        assertFalse(server.readToEnd(pipe).contains(TEXT));
        server.iterateUntil("its connection is closed", () -> server.connections() == 0);
    }

    @Test
    void taskRunsConcurrentlyToTheRequest() throws Exception {
        ContainerExchange x = shared(get("/"));
        x.execute(() -> notes.add("task"));
        assertNote("task");
        x.close();
    }

    @Test
    void attachmentStaysWithTheConnection() throws IOException {
        var made = new AtomicInteger();
        serve = x -> respond(x, x.attachment(made::incrementAndGet).toString());
        assertEquals(ok("1") + ok("1"), ask(get("/") + get("/"), ok("1") + ok("1")));
        pipe = server.connect();
        assertEquals(ok("2"), ask(get("/"), ok("2")));
    }

    // ---- After an upgrade.

    @Test
    void bytesAreUnframedAfterAnUpgrade() throws Exception {
        serve =
                x -> {
                    x.begin(x.newHead(101));
                    x.upgrade();
                    x.flush(true);
                };
        String switching = "HTTP/1.1 101 \n\n";
        assertEquals(switching, ask(get("/") + "early", switching));
        ContainerExchange x = served.take();
        assertEquals(5, x.available());
        assertFalse(x.isBodyOver());
        assertEquals("ear", readRaw(x, 3));
        assertEquals("ly", readRaw(x, 3));
        assertEquals("", readRaw(x, 3), "nothing has come");
        offer("late");
        assertEquals("late", readRaw(x, 8));
        write(x, "raw", true);
        assertEquals("raw", server.readResponse(pipe, "raw"));
        pipe.toServer().end();
        assertEquals(-1, x.read(new byte[1], 0, 1, false));
        x.end();
        server.readToEnd(pipe);
    }

    private static String readRaw(ContainerExchange x, int most) throws IOException {
        var bytes = new byte[most];
        int count = x.read(bytes, 0, most, false);
        return new String(bytes, 0, count, StandardCharsets.US_ASCII);
    }
}
