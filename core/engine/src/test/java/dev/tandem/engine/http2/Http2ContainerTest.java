package dev.tandem.engine.http2;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.engine.MemoryServer;
import dev.tandem.engine.container.Container;
import dev.tandem.engine.container.ContainerExchange;
import dev.tandem.engine.container.ContainerHead;
import dev.tandem.engine.container.ContainerOptions;
import dev.tandem.http.Body;
import dev.tandem.http.Headers;
import dev.tandem.http.HttpVersion;
import dev.tandem.http.RequestTarget;
import dev.tandem.http.h2.ErrorCode;
import dev.tandem.http.h2.FrameWriter;
import dev.tandem.testkit.LogCapture;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A container's requests over HTTP/2 in memory: the test's thread runs the loop, workers are real.
@Timeout(60)
class Http2ContainerTest {
    private static final Options OPTIONS = Options.DEFAULT.withThreads(t -> t.withWorkersMax(2));
    private static final byte[] LARGE = new byte[1_000_000];

    static {
        for (int i = 0; i < LARGE.length; i++) {
            LARGE[i] = (byte) (i * 31 >>> 5);
        }
    }

    private final LogCapture log = LogCapture.of("dev.tandem");
    private final BlockingQueue<ContainerExchange> served = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> held = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> notes = new LinkedBlockingQueue<>();
    private final Path folder;
    private volatile Serve serve = x -> respond(x, "hello");
    private MemoryServer server = new MemoryServer(OPTIONS, new Serving());
    private Http2Client client;

    Http2ContainerTest(@TempDir Path folder) {
        this.folder = folder;
    }

    @BeforeEach
    void connect() throws IOException {
        client = Http2Client.to(server);
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
            if (x.head().target().path().equals("/other")) {
                respond(x, "other");
                return;
            }
            try {
                serve.serve(x);
            } finally {
                served.add(x); // if it is shared, the test's thread may use it from now on
            }
        }

