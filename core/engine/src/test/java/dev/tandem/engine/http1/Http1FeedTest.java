package dev.tandem.engine.http1;

import static dev.tandem.engine.http1.WireCases.HELLO;
import static dev.tandem.engine.http1.WireCases.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.AccessLog;
import dev.tandem.ErrorPage;
import dev.tandem.Options;
import dev.tandem.engine.MemoryServer;
import dev.tandem.http.Body;
import dev.tandem.http.EventChannel;
import dev.tandem.http.EventOptions;
import dev.tandem.http.Exchange;
import dev.tandem.http.Router;
import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.MemoryPipe;
import dev.tandem.testkit.WireText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Channels of events over HTTP/1.1 and 1.0.
@Timeout(60)
class Http1FeedTest {
    private static final EventOptions OPTIONS =
            EventOptions.DEFAULT.withReplayEventsMax(0).withUnsentMax(10_000);

    private final EventChannel channel = EventChannel.of(OPTIONS);
    private final EventChannel replaying = EventChannel.of();
    private final CountDownLatch release = new CountDownLatch(1);
    private final Queue<AccessLog.Entry> entries = new ConcurrentLinkedQueue<>();
    private final AtomicInteger closed = new AtomicInteger();
    private final MemoryServer server =
            new MemoryServer(
                    Options.DEFAULT.withThreads(t -> t.withWorkersMax(1)),
                    Router.builder()
                            .add("GET", "/events", channel::subscribe)
                            .add("GET", "/replayed", replaying::subscribe)
                            .add("GET", "/broken", this::failing)
                            .add("GET", "/late", this::returningLate)
                            .add("GET", "/fails/{where}", this::failingSource)
                            .add("GET", "/hello", x -> x.send("Hello, World!"))
                            .build(),
                    ErrorPage.PLAIN,
                    entries::add);

    @AfterEach
    void stop() {
        server.close();
    }

    private void failing(Exchange x) throws IOException {
        channel.subscribe(x);
        throw new IllegalStateException("after the response began");
    }

    private void failingSource(Exchange x) throws IOException {
        x.send(new Body.Feed(new byte[0], new Failing(x.pathParam("where"))));
    }

    /// Content without an end, of which one method fails.
    private final class Failing implements Body.FeedSource {
        private final String where;

        Failing(String where) {
            this.where = where;
        }

        private void failIf(String method) {
            if (where.equals(method)) {
                throw new IllegalStateException("on purpose");
            }
        }

        @Override
        public void begin(Body.FeedOutput to) {}

        @Override
        public byte @Nullable [] next() {
            return null;
        }

        @Override
        public boolean isOver() {
            return false;
        }

        @Override
        public boolean isTooFarBehind() {
            return false;
        }

        @Override
        public long silenceMaxNanos() {
            failIf("silence");
            return 0;
        }

        @Override
        public byte[] filler() {
            return new byte[1];
        }

        @Override
        public void end() {}

        @Override
        public void close() {
            closed.incrementAndGet();
            failIf("close");
        }
    }

    private void returningLate(Exchange x) throws Exception {
        channel.subscribe(x);
        assertTrue(release.await(20, TimeUnit.SECONDS));
    }

    /// What a client has received, without the framing of chunks.
    private final class Client {
        final MemoryPipe pipe;
        final StringBuilder raw = new StringBuilder();
        boolean isEnded;

        Client(MemoryPipe pipe, String request) throws IOException {
            this.pipe = pipe;
            byte[] bytes = WireText.bytes(request);
            assertEquals(bytes.length, pipe.toServer().offer(bytes, 0, bytes.length));
        }

        String text() {
            return raw.toString();
        }

        /// Takes what has come, byte by byte if the pipe is small.
        boolean read() {
            var bytes = new byte[4096];
            try {
                for (int n = pipe.toClient().take(bytes, 0, bytes.length);
                        n != 0;
                        n = pipe.toClient().take(bytes, 0, bytes.length)) {
                    if (n < 0) {
                        isEnded = true;
                        return true;
                    }
                    raw.append(new String(bytes, 0, n, StandardCharsets.UTF_8));
                }
            } catch (IOException e) {
                isEnded = true;
            }
            return isEnded;
        }

        Client until(String what, Predicate<String> holds) throws IOException {
            server.iterateUntil(
                    what + " in " + this,
                    () -> {
                        read();
                        return holds.test(text());
                    });
            return this;
        }

        Client untilText(String wanted) throws IOException {
            return until(wanted, text -> text.contains(wanted));
        }

        Client untilEnd() throws IOException {
            return until("the end", _ -> isEnded);
        }

        @Override
        public String toString() {
            return raw + (isEnded ? "(end)" : "");
        }
    }

    @Test
    void sourceThatFailsBeforeItBeginsIsClosed() throws IOException {
        try (var _ = LogCapture.of("dev.tandem")) {
            new Client(server.connect(), get("/fails/silence")).untilEnd();
            assertEquals(1, closed.get());
        }
    }

