package dev.tandem.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.AccessLog;
import dev.tandem.ErrorPage;
import dev.tandem.Options;
import dev.tandem.engine.loop.LoopExchange;
import dev.tandem.engine.loop.LoopHandler;
import dev.tandem.engine.manage.Metrics;
import dev.tandem.engine.site.Site;
import dev.tandem.http.Body;
import dev.tandem.http.Exchange;
import dev.tandem.http.FileStamp;
import dev.tandem.http.Filter;
import dev.tandem.http.Handler;
import dev.tandem.http.HttpException;
import dev.tandem.http.Router;
import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.Patience;
import java.io.OutputStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A protocol that the engine does not know carries several exchanges on one connection: handlers,
/// filters, error pages, access log, metrics and admission are the same as for HTTP/1.1.
@Timeout(60)
class ToyProtocolTest {
    private final LogCapture log = LogCapture.of("dev.tandem");
    private final BlockingQueue<AccessLog.Entry> logged = new LinkedBlockingQueue<>();
    private final CountDownLatch first = new CountDownLatch(1);
    private final CountDownLatch second = new CountDownLatch(1);
    private final BlockingQueue<String> started = new LinkedBlockingQueue<>();
    private final Path folder;
    private Engine engine;
    private ToyConnection connection;

    ToyProtocolTest(@TempDir Path folder) {
        this.folder = folder;
    }

    @BeforeEach
    void serve() {
        serve(Options.DEFAULT);
    }

    private void serve(Options options) {
        Router routes =
                Router.builder()
                        .add("GET", "/hello/{name}", x -> x.send("hello " + x.pathParam("name")))
                        .add("GET", "/now", Handler.nonBlocking(x -> x.send("now")))
                        .add("GET", "/first", x -> await(x, first))
                        .add("GET", "/second", x -> await(x, second))
                        .add("GET", "/broken", ToyProtocolTest::breakDown)
                        .add("GET", "/gone", ToyProtocolTest::isGone)
                        .add("GET", "/stream", ToyProtocolTest::stream)
                        .add("GET", "/file", this::file)
                        .add("GET", "/events", x -> x.events().close())
                        .add("GET", "/loop", x -> LoopExchange.begin(x, new Never()))
                        .add("POST", "/echo", ToyProtocolTest::echo)
                        .build();
        var admission = Engines.admission(options);
        List<Filter> filters = List.of(ToyProtocolTest::filter);
        ErrorPage page = (x, message) -> x.send("page: " + message);
        engine =
                new Engine(
                        options,
                        new MemoryNetwork(),
                        new Site(routes, filters, page, admission),
                        logged::add);
        connection = new ToyConnection(engine);
    }

    @AfterEach
    void stop() {
        first.countDown();
        second.countDown();
        stopServer();
        log.close();
    }

    private void stopServer() {
        engine.dispatcher().stop();
        engine.workers().stop();
    }

    private static void filter(Exchange x, Handler next) throws Exception {
        x.header("Filtered", "yes");
        next.handle(x);
    }

    private void await(Exchange x, CountDownLatch latch) throws Exception {
        started.add(x.path());
        if (!latch.await(20, TimeUnit.SECONDS)) {
            throw new AssertionError("not released within 20 s");
        }
        x.send(x.path());
    }

    private static void breakDown(Exchange x) {
        throw new IllegalStateException("on purpose");
    }

    private static void isGone(Exchange x) {
        throw new HttpException(410, "it was here");
    }

    private static void stream(Exchange x) throws Exception {
        try (OutputStream out = x.outputStream()) {
            out.write("one".getBytes(StandardCharsets.UTF_8));
            out.flush();
            out.write("two".getBytes(StandardCharsets.UTF_8));
        }
    }

