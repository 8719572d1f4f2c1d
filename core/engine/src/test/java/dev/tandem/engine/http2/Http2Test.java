package dev.tandem.engine.http2;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.AccessLog;
import dev.tandem.Options;
import dev.tandem.engine.Http2Counters;
import dev.tandem.engine.MemoryServer;
import dev.tandem.engine.manage.RunningRequest;
import dev.tandem.http.Body;
import dev.tandem.http.Exchange;
import dev.tandem.http.FileStamp;
import dev.tandem.http.Handler;
import dev.tandem.http.HttpException;
import dev.tandem.http.HttpVersion;
import dev.tandem.http.Router;
import dev.tandem.http.h2.ErrorCode;
import dev.tandem.http.h2.FrameWriter;
import dev.tandem.http.h2.Settings;
import dev.tandem.testkit.MemoryPipe;
import dev.tandem.testkit.Patience;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// HTTP/2 in memory: the test's thread runs the loop, workers are real.
@Timeout(60)
class Http2Test {
    private static final byte[] LARGE = large(300_000);

    private final BlockingQueue<AccessLog.Entry> logged = new LinkedBlockingQueue<>();
    private final CountDownLatch release = new CountDownLatch(1);
    private final BlockingQueue<String> started = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> ended = new LinkedBlockingQueue<>();
    private final AtomicInteger runs = new AtomicInteger();
    private final Path folder;
    private MemoryServer server;
    private Http2Client client;

    Http2Test(@TempDir Path folder) {
        this.folder = folder;
    }

    private static byte[] large(int size) {
        var bytes = new byte[size];
        for (int i = 0; i < size; i++) {
            bytes[i] = (byte) (i * 31 >>> 3);
        }
        return bytes;
    }

    @BeforeEach
    void serve() throws IOException {
        serve(Options.DEFAULT);
    }

    private void serve(Options options) throws IOException {
        Router routes =
                Router.builder()
                        .add("GET", "/hello", x -> x.send("Hello, World!"))
                        .add("GET", "/now", Handler.nonBlocking(x -> x.send("now")))
                        .add("GET", "/wait", this::await)
                        .add("GET", "/large", x -> x.send(LARGE))
                        .add("GET", "/stream", Http2Test::stream)
                        .add("GET", "/endless", this::endless)
                        .add("GET", "/file", this::file)
                        .add("GET", "/trailers", Http2Test::trailers)
                        .add("GET", "/hints", Http2Test::hints)
                        .add("GET", "/upgrade", x -> x.upgrade("echo", _ -> {}))
                        .add("GET", "/broken", x -> breakDown(x))
                        .add("GET", "/gone", Http2Test::gone)
                        .add("POST", "/echo", x -> x.send(x.request().body().readAllBytes()))
                        .add("POST", "/trailers", Http2Test::echoTrailers)
                        .add("POST", "/ignore", x -> x.send("ignored"))
                        .add("POST", "/hold", this::hold)
                        .build();
        server =
                new MemoryServer(
                        options, routes, (x, message) -> x.send("page: " + message), logged::add);
        client = Http2Client.to(server);
    }

    @AfterEach
    void stop() {
        release.countDown();
        server.close();
    }

    private void await(Exchange x) throws Exception {
        runs.incrementAndGet();
        started.add(x.path());
        if (!release.await(20, TimeUnit.SECONDS)) {
            throw new AssertionError("not released within 20 s");
        }
        ended.add(x.isClientDisconnected() ? "disconnected" : "connected");
        x.send("waited");
    }

    /// Waits until a handler runs.
    private void awaitStart() throws IOException {
        client.until("a start", () -> !started.isEmpty());
        started.remove();
    }

    private void hold(Exchange x) throws Exception {
        await(x);
    }

    private static void stream(Exchange x) throws Exception {
        try (OutputStream out = x.outputStream()) {
            out.write("one".getBytes(StandardCharsets.UTF_8));
            out.flush();
            out.write("two".getBytes(StandardCharsets.UTF_8));
        }
    }

    private void endless(Exchange x) throws Exception {
        started.add(x.path());
        try (OutputStream out = x.outputStream()) {
            for (int i = 0; i < 1_000_000; i++) {
                out.write(LARGE, 0, 1000);
            }
        } finally {
            ended.add("ended");
        }
    }