        @Override
        public String routeOf(String method, RequestTarget target) {
            return target.path();
        }
    }

    private static void respond(ContainerExchange x, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        x.begin(x.newHead(200).date().contentLength(bytes.length));
        x.write(bytes, 0, bytes.length, true);
        x.endContent(Headers.EMPTY, true);
    }

    private static String readAll(ContainerExchange x) throws IOException {
        var all = new ByteArrayOutputStream();
        var buffer = new byte[1000];
        for (int count = x.read(buffer, 0, buffer.length, true);
                count >= 0;
                count = x.read(buffer, 0, buffer.length, true)) {
            all.write(buffer, 0, count);
        }
        return all.toString(StandardCharsets.UTF_8);
    }

    /// Returns a request that continues after its call.
    private ContainerExchange shared(int id) throws IOException {
        client.until("request " + id, () -> !served.isEmpty());
        return served.remove();
    }

    private void assertNote(String expected) throws IOException {
        client.until(expected, () -> !notes.isEmpty());
        assertEquals(expected, notes.remove());
    }

    // ---- Failures.

    @Test
    void responseThatLacksItsEndIsReset() throws IOException {
        serve =
                x -> {
                    x.begin(x.newHead(200).contentLength(10));
                    x.write(new byte[3], 0, 3, true);
                };
        assertEquals(ErrorCode.INTERNAL_ERROR, client.fetch("/").reset);
    }

    /// Such as a lack of memory, which the application catches.
    @Test
    void responseThatAnErrorHasCutIsReset() throws IOException {
        serve =
                x -> {
                    x.begin(x.newHead(200));
                    assertThrows(
                            IndexOutOfBoundsException.class,
                            () -> x.write(new byte[3], 0, 4, true));
                    x.endContent(Headers.EMPTY, true);
                };
        assertEquals(ErrorCode.INTERNAL_ERROR, client.fetch("/").reset);
    }

    /// Its client would wait for the rest for ever.
    @Test
    void contentThatCannotBeReadIsReset() throws IOException {
        serve =
                x -> {
                    x.begin(x.newHead(200).contentLength(10));
                    assertThrows(
                            IllegalStateException.class,
                            () -> x.sendSegments(new Body.Segmented(10, new Failing())));
                };
        assertEquals(ErrorCode.INTERNAL_ERROR, client.fetch("/").reset);
    }

    private static final class Failing implements Body.Segments {
        @Override
        public int transferTo(long offset, Body.Sink to) {
            throw new IllegalStateException("on purpose");
        }

        @Override
        public void close() {}
    }

    @Test
    void requestWithoutResponseIsReset() throws IOException {
        serve = _ -> {};
        assertEquals(ErrorCode.INTERNAL_ERROR, client.fetch("/").reset);
    }

    @Test
    void refusedRequestMayBeRepeated() throws IOException {
        serve = ContainerExchange::refuse;
        assertEquals(ErrorCode.REFUSED_STREAM, client.fetch("/").reset);
    }

    @Test
    void failureBeforeTheResponseShowsTheErrorPage() throws IOException {
        serve =
                _ -> {
                    throw new IllegalStateException("on purpose");
                };
        Http2Client.Response response = client.fetch("/");
        assertEquals(500, response.status);
        assertNull(response.reset);
        assertTrue(log.lines().getLast().thrown() instanceof IllegalStateException);
    }

    @Test
    void failureInAStepResetsTheStreamOnly() throws IOException {
        serve = ContainerExchange::share;
        ContainerExchange x = shared(client.get("/"));
        x.resume(
                () -> {
                    x.begin(x.newHead(200));
                    x.flush(true);
                    throw new IllegalStateException("on purpose");
                });
        assertEquals(ErrorCode.INTERNAL_ERROR, client.response(1).reset);
        assertEquals("other", client.fetch("/other").text());
    }

    @Test
    void resetFailsAReadThatWaits() throws IOException {
        serve =
                x -> {
                    notes.add("reads");
                    try {
                        readAll(x);
                    } catch (IOException e) {
                        notes.add("failed: " + e.getMessage());
                    }
                };
        int id = client.post("/");
        client.data(id, "abc", false);
        assertNote("reads");
        client.reset(id, ErrorCode.CANCEL);
        assertNote("failed: the stream was reset");
    }

    @Test
    void resetFailsAWriteThatWaits() throws IOException {
        serve =
                x -> {
                    x.begin(x.newHead(200));
                    notes.add("writes");
                    try {
                        x.write(LARGE, 0, LARGE.length, true);
                    } catch (IOException e) {
                        notes.add("failed");
                    }
                };
        int id = client.keepWindows().get("/");
        assertNote("writes");
        client.until("content", () -> client.expect(id).content.size() == 65_535);
        client.reset(id, ErrorCode.CANCEL);
        assertNote("failed");
    }

    @Test
    void resetRunsTheStepThatAwaitsIt() throws IOException {
        serve =
                x -> {
                    x.share();
                    x.awaitInput(() -> notes.add("input"));
                    x.awaitReset(
                            () -> {
                                notes.add("reset");
                                x.end();
                            });
                };
        int id = client.post("/");
        ContainerExchange x = shared(id);
        client.reset(id, ErrorCode.CANCEL);
        assertNote("reset");
        server.iterateUntil("its end", () -> server.engine().detached().isEmpty());
        assertFalse(x.resume(() -> notes.add("late")));
        assertTrue(notes.isEmpty(), notes.toString());
    }

    @Test
    void resetBeforeSharingIsNoticed() throws IOException {
        serve =
                x -> {
                    notes.add("runs");
                    while (!x.isOver()) {
                        Thread.onSpinWait();
                    }
                    x.share();
                    x.awaitReset(
                            () -> {
                                notes.add("reset");
                                x.end();
                            });
                };
        int id = client.get("/");
        assertNote("runs");
        client.reset(id, ErrorCode.CANCEL);
        assertNote("reset");
    }

    @Test
    void endOfACompleteResponseIsNoReset() throws IOException {
        serve =
                x -> {
                    x.share();
                    x.awaitReset(() -> notes.add("reset"));
                    respond(x, "done");
                };
        int id = client.get("/");
        ContainerExchange x = shared(id);
        assertEquals("done", client.response(id).text());
        client.roundTrip();
        x.resume(
                () -> {
                    notes.add("step");
                    x.end();
                });
        assertNote("step");
        assertTrue(notes.isEmpty(), notes.toString());
    }

    @Test
    void lostConnectionRunsTheStepThatAwaitsAReset() throws IOException {
        serve =
                x -> {
                    x.share();
                    x.awaitReset(
                            () -> {
                                notes.add("reset");
                                x.end();
                            });
                };
        shared(client.get("/"));
        client.close();
        server.iterateUntil("the note", () -> notes.contains("reset"));
    }

    @Test
    void writeToAClientThatOpensNoWindowTimesOut() throws IOException {
        serve =
                x -> {
                    x.begin(x.newHead(200));
                    x.writeTimeout(1);
                    try {
                        x.write(LARGE, 0, LARGE.length, true);
                    } catch (SocketTimeoutException e) {
                        notes.add(e.getMessage());
                    }
                };
        int id = client.keepWindows().get("/");
        assertNote("the client took nothing for too long");
        assertEquals(ErrorCode.INTERNAL_ERROR, client.response(id).reset);
    }

    @Test
    void readOfABodyThatStallsTimesOut() throws IOException {
        serve =
                x -> {
                    x.readTimeout(1);
                    readAll(x);
                };
        int id = client.post("/");
        assertEquals(408, client.response(id).status);
    }

    @Test
    void streamCannotBeUpgraded() throws IOException {
        serve =
                x -> {
                    assertThrows(UnsupportedOperationException.class, x::upgrade);
                    respond(x, "not upgraded");
                };
        assertEquals("not upgraded", client.fetch("/").text());
    }

    @Test
    void closedRequestIsReset() throws IOException {
        serve = ContainerExchange::share;
        int id = client.get("/");
        ContainerExchange x = shared(id);
        x.close();
        assertEquals(ErrorCode.CANCEL, client.response(id).reset);
        assertThrows(IOException.class, () -> respond(x, "late"));
    }

    // ---- The request.

    @Test
    void requestHasItsHead() throws IOException {
        serve =
                x -> {
                    assertTrue(x.isMultiplexed());
                    assertEquals(HttpVersion.HTTP_2, x.head().version());
                    assertTrue(x.isBodyOver());
                    assertEquals(-1, x.read(new byte[1], 0, 1, true));
                    respond(x, x.streamId() + " " + x.head().value("x-a"));
                };
        assertEquals("1 b", client.fetch("/", "x-a", "b").text());
    }

    @Test
    void attachmentStaysWithTheConnection() throws IOException {
        var made = new AtomicInteger();
        serve = x -> respond(x, x.attachment(made::incrementAndGet).toString());
        assertEquals("1", client.fetch("/").text());
        assertEquals("1", client.fetch("/").text());
        client = Http2Client.to(server);
        assertEquals("2", client.fetch("/").text());
    }

    @Test
    void bodyIsReadToItsTrailers() throws IOException {
        serve =
                x -> {
                    assertTrue(x.mayHaveTrailers());
                    String body = readAll(x);
                    assertTrue(x.isBodyOver());
                    respond(x, body + " " + x.trailers().first("x-sum"));
                };
        int id = client.post("/");
        client.data(id, "abc", false).trailers(id, "x-sum", "42");
        assertEquals("abc 42", client.response(id).text());
    }

    @Test
    void continueIsSentBeforeTheBodyIsRead() throws IOException {
        serve = x -> respond(x, readAll(x));
        int id = client.post("/", "expect", "100-continue");
        client.until("100", () -> client.expect(id).interim.equals(List.of(100)));
        client.data(id, "abc", true);
        assertEquals("abc", client.response(id).text());
    }

    @Test
    void inputRunsTheStepThatAwaitsIt() throws IOException {
        serve =
                x -> {
                    assertEquals(0, x.read(new byte[10], 0, 10, false));
                    x.share();
                    x.awaitInput(() -> notes.add("read " + x.read(new byte[10], 0, 10, false)));
                };
        int id = client.post("/");
        ContainerExchange x = shared(id);
        client.roundTrip();
        assertTrue(notes.isEmpty(), notes.toString());
        client.data(id, "abc", false);
        assertNote("read 3");
        x.awaitInput(() -> notes.add("end " + x.read(new byte[10], 0, 10, false)));
        client.data(id, "", true);
        assertNote("end -1");
        x.end();
    }

    // ---- The response.

    @Test
    void headIsSentWithoutWhatIsOfConnections() throws IOException {
        serve =
                x -> {
                    ContainerHead head = x.newHead(201).header("X-Name", "value");
                    head.header("Connection", "close").header("Date", "never").chunked();
                    x.begin(head);
                    x.endContent(Headers.EMPTY, true);
                };
        Http2Client.Response response = client.fetch("/");
        assertEquals(201, response.status);
        assertEquals("value", response.headers.first("x-name"));
        assertEquals("never", response.headers.first("date"));
        assertEquals(2, response.headers.size());
        assertTrue(response.isEnded);
    }

    @Test
    void lineEndInAHeaderIsRejected() throws IOException {
        serve =
                x -> {
                    ContainerHead head = x.newHead(200);
                    assertThrows(
                            IllegalArgumentException.class, () -> head.header("X-A", "b\r\nc: d"));
                    respond(x, "rejected");
                };
        assertEquals("rejected", client.fetch("/").text());
    }

    @Test
    void statusOfAnotherProtocolBecomesAnError() throws IOException {
        serve =
                x -> {
                    x.begin(x.newHead(101));
                    x.endContent(Headers.EMPTY, true);
                };
        assertEquals(500, client.fetch("/").status);
    }

    @Test
    void trailersFollowContent() throws IOException {
        serve =
                x -> {
                    x.begin(x.newHead(200));
                    x.write(new byte[] {'a'}, 0, 1, true);
                    x.endContent(Headers.of("grpc-status", "0"), true);
                };
        Http2Client.Response response = client.fetch("/");
        assertEquals("a", response.text());
        assertEquals("0", response.trailers.first("grpc-status"));
    }

    @Test
    void responseWithoutContentIsItsHeadAlone() throws IOException {
        serve =
                x -> {
                    x.begin(x.newHead(200).header("grpc-status", "12"));
                    x.endContent(Headers.EMPTY, true);
                };
        Http2Client.Response response = client.fetch("/");
        assertEquals("12", response.headers.first("grpc-status"));
        assertTrue(response.isEnded);
        assertEquals(List.of(), client.events().stream().filter(e -> e.startsWith("1:")).toList());
    }

    @Test
    void hintsPrecedeTheResponse() throws IOException {
        serve =
                x -> {
                    x.interim(x.newHead(103).header("Link", "</a.css>; rel=preload"));
                    respond(x, "hinted");
                };
        Http2Client.Response response = client.fetch("/");
        assertEquals(List.of(103), response.interim);
        assertEquals("hinted", response.text());
    }

    @Test
    void longContentIsWrittenAsWindowsAllow() throws IOException {
        serve =
                x -> {
                    x.begin(x.newHead(200).contentLength(LARGE.length));
                    x.write(LARGE, 0, LARGE.length, true);
                    x.endContent(Headers.EMPTY, true);
                };
        assertArrayEquals(LARGE, client.fetch("/").content.toByteArray());
    }

    @Test
    void fileIsSent() throws IOException {
        Path file = Files.write(folder.resolve("file"), LARGE);
        serve =
                x -> {
                    x.begin(x.newHead(200).contentLength(LARGE.length - 5));
                    x.sendFile(file, 5, LARGE.length - 5);
                };
        Http2Client.Response response = client.fetch("/");
        assertEquals(LARGE.length - 5, response.content.size());
        assertEquals(LARGE[5], response.content.toByteArray()[0]);
        assertNull(response.reset);
    }

    @Test
    void emptyFileIsSent() throws IOException {
        Path file = Files.write(folder.resolve("file"), new byte[0]);
        serve =
                x -> {
                    x.begin(x.newHead(200).contentLength(0));
                    x.sendFile(file, 0, 0);
                };
        assertTrue(client.fetch("/").isEnded);
    }

    @Test
    void slowReaderOfOneStreamDelaysNoOther() throws IOException {
        serve =
                x -> {
                    x.begin(x.newHead(200));
                    notes.add("writes");
                    x.write(LARGE, 0, LARGE.length, true);
                    x.endContent(Headers.EMPTY, true);
                };
        client.keepWindows();
        int slow = client.get("/");
        assertNote("writes");
        client.until("a full window", () -> client.expect(slow).content.size() == 65_535);
        // The window of the connection is used up as well.
        FrameWriter.windowUpdate(client.out(), 0, 1000);
        int other = client.get("/other");
        assertEquals("other", client.response(other).text());
        assertFalse(client.expect(slow).isOver());
    }

    @Test
    void contentThatIsNotTakenIsHeldUpUntilItIs() throws IOException {
        serve =
                x -> {
                    x.share();
                    x.begin(x.newHead(200));
                    x.write(LARGE, 0, 300_000, false);
                    notes.add("held up: " + x.isHeldUp() + " " + x.flush(false));
                    x.awaitOutput(
                            () -> {
                                notes.add("held up: " + x.isHeldUp());
                                x.endContent(Headers.EMPTY, false);
                                x.end();
                            });
                };
        client.keepWindows();
        int id = client.get("/");
        assertNote("held up: true false");
        client.until("a full window", () -> client.expect(id).content.size() == 65_535);
        assertTrue(notes.isEmpty(), notes.toString());
        FrameWriter.windowUpdate(client.out(), 0, 1_000_000);
        FrameWriter.windowUpdate(client.out(), id, 1_000_000);
        client.flush();
        assertNote("held up: false");
        assertEquals(300_000, client.response(id).content.size());
    }

    // ---- Beyond the call.

    @Test
    void requestContinuesOnAnotherThread() throws Exception {
        serve = ContainerExchange::share;
        int id = client.get("/");
        ContainerExchange x = shared(id);
        client.roundTrip();
        Thread.ofPlatform()
                .start(
                        () -> {
                            try {
                                respond(x, "from a thread of the application");
                            } catch (IOException e) {
                                throw new AssertionError(e);
                            }
                            x.end();
                        })
                .join();
        assertEquals("from a thread of the application", client.response(id).text());
        client.until("its end", () -> server.engine().detached().isEmpty());
    }

    /// The end comes with the content, and not in a frame of its own.
    @Test
    void stepsOutputIsSentWhenTheStepEnds() throws IOException {
        serve = ContainerExchange::share;
        int id = client.get("/");
        ContainerExchange x = shared(id);
        x.resume(
                () -> {
                    respond(x, "from a step");
                    x.end();
                });
        assertEquals("from a step", client.response(id).text());
        assertEquals(
                List.of(id + ":11"),
                client.events().stream().filter(e -> e.startsWith(id + ":")).toList());
    }

    @Test
    void unfinishedOutputOfAStepIsSent() throws IOException {
        serve = ContainerExchange::share;
        int id = client.get("/");
        ContainerExchange x = shared(id);
        x.resume(
                () -> {
                    x.begin(x.newHead(200));
                    x.write(new byte[] {'a'}, 0, 1, true);
                });
        client.until("a piece", () -> client.expect(id).text().equals("a"));
        assertFalse(client.expect(id).isOver());
        x.close();
    }

    @Test
    void sharedRequestHoldsNoWorker() throws IOException {
        serve = ContainerExchange::share;
        for (int i = 0; i < 10; i++) {
            client.write("GET", "/", true);
        }
        client.flush();
        client.until("ten requests", () -> served.size() == 10);
        assertEquals("other", client.fetch("/other").text());
        for (ContainerExchange x : served) {
            x.resume(
                    () -> {
                        respond(x, "late");
                        x.end();
                    });
        }
        for (int id = 1; id < 20; id += 2) {
            assertEquals("late", client.response(id).text());
        }
    }

    @Test
    void taskRunsConcurrentlyToTheRequest() throws IOException {
        serve = ContainerExchange::share;
        ContainerExchange x = shared(client.get("/"));
        x.execute(() -> notes.add("task"));
        assertNote("task");
        x.close();
    }

    @Test
    void connectionThatIsNotKeptIsDrained() throws IOException {
        serve =
                x -> {
                    x.keep(false);
                    respond(x, "last");
                };
        assertEquals("last", client.fetch("/").text());
        client.until("GOAWAY", () -> client.goAway() != null);
        assertEquals(ErrorCode.NO_ERROR, client.goAway());
        client.untilEnd();
    }

    @Test
    void unreadBodyIsStopped() throws IOException {
        serve = x -> respond(x, "ignored");
        int id = client.post("/");
        Http2Client.Response response = client.response(id);
        assertEquals("ignored", response.text());
        client.until("a reset", () -> response.reset != null);
        assertEquals(ErrorCode.NO_ERROR, response.reset);
    }

    @Test
    void admissionIsAskedForEachStream() throws Exception {
        serve =
                x -> {
                    notes.add("runs");
                    assertNotNull(held.poll(20, TimeUnit.SECONDS));
                    respond(x, "admitted");
                };
        for (int i = 0; i < 3; i++) {
            client.write("GET", "/", true);
        }
        client.flush();
        assertNote("runs");
        assertNote("runs");
        client.roundTrip();
        assertTrue(notes.isEmpty(), notes.toString());
        client.reset(5, ErrorCode.CANCEL);
        client.roundTrip();
        held.addAll(List.of("go", "go"));
        assertEquals("admitted", client.response(1).text());
        assertEquals("admitted", client.response(3).text());
        assertEquals("other", client.fetch("/other").text());
        assertTrue(notes.isEmpty(), "the stream that was reset while it waited has run");
    }
}
