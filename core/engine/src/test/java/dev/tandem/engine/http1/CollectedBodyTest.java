package dev.tandem.engine.http1;

import static dev.tandem.engine.http1.WireBodies.echoed;
import static dev.tandem.engine.http1.WireCases.NOW;
import static dev.tandem.engine.http1.WireCases.get;
import static dev.tandem.engine.http1.WireCases.ok;
import static dev.tandem.engine.http1.WireCases.response;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.engine.MemoryServer;
import dev.tandem.engine.loop.LoopExchange;
import dev.tandem.engine.loop.LoopHandler;
import dev.tandem.http.Exchange;
import dev.tandem.http.Handler;
import dev.tandem.http.Router;
import dev.tandem.testkit.MemoryPipe;
import dev.tandem.testkit.WireText;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Bodies while the loop collects them: no worker is used until one is complete.
class CollectedBodyTest {
    private static final Duration GRACE = Duration.ofSeconds(10);
    private static final Duration TICK = Duration.ofMillis(16);
    private static final int RATE = 1000;
    private static final Options OPTIONS =
            Options.DEFAULT.withTimeouts(t -> t.withBodyGrace(GRACE).withBodyRateMin(RATE));
    private static final String TOO_SLOW =
            response(
                    "408 Request Timeout",
                    "close",
                    "408 Request Timeout<0a>the body came too slowly<0a>");

    private MemoryServer server;