    private void file(Exchange x) throws Exception {
        Path file = Files.write(folder.resolve("file"), LARGE);
        x.send(new Body.FileRegion(file, 5, LARGE.length - 5, FileStamp.of(file)));
    }

    private static void trailers(Exchange x) throws Exception {
        x.trailer("x-sum", "42");
        try (OutputStream out = x.outputStream()) {
            out.write('a');
        }
    }

    private static void echoTrailers(Exchange x) throws Exception {
        x.request().body().readAllBytes();
        x.send(String.valueOf(x.request().trailers().first("x-sum")));
    }

    private static void hints(Exchange x) throws IOException {
        x.earlyHints("</a.css>; rel=preload");
        x.send("hinted");
    }

    private static void breakDown(Exchange x) throws IOException {
        OutputStream out = x.outputStream();
        out.write(1);
        out.flush();
        throw new HttpException(500, "on purpose");
    }

    private static void gone(Exchange x) {
        throw new HttpException(410, "it was here");
    }

    // ---- Responses.

    @Test
    void handlerResponds() throws IOException {
        Http2Client.Response response = client.fetch("/hello");
        assertEquals(200, response.status);
        assertEquals("Hello, World!", response.text());
        assertEquals("13", response.headers.first("content-length"));
        assertNotNull(response.headers.first("date"));
        assertNull(response.reset);
    }

    @Test
    void nonBlockingHandlerResponds() throws IOException {
        assertEquals("now", client.fetch("/now").text());
    }

    @Test
    void responseToHeadHasNoContent() throws IOException {
        int id = client.write("HEAD", "/hello", true);
        client.flush();
        Http2Client.Response response = client.response(id);
        assertEquals("13", response.headers.first("content-length"));
        assertEquals(0, response.content.size());
    }

    @Test
    void longContentIsSentAsWindowsAllow() throws IOException {
        assertArrayEquals(LARGE, client.fetch("/large").content.toByteArray());
    }

    @Test
    void streamedContentIsSentPieceByPiece() throws IOException {
        Http2Client.Response response = client.fetch("/stream");
        assertEquals("onetwo", response.text());
        assertNull(response.headers.first("content-length"));
    }

    @Test
    void fileIsSent() throws IOException {
        byte[] expected = Arrays.copyOfRange(LARGE, 5, LARGE.length);
        assertArrayEquals(expected, client.fetch("/file").content.toByteArray());
    }

    @Test
    void trailersFollowTheContent() throws IOException {
        Http2Client.Response response = client.fetch("/trailers");
        assertEquals("a", response.text());
        assertEquals("42", response.trailers.first("x-sum"));
    }

    @Test
    void missingRouteGetsTheErrorPage() throws IOException {
        Http2Client.Response response = client.fetch("/nowhere");
        assertEquals(404, response.status);
        assertEquals("page: nothing is here", response.text());
    }

    @Test
    void statusThatAHandlerThrowsGetsTheErrorPage() throws IOException {
        assertEquals(410, client.fetch("/gone").status);
    }

    @Test
    void incompleteResponseIsReset() throws IOException {
        assertEquals(ErrorCode.INTERNAL_ERROR, client.fetch("/broken").reset);
    }

    @Test
    void hintsPrecedeTheResponse() throws IOException {
        Http2Client.Response response = client.fetch("/hints");
        assertEquals(List.of(103), response.interim);
        assertEquals("hinted", response.text());
    }

    @Test
    void hintsPrecedeTheResponseOfHttp1() throws IOException {
        MemoryPipe pipe = server.connect();
        byte[] request =
                "GET /hints HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                        .getBytes(StandardCharsets.US_ASCII);
        pipe.toServer().offer(request, 0, request.length);
        server.iterateUntil("the response", () -> pipe.toClient().isEnded());
        var bytes = new byte[4096];
        int count = pipe.toClient().take(bytes, 0, bytes.length);
        String text = new String(bytes, 0, count, StandardCharsets.US_ASCII);
        assertTrue(
                text.startsWith(
                        "HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n"
                                + "HTTP/1.1 200 OK\r\n"),
                text);
    }

    @Test
    void upgradeIsNotImplemented() throws IOException {
        assertEquals(501, client.fetch("/upgrade").status);
    }

