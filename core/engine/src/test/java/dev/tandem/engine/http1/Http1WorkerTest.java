package dev.tandem.engine.http1;

import static dev.tandem.engine.http1.WireCases.get;
import static dev.tandem.engine.http1.WireCases.ok;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.engine.MemoryServer;
import dev.tandem.http.Exchange;
import dev.tandem.http.Router;
import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.MemoryPipe;
import dev.tandem.testkit.WireText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A worker and a connection that is handed over to it. There is one worker, and the test runs the
/// loop, so that it sees which of the two did what.
@Timeout(60)
class Http1WorkerTest {
    /// Number of requests that a worker serves before the loop has the connection again.
    private static final int BATCH = 32;

    private final LogCapture log = LogCapture.of("dev.tandem");
    private final BlockingQueue<String> ran = new LinkedBlockingQueue<>();
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private final CountDownLatch release = new CountDownLatch(1);
    private MemoryServer server;

    @BeforeEach
    void serve() {
        Router routes =
                Router.builder()
                        .add("GET", "/{name}", this::response)
                        .add("GET", "/held/{name}", this::hold)
                        .add("GET", "/broken/{name}", Http1WorkerTest::fail)
                        .add("POST", "/echo", Http1WorkerTest::echo)
                        .build();
        server = new MemoryServer(Options.DEFAULT.withThreads(t -> t.withWorkersMax(1)), routes);
    }

    @AfterEach
    void stop() {
        release.countDown();
        server.close();
        log.close();
    }

    /// A worker, or the thread that would have been one, closes its connection instead.
    @Test
    void requestThatComesWhenTheServerHasStoppedIsNotRun() throws IOException {
        server.engine().dispatcher().stop();
        server.engine().workers().stop();
        MemoryPipe pipe = server.connect();
        byte[] request = WireText.bytes(get("/late"));
        pipe.toServer().offer(request, 0, request.length);
        assertEquals("", server.readToEnd(pipe));
        server.iterateUntil("closed", () -> server.connections() == 0);
        assertTrue(ran.isEmpty());
    }

    private void response(Exchange x) throws IOException {
        ran.add(x.pathParam("name"));
        threads.add(Thread.currentThread());
        x.send(x.pathParam("name"));
    }

    private void hold(Exchange x) throws Exception {
        ran.add(x.pathParam("name"));
        assertTrue(release.await(20, TimeUnit.SECONDS));
        x.send(x.pathParam("name"));
    }

    private static void fail(Exchange x) {
        throw new IllegalStateException("on purpose: " + x.path());
    }

    private static void echo(Exchange x) throws IOException {
        x.send(x.request().body().readAllBytes());
    }

    private static void offer(MemoryPipe pipe, String text) throws IOException {
        byte[] bytes = WireText.bytes(text);
        assertEquals(bytes.length, pipe.toServer().offer(bytes, 0, bytes.length));
    }

    private List<String> ran() {
        return List.copyOf(ran);
    }

    // ---- Pipelined requests.

    @Test
    void oneWorkerServesPipelinedRequestsInOrder() throws IOException {
        MemoryPipe pipe = server.connect();
        String requests = get("/a") + get("/b") + get("/c");
        String responses = ok("", "a") + ok("", "b") + ok("", "c");
        assertEquals(responses, server.ask(pipe, requests, responses));
        assertEquals(List.of("a", "b", "c"), ran());
        assertEquals(1, threads.size());
    }

    @Test
    void workerReturnsTheConnectionAfterItsBatch() throws IOException {
        MemoryPipe pipe = server.connect();
        var requests = new StringBuilder(get("/held/0"));
        var responses = new StringBuilder(ok("", "0"));
        var names = new ArrayList<>(List.of("0"));
        for (int i = 1; i < BATCH + 8; i++) {
            requests.append(get("/" + i));
            responses.append(ok("", "" + i));
            names.add("" + i);
        }
        offer(pipe, requests.toString());
        server.iterateUntil("the first runs", () -> !ran.isEmpty());
        release.countDown();
        server.awaitRest();
        assertEquals(names.subList(0, BATCH), ran(), "the loop has not run since");
        assertEquals(responses.toString(), server.readResponse(pipe, responses.toString()));
        assertEquals(names, ran());
    }