    @BeforeEach
    void serve() {
        server = new MemoryServer(OPTIONS, WireSite.routes());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private void say(MemoryPipe pipe, String text) throws IOException {
        byte[] bytes = WireText.bytes(text);
        assertEquals(bytes.length, pipe.toServer().offer(bytes, 0, bytes.length));
        server.iterateUntil("input is taken", () -> pipe.toServer().size() == 0);
    }

    private void pass(Duration time) throws IOException {
        server.clock().advance(time);
        server.iterate();
    }

    /// A worker releases it right after the response.
    private void awaitNothingCollected() throws IOException {
        server.iterateUntil("it is let go", () -> server.engine().inputMemory().bytes() == 0);
    }

    private static String post(String path, int length) {
        return "POST " + path + " HTTP/1.1\nHost: a\nContent-Length: " + length + "\n\n";
    }

    @Test
    void incompleteBodyUsesNoWorker() throws IOException {
        MemoryPipe pipe = server.connect();
        say(pipe, post("/echo", 5) + "abcd");
        server.iterate();
        assertEquals(0, server.engine().workers().size());
        assertTrue(server.engine().inputMemory().bytes() > 0);
        assertEquals(echoed("abcde"), server.ask(pipe, "e", echoed("abcde")));
        awaitNothingCollected();
    }

    /// What has come first waits in the connection, and is read first, although there is memory for
    /// what comes next.
    @Test
    void bodyOfWhichTheBeginningWasNotCollectedIsReadInOrder() throws IOException {
        MemoryPipe pipe = server.connect(16);
        server.engine().inputMemory().add(Long.MAX_VALUE / 2);
        say(pipe, get("/now") + post("/echo", 5) + "ab");
        server.iterate();
        server.engine().inputMemory().add(-(Long.MAX_VALUE / 2));
        assertEquals(WireCases.NOW, server.readResponse(pipe, WireCases.NOW));
        assertEquals(echoed("abcde"), server.ask(pipe, "cde", echoed("abcde")));
        awaitNothingCollected();
    }

    /// Else connections with long heads and no body fill the heap until their time is over.
    @Test
    void headOfARequestThatWaitsForItsBodyCounts() throws IOException {
        MemoryPipe pipe = server.connect();
        String length = "Content-Length: 5\n\n";
        String head = "POST /echo HTTP/1.1\nHost: a\nX: " + "a".repeat(8_000) + "\n" + length;
        say(pipe, head);
        server.iterate();
        long held = server.engine().inputMemory().bytes();
        assertTrue(held >= head.length() && held < 2L * head.length(), held + " bytes");
        assertEquals(echoed("abcde"), server.ask(pipe, "abcde", echoed("abcde")));
        awaitNothingCollected();
        say(pipe, head);
        pipe.toServer().end();
        server.iterateUntil("the connection is closed", () -> server.connections() == 0);
        awaitNothingCollected();
    }

    /// Else thousands of connections with long heads fill the heap, as bodies cannot any more.
    @Test
    void longHeadsAreNotKeptWithoutMemory() throws IOException {
        String shortHead = "POST /echo HTTP/1.1\nHost: a\nContent-Length: 5\n";
        String longHead = shortHead + "X: " + "a".repeat(5_000) + "\n";
        MemoryPipe withoutBody = server.connect();
        say(withoutBody, longHead);
        server.engine().inputMemory().add(Runtime.getRuntime().maxMemory() / 8);

        MemoryPipe incomplete = server.connect();
        say(incomplete, longHead);
        String rejected = server.readToEnd(incomplete);
        assertTrue(rejected.startsWith("HTTP/1.1 503 "), rejected);
        assertTrue(rejected.contains("Connection: close\n"), rejected);
        say(withoutBody, "\n");
        assertTrue(server.readToEnd(withoutBody).startsWith("HTTP/1.1 503 "));

        MemoryPipe pipe = server.connect();
        say(pipe, shortHead);
        assertEquals(echoed("abcde"), server.ask(pipe, "\nabcde", echoed("abcde")));
    }

    @Test
    void incompleteChunkedBodyUsesNoWorker() throws IOException {
        MemoryPipe pipe = server.connect();
        say(pipe, "POST /echo HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\n\n3\nabc\n0\n");
        server.iterate();
        assertEquals(0, server.engine().workers().size());
        assertEquals(
                echoed("abc") + NOW, server.ask(pipe, "\n" + get("/now"), echoed("abc") + NOW));
    }

    @Test
    void bytesBehindTheBodyAreTheNextRequest() throws IOException {
        MemoryPipe pipe = server.connect();
        say(pipe, post("/echo", 5) + "abcd");
        String both = echoed("abcde") + NOW;
        assertEquals(both, server.ask(pipe, "e" + get("/now"), both));
    }

    @Test
    void bodyThatDoesNotComeGets408() throws IOException {
        MemoryPipe pipe = server.connect();
        say(pipe, post("/echo", 5) + "abcd");
        pass(GRACE.plus(TICK));
        assertEquals(TOO_SLOW, server.readToEnd(pipe));
        assertEquals(0, server.engine().workers().size());
        awaitNothingCollected();
    }

    @Test
    void everyByteExtendsTheDeadlineByTheRate() throws IOException {
        MemoryPipe pipe = server.connect();
        say(pipe, post("/echo", 5000) + "a".repeat(2 * RATE));
        pass(GRACE.plusSeconds(2).minus(TICK));
        say(pipe, "a");
        pass(TICK.multipliedBy(3));
        assertEquals(TOO_SLOW, server.readToEnd(pipe));
    }

    @Test
    void bodyOfADisconnectedClientUsesNoWorker() throws IOException {
        MemoryPipe pipe = server.connect();
        say(pipe, post("/echo", 5) + "abcd");
        pipe.toServer().end();
        server.iterateUntil("the connection is closed", () -> server.connections() == 0);
        assertEquals(0, server.engine().workers().size());
        awaitNothingCollected();
    }

    @Test
    void longBodyGoesToAWorkerOnceEnoughWasReceived() throws IOException {
        MemoryPipe pipe = server.connect();
        say(pipe, post("/ignore", 400_000));
        for (int i = 0; i < Http1Body.COLLECTED_MAX / 1024; i++) {
            assertEquals(0, server.engine().workers().size());
            say(pipe, "a".repeat(1024));
        }
        String ignored = ok("close", "ignored");
        assertEquals(ignored, server.readResponse(pipe, ignored));
    }

    @Test
    void withoutMemoryAWorkerReadsTheBody() throws IOException {
        server.engine().inputMemory().add(Long.MAX_VALUE / 2);
        MemoryPipe pipe = server.connect();
        say(pipe, post("/echo", 5) + "abcd");
        server.iterateUntil("a worker has it", () -> server.engine().workers().size() == 1);
        assertEquals(echoed("abcde"), server.ask(pipe, "e", echoed("abcde")));
    }

    /// What a client sends behind its request, or of a body that cannot be collected, is read as
    /// 1 KiB and not as 64 while there is no memory for input; all of it counts, and is let go.
    @Test
    void withoutMemoryLessIsReadAhead() throws IOException {
        long most = Long.MAX_VALUE / 2;
        var gate = new CountDownLatch(1);
        Handler gated =
                x -> {
                    gate.await();
                    x.send(x.request().body().readAllBytes());
                };
        server.close();
        server = new MemoryServer(OPTIONS, Router.builder().add("POST", "/gated", gated).build());
        server.engine().inputMemory().add(most);
        MemoryPipe pipe = server.connect();
        byte[] body = new byte[60_000];
        byte[] head = WireText.bytes(post("/gated", body.length + 1));
        pipe.toServer().offer(head, 0, head.length);
        pipe.toServer().offer(body, 0, body.length);
        server.iterate();
        long held = server.engine().inputMemory().bytes() - most;
        assertTrue(held > head.length && held <= head.length + 1024, held + " bytes");
        gate.countDown();
        server.iterateUntil("a worker has read it", () -> pipe.toServer().size() == 0);
        pipe.toServer().end();
        server.iterateUntil("it is let go", () -> server.engine().inputMemory().bytes() == most);
    }

    @Test
    void whatFollowsARequestCountsUntilItsConnectionCloses() throws IOException {
        MemoryPipe pipe = server.connect();
        say(pipe, "GET /now HTTP/1.1\nHost: a\n\nGET /no");
        assertEquals(7, server.engine().inputMemory().bytes());
        pipe.toServer().end();
        awaitNothingCollected();
    }

    @Test
    void badFramingIsReportedToTheHandler() throws IOException {
        MemoryPipe pipe = server.connect();
        say(pipe, "POST /echo HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\n\n3\nabc");
        say(pipe, "x");
        String bad = response("400 Bad Request", "close", "400 chunk does not end in CRLF");
        String received = server.readToEnd(pipe);
        assertTrue(received.startsWith(bad.substring(0, 24)), received);
    }

    @Test
    void earlierResponsesAreSentWhileTheBodyIsAwaited() throws IOException {
        MemoryPipe pipe = server.connect();
        assertEquals(NOW, server.ask(pipe, get("/now") + post("/echo", 5) + "ab", NOW));
        assertEquals(echoed("abcde"), server.ask(pipe, "cde", echoed("abcde")));
    }

    /// Holds 1,000 bytes until it is ended.
    private static final class Holding implements LoopHandler {
        private final Exchange x;
        private final List<LoopExchange> waiting;

        Holding(Exchange x, List<LoopExchange> waiting) {
            this.x = x;
            this.waiting = waiting;
        }

        @Override
        public void proceed(LoopExchange on) throws IOException {
            assertTrue(on.tryHoldInput(2_000));
            assertTrue(on.tryHoldInput(1_000));
            x.send("held");
            waiting.add(on);
        }

        @Override
        public void ended() {}
    }

    @Test
    void memoryThatALoopHandlerCountsIsLetGoAtTheEnd() throws IOException {
        var waiting = new ArrayList<LoopExchange>();
        Handler handler = x -> LoopExchange.begin(x, new Holding(x, waiting));
        server.close();
        server = new MemoryServer(OPTIONS, Router.builder().add("GET", "/hold", handler).build());
        say(server.connect(), get("/hold"));
        server.iterateUntil("it is held", () -> !waiting.isEmpty());
        LoopExchange on = waiting.getFirst();
        assertEquals(1_000, server.engine().inputMemory().bytes());
        server.engine().inputMemory().add(Long.MAX_VALUE / 2);
        assertFalse(on.tryHoldInput(1_001));
        assertTrue(on.tryHoldInput(900));
        server.engine().inputMemory().add(-(Long.MAX_VALUE / 2));
        on.end();
        awaitNothingCollected();
    }
}