    @Test
    void settingsAreSentAndAcknowledged() throws IOException {
        client.roundTrip();
        assertEquals(100, client.peer().maxConcurrentStreams());
        assertTrue(client.peer().isRfc7540PriorityIgnored());
        assertEquals(Http2Input.CONNECTION_WINDOW - 65_535, client.connectionWindow());
        assertTrue(client.events().contains("settings acknowledged"));
    }

    @Test
    void prefaceIsRecognizedAtEachSplitPoint() throws IOException {
        for (int split = 1; split < 24; split++) {
            Http2Client next = Http2Client.to(server, Settings.CLIENT);
            byte[] preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
            next.out().put(preface, 0, split);
            next.flush();
            server.iterate();
            next.out().put(preface, split, 24 - split);
            FrameWriter.settings(next.out(), Settings.CLIENT);
            assertEquals("Hello, World!", next.fetch("/hello").text(), "split at " + split);
        }
    }

    // ---- Bodies.

    @Test
    void shortBodyIsRead() throws IOException {
        int id = client.post("/echo");
        client.data(id, "abc", false).data(id, "def", true);
        assertEquals("abcdef", client.response(id).text());
    }

    @Test
    void longBodyIsReadAsItsWindowOpens() throws IOException {
        int id = client.post("/echo");
        int at = 0;
        Http2Client.Response response = client.expect(id);
        response.window = 65_535;
        client.roundTrip();
        response.window += Http2Config.STREAM_WINDOW - 65_535;
        while (at < LARGE.length) {
            long allowed = response.window - at;
            if (allowed <= 0) {
                int sent = at;
                client.until("a window", () -> response.window > sent);
                continue;
            }
            int size = (int) Math.min(allowed, Math.min(16_384, LARGE.length - at));
            client.data(id, Arrays.copyOfRange(LARGE, at, at + size), at + size == LARGE.length);
            at += size;
        }
        assertArrayEquals(LARGE, client.response(id).content.toByteArray());
    }

    @Test
    void trailersOfTheRequestAreRead() throws IOException {
        int id = client.post("/trailers");
        client.data(id, "abc", false).trailers(id, "x-sum", "7");
        assertEquals("7", client.response(id).text());
    }

    @Test
    void clientThatExpectsContinueGetsIt() throws IOException {
        int id = client.post("/echo", "expect", "100-continue");
        client.until("100", () -> client.expect(id).interim.contains(100));
        client.data(id, "abc", true);
        assertEquals("abc", client.response(id).text());
    }

    @Test
    void bodyThatIsNotReadIsCutOffByAReset() throws IOException {
        int id = client.post("/ignore", "expect", "100-continue");
        Http2Client.Response response = client.expect(id);
        client.until("the reset", () -> response.reset != null);
        assertEquals("ignored", response.text());
        assertTrue(response.isEnded);
        assertEquals(ErrorCode.NO_ERROR, response.reset);
        assertEquals("now", client.fetch("/now").text());
    }

    @Test
    void bodyLongerThanTheLimitGets413() throws IOException {
        server.close();
        serve(Options.DEFAULT.withLimits(l -> l.withBodyMax(1000)));
        int id = client.post("/echo", "content-length", "2000");
        assertEquals(413, client.response(id).status);
        int second = client.post("/echo");
        client.data(second, new byte[1001], true);
        assertEquals(413, client.response(second).status);
    }

    @Test
    void bodyThatDiffersFromItsLengthIsAnError() throws IOException {
        int id = client.post("/echo", "content-length", "5");
        client.data(id, "abc", true);
        assertEquals(ErrorCode.PROTOCOL_ERROR, client.response(id).reset);
        int longer = client.post("/echo", "content-length", "2");
        client.data(longer, "abc", true);
        assertEquals(ErrorCode.PROTOCOL_ERROR, client.response(longer).reset);
    }

    @Test
    void memoryOfABodyIsFreedWhenItsHandlerEnds() throws IOException {
        int id = client.post("/hold");
        client.data(id, new byte[60_000], true).roundTrip();
        long held = server.engine().inputMemory().bytes();
        assertTrue(held >= 60_000 && held < 62_000, held + " bytes, with the head");
        release.countDown();
        client.response(id);
        server.awaitRest();
        assertEquals(0, server.engine().inputMemory().bytes());
    }