    @Test
    void responseWhoseSourceFailsToCloseIsLogged() throws IOException {
        try (var _ = LogCapture.of("dev.tandem")) {
            var client = new Client(server.connect(), get("/fails/close"));
            client.untilText("200 OK");
            client.pipe.toServer().end();
            server.iterateUntil("it is logged", () -> !entries.isEmpty());
            assertEquals("/fails/close", entries.element().target());
        }
    }

    private Client subscribe(int window) throws IOException {
        var client = new Client(server.connect(window), get("/events"));
        return client.untilText("retry: ");
    }

    private Client subscribe() throws IOException {
        return subscribe(4096);
    }

    private void untilSubscribers(int count) throws IOException {
        server.iterateUntil(count + " subscribers", () -> channel.subscriberCount() == count);
    }

    private void pass(Duration time) throws IOException {
        server.clock().advance(time);
        server.iterate();
    }

    // ---- Events.

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 100, 4096})
    void eventsAreSentAsChunks(int window) throws IOException {
        Client client = subscribe(window);
        channel.publish("one");
        channel.publish("price", "2");
        client.untilText("event: price\ndata: 2\n\n\r\n");
        assertTrue(client.text().startsWith("HTTP/1.1 200 OK\r\n"), client.text());
        assertTrue(client.text().contains("\r\nTransfer-Encoding: chunked\r\n"), client.text());
        assertTrue(client.text().contains("\r\nConnection: close\r\n"), client.text());
        assertTrue(client.text().contains("\r\nb\r\ndata: one\n\n\r\n"), client.text());
        channel.close();
        client.untilEnd();
        assertTrue(client.text().endsWith("\r\n0\r\n\r\n"), client.text());
    }

    @Test
    void silentClientHasNoWorker() throws IOException {
        subscribe();
        subscribe();
        server.awaitRest();
        assertEquals(HELLO, server.ask(server.connect(), get("/hello"), HELLO)); // by the only one
        assertEquals(2, server.engine().feeds().open());
        assertEquals(0, server.engine().dispatcher().admission().counters().detached());
    }

    /// The head and what is published are sent when the handler has returned.
    @Test
    void handlerMayReturnLate() throws IOException {
        var client = new Client(server.connect(), get("/late"));
        untilSubscribers(1);
        channel.publish("meanwhile");
        release.countDown();
        client.untilText("data: meanwhile\n\n");
    }

    @Test
    void contentOfHttp10EndsWithTheConnection() throws IOException {
        var client =
                new Client(server.connect(), "GET /events HTTP/1.0\nConnection: keep-alive\n\n");
        client.untilText("retry: ");
        channel.publish("one");
        channel.close();
        client.untilEnd();
        assertFalse(client.text().contains("chunked"), client.text());
        assertTrue(client.text().endsWith("\n\ndata: one\n\n"), client.text());
    }

    @Test
    void headIsNotASubscription() throws IOException {
        String both = get("/events").replace("GET", "HEAD") + get("/hello");
        Client client = new Client(server.connect(), both).untilText("Hello, World!");
        assertTrue(client.text().contains("\r\nContent-Type: text/event-stream\r\n"));
        assertFalse(client.text().contains("retry"), client.text());
        assertEquals(0, channel.subscriberCount());
        assertEquals(0, server.engine().feeds().open());
    }

    @Test
    void subscriberResumes() throws IOException {
        var first = new Client(server.connect(), get("/replayed")).untilText("id: ");
        String id = first.text().replaceAll("(?s).*\nid: ([^\n]*)\n.*", "$1");
        first.pipe.toServer().end();
        replaying.publish("missed by it");
        String request = "GET /replayed HTTP/1.1\nHost: a\nLast-Event-ID: " + id + "\n\n";
        Client again = new Client(server.connect(), request).untilText("data: missed by it");
        assertFalse(again.text().contains("event: missed"), again.text());
    }

    // ---- Disconnects.

    @Test
    void disconnectIsNoticedWhileSilent() throws IOException {
        Client client = subscribe();
        client.pipe.toServer().end();
        untilSubscribers(0);
        server.iterateUntil("it is closed", () -> server.connections() == 0);
        AccessLog.Entry entry = entries.remove();
        assertEquals("/events", entry.target());
        assertEquals(200, entry.status());
        assertTrue(entry.bodyBytes() > 10, entry::toString);
    }

    /// Else a stop waits for a connection that is gone.
    @Test
    void connectionIsCountedNoMoreThoughTheLogFails() throws IOException {
        Router routes = Router.builder().add("GET", "/events", channel::subscribe).build();
        AccessLog failing =
                _ -> {
                    throw new IllegalStateException("on purpose");
                };
        try (var log = LogCapture.of("dev.tandem");
                var other = new MemoryServer(Options.DEFAULT, routes, ErrorPage.PLAIN, failing)) {
            MemoryPipe pipe = other.connect();
            byte[] request = WireText.bytes(get("/events"));
            pipe.toServer().offer(request, 0, request.length);
            other.iterateUntil("it has begun", () -> pipe.toClient().size() > 0);
            pipe.toServer().end();
            other.iterateUntil("it is closed", () -> other.connections() == 0);
            assertEquals(0, channel.subscriberCount());
            assertFalse(log.lines().isEmpty());
        }
    }

    @Test
    void disconnectIsNoticedWhileOutputWaits() throws IOException {
        Client client = subscribe(64);
        channel.publish("x".repeat(1000));
        server.iterateUntil("it is full", () -> client.pipe.toClient().size() == 64);
        client.pipe.toServer().end();
        untilSubscribers(0);
    }

    @Test
    void resetIsNoticed() throws IOException {
        Client client = subscribe();
        client.pipe.reset();
        untilSubscribers(0);
    }

    @Test
    void furtherInputIsDropped() throws IOException {
        var client = new Client(server.connect(), get("/events") + get("/hello"));
        client.untilText("retry: ");
        byte[] more = WireText.bytes(get("/hello"));
        client.pipe.toServer().offer(more, 0, more.length);
        channel.publish("one");
        client.untilText("data: one");
        channel.close();
        client.untilText("\r\n0\r\n\r\n");
        client.pipe.toServer().end(); // until then, the server lingers
        client.untilEnd();
        assertFalse(client.text().contains("Hello"), client.text());
    }

    @Test
    void handlerThatFailsAfterwardsEndsTheResponse() throws IOException {
        try (LogCapture log = LogCapture.of("dev.tandem.engine")) {
            var client = new Client(server.connect(), get("/broken")).untilEnd();
            assertFalse(client.text().contains("\r\n0\r\n"), client.text());
            assertEquals(1, log.messages(_ -> true).size());
        }
        untilSubscribers(0);
        assertEquals(1, entries.size());
    }

    // ---- Slow clients.

    @Test
    void clientThatAcceptsNothingIsDisconnected() throws IOException {
        Client slow = subscribe(64);
        Client other = subscribe();
        channel.publish("x".repeat(1000));
        server.iterateUntil("it is full", () -> slow.pipe.toClient().size() == 64);
        other.untilText("xxx");
        Duration stall = Options.DEFAULT.timeouts().writeStall();
        pass(stall.minusSeconds(1));
        assertEquals(2, channel.subscriberCount());
        pass(Duration.ofSeconds(3));
        untilSubscribers(1);
        assertEquals(1, server.engine().feeds().slowTotal());
        channel.publish("after");
        other.untilText("after");
    }

    /// It accepts something in time, again and again.
    @Test
    void clientThatIsTooFarBehindIsDisconnected() throws IOException {
        Client slow = subscribe(64);
        Client other = subscribe();
        for (int i = 0; i < 40; i++) {
            channel.publish("x".repeat(1000));
            other.until("event " + i, _ -> !other.isEnded);
            slow.pipe.toClient().take(new byte[10], 0, 10);
            server.iterate();
        }
        assertEquals(1, channel.subscriberCount());
        channel.publish("after");
        other.untilText("after");
        assertEquals(1, server.engine().feeds().slowTotal());
    }

    @Test
    void clientThatCatchesUpStays() throws IOException {
        Client slow = subscribe(64);
        for (int i = 0; i < 5; i++) {
            channel.publish("x".repeat(9_000));
            int number = i;
            slow.until("event " + i, text -> text.length() > (number + 1) * 9_000);
            pass(Duration.ofSeconds(10));
        }
        assertEquals(1, channel.subscriberCount());
    }

    // ---- Heartbeats.

    @Test
    void silentClientGetsAComment() throws IOException {
        Client client = subscribe();
        for (int i = 0; i < 3; i++) {
            int before = client.text().length();
            pass(Duration.ofSeconds(14));
            client.read();
            assertEquals(before, client.text().length());
            pass(Duration.ofSeconds(2));
            client.until("a comment", text -> text.length() > before);
            assertTrue(client.text().endsWith("\r\n3\r\n:\n\n\r\n"), client.text());
        }
    }

    @Test
    void clientThatGetsEventsGetsNoComment() throws IOException {
        Client client = subscribe();
        for (int i = 0; i < 10; i++) {
            pass(Duration.ofSeconds(8));
            channel.publish("event " + i);
            client.untilText("event " + i);
        }
        assertFalse(client.text().contains("\n:\n"), client.text());
    }

    // ---- The end of the server.

    @Test
    void stoppingServerEndsTheResponse() throws IOException {
        Client client = subscribe();
        channel.publish("last");
        server.engine().beginToStop();
        server.loop().announceStop();
        client.untilEnd();
        assertTrue(client.text().endsWith("data: last\n\n\r\n0\r\n\r\n"), client.text());
        assertEquals(0, channel.subscriberCount());
    }

    @Test
    void responseThatBeginsWhileTheServerStopsEnds() throws IOException {
        var client = new Client(server.connect(), get("/late"));
        untilSubscribers(1);
        server.engine().beginToStop();
        server.loop().announceStop();
        release.countDown();
        client.untilEnd();
        assertTrue(client.text().endsWith("\r\n0\r\n\r\n"), client.text());
    }
}