    private void file(Exchange x) throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "0123456789abcdefghij");
        x.send(new Body.FileRegion(file, 5, 15, FileStamp.of(file)));
    }

    private static void echo(Exchange x) throws Exception {
        byte[] all = x.request().body().readAllBytes();
        x.send(new String(all, StandardCharsets.UTF_8));
    }

    private List<String> next(int count) throws InterruptedException {
        var frames = new ArrayList<String>();
        for (int i = 0; i < count; i++) {
            frames.add(connection.next());
        }
        return frames;
    }

    private static String head(String id, int length) {
        return id
                + " HEAD 200 Filtered=yes,Content-Type=text/plain; charset=utf-8,length="
                + length;
    }

    // ---- Handlers.

    @Test
    void handlerRespondsOnItsStream() throws Exception {
        connection.receive("7 OPEN GET /hello/ann");
        assertEquals(List.of(head("7", 9), "7 DATA hello ann", "7 END"), next(3));
    }

    @Test
    void nonBlockingHandlerRunsOnTheLoop() throws Exception {
        serveWithoutFilters();
        connection.receive("1 OPEN GET /now");
        assertEquals("1 END", connection.pending().getLast());
    }

    private void serveWithoutFilters() {
        Router routes =
                Router.builder()
                        .add("GET", "/now", Handler.nonBlocking(x -> x.send("now")))
                        .build();
        var site = new Site(routes, List.of(), ErrorPage.PLAIN, Engines.admission(Options.DEFAULT));
        engine = new Engine(Options.DEFAULT, new MemoryNetwork(), site, null);
        connection = new ToyConnection(engine);
    }

    @Test
    void exchangesOfOneConnectionRunAtTheSameTime() throws Exception {
        connection.receive("1 OPEN GET /first");
        connection.receive("2 OPEN GET /second");
        started.take();
        started.take();
        second.countDown();
        assertEquals(List.of(head("2", 7), "2 DATA /second", "2 END"), next(3));
        first.countDown();
        assertEquals(List.of(head("1", 6), "1 DATA /first", "1 END"), next(3));
    }

    @Test
    void bodyIsReadWhileItIsReceived() throws Exception {
        connection.receive("1 OPEN POST /echo");
        connection.receive("1 DATA abc");
        connection.receive("2 OPEN GET /hello/bob");
        assertEquals("2 END", next(3).getLast());
        connection.receive("1 DATA def");
        connection.receive("1 END");
        assertEquals(List.of(head("1", 6), "1 DATA abcdef", "1 END"), next(3));
    }

    @Test
    void streamedContentIsSentPieceByPiece() throws Exception {
        connection.receive("1 OPEN GET /stream");
        assertEquals(
                List.of("1 HEAD 200 Filtered=yes", "1 DATA one", "1 DATA two", "1 END"), next(4));
    }

    @Test
    void fileIsReadIntoFrames() throws Exception {
        connection.receive("1 OPEN GET /file");
        assertEquals(
                List.of("1 HEAD 200 Filtered=yes,length=15", "1 DATA 56789abcdefghij"), next(2));
        assertEquals("1 END", connection.next());
    }

    @Test
    void headIsSentWithoutContent() throws Exception {
        connection.receive("1 OPEN HEAD /hello/ann");
        assertEquals(List.of(head("1", 9), "1 END"), next(2));
    }

    // ---- Error pages.

    @Test
    void missingRouteGetsTheErrorPage() throws Exception {
        connection.receive("1 OPEN GET /nowhere");
        assertTrue(connection.next().startsWith("1 HEAD 404 Filtered=yes,"));
        assertEquals("1 DATA page: nothing is here", connection.next());
    }

    @Test
    void statusThatAHandlerThrowsGetsTheErrorPage() throws Exception {
        connection.receive("1 OPEN GET /gone");
        assertTrue(connection.next().startsWith("1 HEAD 410 "));
        assertEquals("1 DATA page: it was here", connection.next());
    }

    @Test
    void failureOfAHandlerIsLoggedWithItsId() throws Exception {
        connection.receive("1 OPEN GET /broken");
        assertTrue(connection.next().startsWith("1 HEAD 500 "));
        next(2);
        AccessLog.Entry entry = logged.take();
        assertEquals(500, entry.status());
        assertFalse(log.messages(line -> line.contains(entry.id())).isEmpty());
    }

    /// Else there are fewer places with each error, until the restart.
    @Test
    void errorAtTheEndReleasesThePlaceOfALongExchange() throws Exception {
        stopServer();
        serve(Options.DEFAULT.withLimits(l -> l.withEventStreamsMax(1)));
        connection.failAtEnd(true);
        connection.receive("1 OPEN GET /events");
        assertTrue(connection.next().startsWith("1 HEAD 200 "));
        Patience.until("it has failed", () -> engine.workers().activeCount() == 0);
        connection.failAtEnd(false);
        assertEquals(List.of("1 END"), connection.pending());
        connection.next();
        connection.receive("2 OPEN GET /events");
        assertTrue(connection.next().startsWith("2 HEAD 200 "));
    }

    private static final class Never implements LoopHandler {
        @Override
        public void proceed(LoopExchange x) {
            throw new AssertionError("it does not begin");
        }

        @Override
        public void ended() {}
    }

    /// Else it would be listed as running for ever, and hold what it had.
    @Test
    void exchangeThatItsLoopDoesNotGetForLackOfMemoryIsOver() throws Exception {
        connection.loopSide =
                (LoopSide)
                        Proxy.newProxyInstance(
                                LoopSide.class.getClassLoader(),
                                new Class<?>[] {LoopSide.class},
                                (_, method, _) -> {
                                    if (method.getName().equals("loop")) {
                                        throw new StackOverflowError("on purpose");
                                    }
                                    return null;
                                });
        connection.receive("1 OPEN GET /loop");
        assertNotNull(logged.poll(20, TimeUnit.SECONDS), "it is not over");
        Patience.until("it is listed", () -> engine.detached().isEmpty());
        Patience.until(
                "it is counted", () -> engine.dispatcher().admission().counters().active() == 0);
    }

    // ---- Access log and metrics.

    @Test
    void everyExchangeIsLogged() throws Exception {
        connection.receive("1 OPEN GET /hello/ann?x=1 User-Agent=toy");
        next(3);
        AccessLog.Entry entry = logged.take();
        assertEquals("GET", entry.method());
        assertEquals("/hello/ann?x=1", entry.target());
        assertEquals(200, entry.status());
        assertEquals(9, entry.bodyBytes());
    }

    @Test
    void everyExchangeIsCountedByItsRoute() throws Exception {
        connection.receive("1 OPEN GET /hello/ann");
        connection.receive("2 OPEN GET /hello/bob");
        logged.take();
        logged.take();
        String metrics = Metrics.of(engine).toString();
        assertTrue(
                metrics.lines()
                        .anyMatch(
                                line ->
                                        line.contains("_count{")
                                                && line.contains("\"/hello/{name}\"")
                                                && line.endsWith(" 2")),
                metrics);
    }

    @Test
    void runningExchangeIsSeenFromOutside() throws Exception {
        connection.receive("1 OPEN GET /first?secret");
        started.take();
        List<RunningExchange> running =
                engine.threads()
                        .filter(ContextThread.class::isInstance)
                        .map(thread -> ((ContextThread) thread).context().running())
                        .filter(Objects::nonNull)
                        .toList();
        assertEquals(1, running.size());
        assertEquals("/first?secret", running.getFirst().target());
        assertEquals("/first", running.getFirst().routePattern());
        assertFalse(running.getFirst().hasResponse());
    }

    // ---- Admission.

    private void serveWithOneWorker() {
        stopServer();
        serve(Options.DEFAULT.withThreads(t -> t.withWorkersMax(1)));
    }

    @Test
    void streamWaitsWithoutAThreadUntilAPermitIsFree() throws Exception {
        serveWithOneWorker();
        connection.receive("1 OPEN GET /first");
        started.take();
        connection.receive("2 OPEN GET /hello/ann");
        assertEquals(1, engine.dispatcher().admission().waitingCount());
        assertEquals(1, engine.workers().size());
        first.countDown();
        assertEquals("1 END", next(3).getLast());
        assertEquals(List.of(head("2", 9), "2 DATA hello ann", "2 END"), next(3));
    }

    @Test
    void streamThatTheClientResetsInTheQueueNeverRuns() throws Exception {
        serveWithOneWorker();
        connection.receive("1 OPEN GET /first");
        started.take();
        connection.receive("2 OPEN GET /second");
        connection.receive("2 CANCEL");
        assertEquals(0, engine.dispatcher().admission().waitingCount());
        connection.receive("3 OPEN GET /hello/ann");
        first.countDown();
        next(3);
        assertEquals("3 END", next(3).getLast());
        assertTrue(started.isEmpty());
    }

    @Test
    void streamThatWaitedTooLongIsRejected() throws Exception {
        serveWithOneWorker();
        engine.dispatcher().heartbeat().start();
        connection.receive("1 OPEN GET /first");
        started.take();
        connection.receive("2 OPEN GET /second");
        String head = connection.next();
        assertTrue(head.startsWith("2 HEAD 503 Retry-After="), head);
        assertTrue(connection.next().startsWith("2 DATA page: too busy"));
        assertEquals("2 END", connection.next());
        assertEquals(503, logged.take().status());
    }

    @Test
    void queuedStreamIsClosedWhenTheServerStops() throws Exception {
        serveWithOneWorker();
        connection.receive("1 OPEN GET /first");
        started.take();
        connection.receive("2 OPEN GET /second");
        engine.dispatcher().stop();
        assertEquals("2 CUT", connection.next());
    }

    @Test
    void clientThatResetsARunningStreamIsSeen() throws Exception {
        connection.receive("1 OPEN GET /first");
        started.take();
        connection.receive("1 CANCEL");
        first.countDown();
        assertEquals("1 CUT", connection.next());
    }
}