    /// As for a body that is collected. A handler that has begun to read takes what has come.
    @Test
    void withoutMemoryABodyThatIsNotReadIsRefused() throws IOException {
        int held = client.post("/hold", "expect", "100-continue");
        awaitStart();
        int small = client.post("/echo", "expect", "100-continue");
        client.until("100", () -> client.expect(small).interim.contains(100));
        server.engine().inputMemory().add(Long.MAX_VALUE / 2);
        client.data(held, new byte[20_000], false);
        assertEquals(ErrorCode.ENHANCE_YOUR_CALM, client.response(held).reset);
        client.data(small, new byte[20_000], true);
        assertEquals(20_000, client.response(small).content.size());
        server.engine().inputMemory().add(-(Long.MAX_VALUE / 2));
    }

    // ---- Several streams.

    @Test
    void streamsRunAtTheSameTime() throws Exception {
        int waiting = client.get("/wait");
        assertEquals("Hello, World!", client.fetch("/hello").text());
        assertFalse(client.expect(waiting).isOver());
        release.countDown();
        assertEquals("waited", client.response(waiting).text());
    }

    @Test
    void thousandStreamsFollowEachOther() throws IOException {
        for (int i = 0; i < 10; i++) {
            var ids = new int[100];
            for (int j = 0; j < 100; j++) {
                ids[j] = client.write("GET", j % 2 == 0 ? "/hello" : "/now", true);
            }
            client.flush();
            for (int j = 0; j < 100; j++) {
                assertEquals(j % 2 == 0 ? "Hello, World!" : "now", client.response(ids[j]).text());
            }
        }
        client.roundTrip();
        server.awaitRest();
        assertEquals(0, server.engine().http2().openStreams());
        assertEquals(1000, server.engine().http2().streams(Http2Counters.Result.COMPLETED));
    }

    @Test
    void streamOverTheLimitIsRefused() throws Exception {
        server.close();
        serve(Options.DEFAULT.withHttp2(h -> h.withStreamsMax(2)));
        int first = client.get("/wait");
        int second = client.get("/wait");
        assertEquals(ErrorCode.REFUSED_STREAM, client.fetch("/hello").reset);
        awaitStart();
        awaitStart();
        release.countDown();
        assertEquals(200, client.response(first).status);
        assertEquals(200, client.response(second).status);
        assertEquals("Hello, World!", client.fetch("/hello").text());
    }

    @Test
    void streamThatIsNotReadDelaysNoOther() throws IOException {
        client.keepWindows();
        int slow = client.get("/large");
        client.until("its window", () -> client.expect(slow).content.size() == 65_535);
        FrameWriter.windowUpdate(client.out(), 0, 1_000_000);
        assertEquals("Hello, World!", client.fetch("/hello").text());
        FrameWriter.windowUpdate(client.out(), slow, 1_000_000);
        client.flush();
        assertArrayEquals(LARGE, client.response(slow).content.toByteArray());
    }

    @Test
    void headsAreSentWhileTheConnectionsWindowIsClosed() throws IOException {
        client.keepWindows();
        int large = client.get("/large");
        client.until("the window", () -> client.expect(large).content.size() == 65_535);
        int hello = client.get("/hello");
        client.until("a head", () -> client.expect(hello).status == 200);
        assertEquals(0, client.expect(hello).content.size());
        client.roundTrip();
        FrameWriter.windowUpdate(client.out(), 0, 1_000_000);
        client.flush();
        assertEquals("Hello, World!", client.response(hello).text());
    }

    @Test
    void moreUrgentResponseIsSentFirst() throws IOException {
        client.keepWindows();
        int first = client.get("/large", "priority", "u=5");
        client.until("the window", () -> client.expect(first).content.size() == 65_535);
        int second = client.get("/large", "priority", "u=1");
        client.roundTrip();
        server.awaitRest();
        client.roundTrip();
        FrameWriter.windowUpdate(client.out(), first, 500_000);
        FrameWriter.windowUpdate(client.out(), second, 500_000);
        client.events().clear();
        FrameWriter.windowUpdate(client.out(), 0, LARGE.length);
        client.flush();
        assertArrayEquals(LARGE, client.response(second).content.toByteArray());
        assertEquals(65_535, client.expect(first).content.size());
    }