    @Test
    void failureInTheMiddleCostsItsOwnResponseOnly() throws IOException {
        MemoryPipe pipe = server.connect();
        String failed =
                WireCases.response(
                        "500 Internal Server Error", "", "500 something went wrong on our side");
        String responses = ok("", "a") + failed + ok("", "b");
        String requests = get("/a") + get("/broken/x") + get("/b");
        assertEquals(responses, server.ask(pipe, requests, responses));
        assertEquals(List.of("a", "b"), ran());
        assertEquals(1, log.lines().size());
    }

    @Test
    void malformedPipelinedRequestIsRejectedInOrder() throws IOException {
        MemoryPipe pipe = server.connect();
        offer(pipe, get("/a") + "GET\n\n" + get("/b"));
        String received = server.readToEnd(pipe);
        assertTrue(received.startsWith(ok("", "a") + "HTTP/1.1 400 "), received);
        assertEquals(List.of("a"), ran());
    }

    @Test
    void pipelinedRequestMayBeSplitAnywhere() throws IOException {
        String second = get("/b");
        for (int split = 1; split < second.length(); split++) {
            MemoryPipe pipe = server.connect();
            String first = get("/a") + second.substring(0, split);
            assertEquals(ok("", "a"), server.ask(pipe, first, ok("", "a")));
            String rest = second.substring(split);
            assertEquals(ok("", "b"), server.ask(pipe, rest, ok("", "b")), "split " + split);
            pipe.toServer().end();
            server.readToEnd(pipe);
        }
    }

    @Test
    void pipelinedRequestWithABodyIsServedInOrder() throws IOException {
        MemoryPipe pipe = server.connect();
        String post = "POST /echo HTTP/1.1\nHost: a\nContent-Length: 3\n\nabc";
        String echoed = "HTTP/1.1 200 OK\nDate: *\nContent-Length: 3\n\nabc";
        String responses = ok("", "a") + echoed + ok("", "b");
        assertEquals(responses, server.ask(pipe, get("/a") + post + get("/b"), responses));
    }

    @Test
    void nothingIsRunBehindALastResponse() throws IOException {
        MemoryPipe pipe = server.connect();
        offer(pipe, "GET /a HTTP/1.1\nHost: a\nConnection: close\n\n" + get("/b"));
        assertEquals(ok("close", "a"), server.readToEnd(pipe));
        assertEquals(List.of("a"), ran());
    }

    // ---- Fairness among connections.

    @Test
    void nextRequestWaitsUntilTheClientHasReadTheResponse() throws IOException {
        MemoryPipe pipe = server.connect(8);
        offer(pipe, get("/a") + get("/b"));
        server.iterateUntil("the first runs", () -> !ran.isEmpty());
        server.awaitRest();
        server.iterate();
        assertEquals(List.of("a"), ran());
        String responses = ok("", "a") + ok("", "b");
        assertEquals(responses, server.readResponse(pipe, responses));
        assertEquals(List.of("a", "b"), ran());
    }

    /// Both clients were served before, so that neither has priority for that.
    @Test
    void queuedRequestRunsBeforePipelinedOnes() throws IOException {
        MemoryPipe first = server.connect();
        MemoryPipe second = server.connect();
        server.ask(first, get("/x"), ok("", "x"));
        server.ask(second, get("/y"), ok("", "y"));
        offer(first, get("/held/a") + get("/b"));
        server.iterateUntil("the first runs", () -> ran.contains("a"));
        offer(second, get("/c"));
        var admission = server.engine().dispatcher().admission();
        server.iterateUntil("the other waits", () -> admission.waitingCount() == 1);
        release.countDown();
        assertEquals(ok("", "c"), server.readResponse(second, ok("", "c")));
        String responses = ok("", "a") + ok("", "b");
        assertEquals(responses, server.readResponse(first, responses));
        assertEquals(List.of("x", "y", "a", "c", "b"), ran());
    }

    // ---- Clients that go.

    @Test
    void workerServesOthersWhenAClientHasDisconnected() throws IOException {
        MemoryPipe gone = server.connect();
        offer(gone, get("/held/a") + get("/b"));
        server.iterateUntil("it runs", () -> !ran.isEmpty());
        gone.reset();
        release.countDown();
        server.iterateUntil("its connection is closed", () -> server.connections() == 0);
        server.awaitRest();
        assertEquals(List.of("a"), ran(), "nothing is run for a client that is gone");
        MemoryPipe next = server.connect();
        assertEquals(ok("", "c"), server.ask(next, get("/c"), ok("", "c")));
        assertEquals(List.of(), log.lines());
    }
}