    /// RFC 9218, section 7.1: a signal for an idle stream is kept until the stream is opened, and
    /// counts more than the header.
    @Test
    void priorityUpdateBeforeTheRequestIsHonoured() throws IOException {
        client.keepWindows();
        int first = client.get("/large", "priority", "u=5");
        client.until("the window", () -> client.expect(first).content.size() == 65_535);
        int next = client.nextId();
        prioritize(next, "u=6");
        prioritize(next, "u=1");
        int second = client.get("/large", "priority", "u=7");
        assertEquals(next, second);
        client.roundTrip();
        server.awaitRest();
        client.roundTrip();
        FrameWriter.windowUpdate(client.out(), first, 500_000);
        FrameWriter.windowUpdate(client.out(), second, 500_000);
        FrameWriter.windowUpdate(client.out(), 0, LARGE.length);
        client.flush();
        assertArrayEquals(LARGE, client.response(second).content.toByteArray());
        assertEquals(65_535, client.expect(first).content.size());
    }

    private void prioritize(int streamId, String value) {
        byte[] text = value.getBytes(StandardCharsets.US_ASCII);
        client.out().putInt(4 + text.length << 8 | 0x10).put((byte) 0).putInt(0);
        client.out().putInt(streamId).put(text);
    }

    @Test
    void responsesWithoutPriorityShareTheConnection() throws IOException {
        client.keepWindows();
        int first = client.write("GET", "/large", true);
        int second = client.write("GET", "/large", true);
        client.flush();
        // Only when both have content: a worker that starts late must not miss its turns.
        client.until("both heads", () -> hasHead(first) && hasHead(second));
        FrameWriter.windowUpdate(client.out(), 0, 1_000_000);
        FrameWriter.windowUpdate(client.out(), first, 500_000);
        FrameWriter.windowUpdate(client.out(), second, 500_000);
        client.flush();
        client.response(second);
        client.response(first);
        long changes = 0;
        String last = "";
        for (String event : client.events()) {
            String stream = event.contains(":") ? event.substring(0, event.indexOf(':')) : last;
            changes += stream.equals(last) ? 0 : 1;
            last = stream;
        }
        assertTrue(changes > 10, client.events().toString());
    }

    private boolean hasHead(int id) {
        return client.expect(id).status > 0;
    }

    // ---- Resets.

    @Test
    void streamThatIsResetInTheQueueNeverRuns() throws Exception {
        server.close();
        serve(Options.DEFAULT.withThreads(t -> t.withWorkersMax(1)));
        int first = client.get("/wait");
        awaitStart();
        int second = client.get("/wait");
        client.roundTrip();
        assertEquals(1, server.engine().dispatcher().admission().waitingCount());
        client.reset(second, ErrorCode.CANCEL).roundTrip();
        assertEquals(0, server.engine().dispatcher().admission().waitingCount());
        release.countDown();
        client.response(first);
        assertEquals("Hello, World!", client.fetch("/hello").text());
        assertEquals(1, runs.get());
    }

    @Test
    void streamThatIsResetWithItsRequestNeverRuns() throws Exception {
        int id = client.write("GET", "/wait", true);
        FrameWriter.resetStream(client.out(), id, ErrorCode.CANCEL);
        client.flush();
        assertEquals("now", client.fetch("/now").text());
        server.awaitRest();
        assertEquals(0, runs.get());
    }

    @Test
    void handlerSeesThatItsStreamWasReset() throws Exception {
        int id = client.get("/wait");
        awaitStart();
        client.reset(id, ErrorCode.CANCEL).roundTrip();
        release.countDown();
        assertEquals("disconnected", ended.poll(20, TimeUnit.SECONDS));
    }

    @Test
    void handlerThatWaitsForTheClientEndsWithItsStream() throws Exception {
        int id = client.keepWindows().get("/endless");
        client.until("its window", () -> client.expect(id).content.size() == 65_535);
        assertTrue(ended.isEmpty());
        client.reset(id, ErrorCode.CANCEL).roundTrip();
        assertEquals("ended", ended.poll(20, TimeUnit.SECONDS));
    }

    @Test
    void handlersEndWithTheConnection() throws Exception {
        int id = client.keepWindows().get("/endless");
        client.until("its window", () -> client.expect(id).content.size() == 65_535);
        client.close();
        server.iterateUntil("the end", () -> server.connections() == 0);
        assertEquals("ended", ended.poll(20, TimeUnit.SECONDS));
        assertEquals(0, server.engine().http2().openConnections());
    }

    // ---- Admission.

    @Test
    void streamWaitsWithoutAThreadUntilAPlaceIsFree() throws Exception {
        server.close();
        serve(Options.DEFAULT.withThreads(t -> t.withWorkersMax(1)));
        int first = client.get("/wait");
        awaitStart();
        int second = client.get("/hello");
        client.roundTrip();
        assertEquals(1, server.engine().dispatcher().admission().waitingCount());
        assertEquals(1, server.engine().workers().size());
        release.countDown();
        assertEquals("Hello, World!", client.response(second).text());
        assertEquals("waited", client.response(first).text());
    }

    @Test
    void rejectedStreamOfANewClientGets503() throws Exception {
        server.close();
        serve(Options.DEFAULT.withThreads(t -> t.withWorkersMax(1)));
        server.engine().dispatcher().heartbeat().start();
        client.get("/wait");
        awaitStart();
        Http2Client.Response response = client.fetch("/hello");
        assertEquals(503, response.status);
        assertNotNull(response.headers.first("retry-after"));
    }

    @Test
    void rejectedStreamOfAKnownClientIsRefusedOnce() throws Exception {
        server.close();
        serve(Options.DEFAULT.withThreads(t -> t.withWorkersMax(1)));
        client.fetch("/hello");
        server.engine().dispatcher().heartbeat().start();
        client.get("/wait");
        awaitStart();
        int second = client.get("/hello");
        int third = client.get("/hello");
        Http2Client.Response refused = client.response(second);
        Http2Client.Response rejected = client.response(third);
        boolean isFirstRefused = refused.reset == ErrorCode.REFUSED_STREAM;
        assertEquals(503, isFirstRefused ? rejected.status : refused.status);
        assertEquals(ErrorCode.REFUSED_STREAM, isFirstRefused ? refused.reset : rejected.reset);
        assertEquals(1, runs.get());
    }

    /// Admission has rejected it, and the loop has yet to say so, when its client resets it.
    @Test
    void rejectedStreamThatIsResetFirstHoldsNothing() throws Exception {
        server.close();
        serve(Options.DEFAULT.withThreads(t -> t.withWorkersMax(1)));
        client.get("/wait");
        awaitStart();
        int second = client.post("/echo");
        client.data(second, new byte[10_000], true).roundTrip();
        assertEquals(1, server.engine().dispatcher().admission().waitingCount());
        server.engine().dispatcher().heartbeat().start();
        Patience.until(
                "it is rejected",
                () -> server.engine().dispatcher().admission().waitingCount() == 0);
        client.reset(second, ErrorCode.CANCEL).roundTrip();
        server.iterateUntil(
                "the head of the first is left",
                () -> server.engine().inputMemory().bytes() < 5_000);
    }

    // ---- The end.

    @Test
    void connectionEndsInTwoPhases() throws Exception {
        int id = client.get("/wait");
        awaitStart();
        server.engine().beginToStop();
        server.loop().announceStop();
        client.until("GOAWAY", () -> client.goAways() == 1);
        assertEquals(Integer.MAX_VALUE, client.lastStream());
        client.until("the second", () -> client.goAways() == 2);
        assertEquals(id, client.lastStream());
        assertEquals(ErrorCode.NO_ERROR, client.goAway());
        assertEquals(ErrorCode.REFUSED_STREAM, client.fetch("/hello").reset);
        release.countDown();
        assertEquals("waited", client.response(id).text());
        client.untilEnd();
        client.close();
        server.iterateUntil("the end", () -> server.connections() == 0);
    }

    @Test
    void secondPhaseDoesNotWaitForAClientWithoutPing() throws Exception {
        Http2Client silent = Http2Client.to(server, Settings.CLIENT).hello();
        silent.roundTrip();
        server.engine().beginToStop();
        server.loop().announceStop();
        server.iterate();
        server.clock().advance(Duration.ofSeconds(3));
        silent.untilEnd();
        assertEquals(2, silent.goAways());
    }

    @Test
    void connectionIsClosedWithAge() throws Exception {
        server.close();
        serve(Options.DEFAULT.withHttp2(h -> h.withAgeMax(Duration.ofMinutes(10))));
        client.fetch("/hello");
        server.clock().advance(Duration.ofMinutes(8));
        client.fetch("/hello");
        assertEquals(0, client.goAways());
        server.clock().advance(Duration.ofMinutes(4));
        client.untilEnd();
        assertEquals(2, client.goAways());
    }

    @Test
    void idleConnectionIsEvictedWithAGoaway() throws Exception {
        client.fetch("/hello");
        client.roundTrip();
        server.awaitRest();
        server.iterate();
        assertEquals(1, server.loop().evict(1));
        client.untilEnd();
        assertEquals(ErrorCode.NO_ERROR, client.goAway());
        assertEquals(1, client.lastStream());
    }

    @Test
    void connectionWithAStreamIsNotEvicted() throws Exception {
        int id = client.get("/wait");
        awaitStart();
        assertEquals(0, server.loop().evict(1));
        release.countDown();
        assertEquals(200, client.response(id).status);
    }

    // ---- Time limits.

    /// RFC 9113, section 6.5.3.
    @Test
    void clientThatDoesNotAcknowledgeTheSettingsIsDisconnected() throws Exception {
        client.roundTrip();
        try (Http2Client mute = Http2Client.to(server, Settings.CLIENT).acknowledgeNothing()) {
            mute.hello();
            assertEquals("now", mute.fetch("/now").text());
            for (int i = 0; i < 25; i++) {
                server.clock().advance(Duration.ofSeconds(1));
                server.iterate();
            }
            mute.untilEnd();
            assertEquals(ErrorCode.SETTINGS_TIMEOUT, mute.goAway());
        }
        assertEquals("now", client.fetch("/now").text());
    }

    @Test
    void incompleteHeaderBlockEndsTheConnection() throws Exception {
        client.roundTrip();
        client.out().put(new byte[] {0, 0, 20, 1, 4, 0, 0, 0, 1, 0});
        client.flush();
        server.iterate();
        for (int i = 0; i < 25; i++) {
            server.clock().advance(Duration.ofSeconds(1));
            server.iterate();
        }
        client.untilEnd();
        assertEquals(ErrorCode.PROTOCOL_ERROR, client.goAway());
    }

    @Test
    void bodyThatComesTooSlowlyIsCutOff() throws Exception {
        int id = client.post("/echo");
        client.data(id, "a", false).roundTrip();
        for (int i = 0; i < 25; i++) {
            server.clock().advance(Duration.ofSeconds(1));
            server.iterate();
        }
        assertEquals(ErrorCode.CANCEL, client.response(id).reset);
        assertEquals("now", client.fetch("/now").text());
    }

    @Test
    void streamWithoutWindowIsResetAfterTheStallTime() throws Exception {
        int id = client.keepWindows().get("/large");
        client.until("its window", () -> client.expect(id).content.size() == 65_535);
        FrameWriter.windowUpdate(client.out(), 0, 1_000_000);
        client.roundTrip();
        for (int i = 0; i < 65; i++) {
            server.clock().advance(Duration.ofSeconds(1));
            server.iterate();
        }
        assertEquals(ErrorCode.CANCEL, client.response(id).reset);
    }

    // ---- The log.

    @Test
    void everyExchangeIsLogged() throws Exception {
        client.fetch("/hello?x=1", "user-agent", "test");
        AccessLog.Entry entry = logged.poll(20, TimeUnit.SECONDS);
        assertNotNull(entry);
        assertEquals("/hello?x=1", entry.target());
        assertEquals(200, entry.status());
        assertEquals(13, entry.bodyBytes());
        assertEquals(HttpVersion.HTTP_2, entry.version());
        assertEquals(1, entry.streamId());
        client.fetch("/hello");
        assertEquals(3, logged.poll(20, TimeUnit.SECONDS).streamId());
    }

    private List<RunningRequest> running() {
        return RunningRequest.of(server.engine(), System.nanoTime());
    }

    @Test
    void runningRequestIsShownWithItsStream() throws Exception {
        client.fetch("/hello");
        client.get("/wait");
        awaitStart();
        Patience.until("the first is over", () -> running().size() == 1);
        List<RunningRequest> running = running();
        assertEquals(1, running.size());
        assertEquals("HTTP/2.0", running.getFirst().protocol());
        assertEquals(3, running.getFirst().streamId());
    }
}
