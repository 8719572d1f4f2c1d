package dev.tandem.engine.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
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
import dev.tandem.http.h2.ErrorCode;
import dev.tandem.http.h2.FrameWriter;
import dev.tandem.http.h2.Settings;
import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.Patience;
import java.io.IOException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Channels of events over HTTP/2.
@Timeout(60)
class Http2FeedTest {
    private static final int WINDOW = 65_535;
    private static final byte[] LARGE = new byte[200_000];

    private final EventChannel channel = EventChannel.of(EventOptions.DEFAULT);
    private final EventChannel narrow =
            EventChannel.of(EventOptions.DEFAULT.withReplayEventsMax(0).withUnsentMax(10_000));
    private final Queue<AccessLog.Entry> entries = new ConcurrentLinkedQueue<>();
    private final MemoryServer server =
            new MemoryServer(
                    Options.DEFAULT.withThreads(t -> t.withWorkersMax(1)),
                    Router.builder()
                            .add("GET", "/events", channel::subscribe)
                            .add("GET", "/narrow", narrow::subscribe)
                            .add("GET", "/broken", this::failing)
                            .add("GET", "/unclosable", Http2FeedTest::sendUnclosable)
                            .add("GET", "/large", x -> x.send(LARGE))
                            .add("GET", "/hello", x -> x.send("Hello, World!"))
                            .build(),
                    ErrorPage.PLAIN,
                    entries::add);
    private Http2Client client;

    @BeforeEach
    void connect() throws IOException {
        client = Http2Client.to(server);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private void failing(Exchange x) throws IOException {
        channel.subscribe(x);
        throw new IllegalStateException("after the response began");
    }

    private static void untilText(Http2Client client, int id, String wanted) throws IOException {
        client.until(wanted, () -> client.expect(id).text().contains(wanted));
    }

    private static int subscribe(Http2Client client, String path) throws IOException {
        int id = client.get(path);
        untilText(client, id, "retry: ");
        return id;
    }

    private int subscribe() throws IOException {
        return subscribe(client, "/events");
    }

    private void pass(Duration time) throws IOException {
        server.clock().advance(time);
        client.roundTrip();
    }

    /// Passes the time in which a client must accept something.
    private void passUntilReset(Http2Client client, int id) throws IOException {
        long seconds = Options.DEFAULT.timeouts().writeStall().toSeconds();
        for (int i = 0; i < seconds - 1; i++) {
            server.clock().advance(Duration.ofSeconds(1));
            client.roundTrip();
        }
        assertNull(client.expect(id).reset);
        for (int i = 0; i < 3; i++) {
            server.clock().advance(Duration.ofSeconds(1));
            client.roundTrip();
        }
        assertEquals(ErrorCode.CANCEL, client.expect(id).reset);
    }

    private static void enlarge(Http2Client client, int id, int size) throws IOException {
        FrameWriter.windowUpdate(client.out(), id, size);
        client.flush();
    }

    // ---- Events.

    @Test
    void eventsAreSentInOneFrame() throws IOException {
        int id = subscribe();
        for (int i = 0; i < 10; i++) {
            channel.publish("event " + i);
        }
        client.events().clear();
        untilText(client, id, "data: event 9\n\n");
        long frames = client.events().stream().filter(e -> e.startsWith(id + ":")).count();
        assertEquals(1, frames, client.events().toString());
        assertEquals("text/event-stream", client.expect(id).headers.first("content-type"));
        channel.close();
        assertNull(client.response(id).reset);
        assertEquals(0, server.engine().feeds().open());
    }

    @Test
    void manyMoreBytesThanAFrameAreSent() throws IOException {
        int id = subscribe();
        for (int i = 0; i < 200; i++) {
            channel.publish(i + "x".repeat(1000));
        }
        untilText(client, id, "data: 199x");
        channel.close();
        String text = client.response(id).text();
        for (int i = 0; i < 200; i++) {
            assertTrue(text.contains("data: " + i + "x"), "event " + i);
        }
    }

    @Test
    void silentStreamHasNoWorker() throws IOException {
        for (int i = 0; i < 50; i++) {
            subscribe();
        }
        server.awaitRest();
        assertEquals("Hello, World!", client.fetch("/hello").text()); // by the only one
        assertEquals(50, server.engine().feeds().open());
        assertEquals(0, server.engine().dispatcher().admission().counters().detached());
    }

    @Test
    void headIsNotASubscription() throws IOException {
        int id = client.write("HEAD", "/events", true);
        client.flush();
        assertEquals("", client.response(id).text());
        Patience.until("no subscriber", () -> channel.subscriberCount() == 0);
    }

    // ---- The client.

    @Test
    void resetIsNoticedWhileSilent() throws IOException {
        int id = subscribe();
        client.reset(id, ErrorCode.CANCEL).roundTrip();
        assertEquals(0, channel.subscriberCount());
        AccessLog.Entry entry = entries.remove();
        assertEquals(200, entry.status());
        assertEquals(id, entry.streamId());
        assertTrue(entry.bodyBytes() > 10, entry::toString);
        assertEquals("Hello, World!", client.fetch("/hello").text());
    }

    private static void sendUnclosable(Exchange x) throws IOException {
        x.send(new Body.Feed(new byte[1], new Unclosable()));
    }

    /// Content of an application with a defect.
    private static final class Unclosable implements Body.FeedSource {
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
            throw new IllegalStateException("on purpose");
        }
    }

    private int openUnclosable() throws IOException {
        int id = client.get("/unclosable");
        client.until("content", () -> client.expect(id).content.size() == 1);
        return id;
    }

    @Test
    void failureToCloseAFeedEndsItsStreamAlone() throws IOException {
        try (LogCapture _ = LogCapture.of("dev.tandem.engine")) {
            client.reset(openUnclosable(), ErrorCode.CANCEL).roundTrip();
            assertEquals("Hello, World!", client.fetch("/hello").text());
            client.until("it is freed", () -> server.engine().inputMemory().bytes() == 0);
        }
    }

    @Test
    void failureToCloseAFeedKeepsNoOthersOpen() throws IOException {
        try (LogCapture _ = LogCapture.of("dev.tandem")) {
            for (int i = 0; i < 3; i++) {
                openUnclosable();
            }
            client.close();
            server.iterateUntil("it is closed", () -> server.connections() == 0);
            assertEquals(0, server.engine().feeds().open());
            server.iterateUntil(
                    "what its workers held is freed",
                    () -> server.engine().inputMemory().bytes() == 0);
        }
    }

    @Test
    void disconnectEndsAllStreams() throws IOException {
        subscribe();
        subscribe();
        client.close();
        server.iterateUntil("all ended", () -> channel.subscriberCount() == 0);
        assertEquals(2, entries.size());
    }

    @Test
    void handlerThatFailsAfterwardsResetsTheStream() throws IOException {
        try (LogCapture log = LogCapture.of("dev.tandem.engine")) {
            int id = client.get("/broken");
            assertEquals(ErrorCode.INTERNAL_ERROR, client.response(id).reset);
            assertEquals(1, log.messages(_ -> true).size());
        }
        assertEquals(0, channel.subscriberCount());
    }

    // ---- Slow clients.

    @Test
    void streamThatIsNotReadIsReset() throws IOException {
        client.keepWindows();
        int slow = subscribe();
        for (int i = 0; i < 100; i++) {
            channel.publish("x".repeat(1000));
        }
        client.roundTrip();
        passUntilReset(client, slow);
        assertEquals(1, server.engine().feeds().slowTotal());
        assertEquals("Hello, World!", client.fetch("/hello").text());
    }

    @Test
    void streamThatIsTooFarBehindIsReset() throws IOException {
        client.keepWindows();
        int slow = subscribe(client, "/narrow");
        for (int i = 0; i < 60; i++) {
            narrow.publish("x".repeat(1000));
            client.roundTrip();
        }
        assertEquals(ErrorCode.CANCEL, client.response(slow).reset);
        assertEquals(0, narrow.subscriberCount());
        assertEquals("Hello, World!", client.fetch("/hello").text());
    }

    /// Neither of them is read by its page, though the client accepts what is sent.
    @Test
    void streamsOfEventsThatAreNotReadLeaveHalfOfTheWindow() throws IOException {
        client.keepWindows();
        int one = subscribe();
        int other = subscribe();
        for (int i = 0; i < 100; i++) {
            channel.publish("x".repeat(1000));
        }
        int half = WINDOW / 2;
        client.until(
                "half of the window",
                () ->
                        client.expect(one).content.size() + client.expect(other).content.size()
                                >= half);
        client.roundTrip();
        int sent = client.expect(one).content.size() + client.expect(other).content.size();
        assertEquals(half, sent);
        int large = client.get("/large");
        client.until("the other half", () -> client.expect(large).content.size() == WINDOW - half);
        while (!client.expect(large).isOver()) {
            int before = client.expect(large).content.size();
            FrameWriter.windowUpdate(client.out(), large, WINDOW / 2);
            enlarge(client, 0, WINDOW / 2);
            client.until(
                    "more",
                    () ->
                            client.expect(large).isOver()
                                    || client.expect(large).content.size() > before);
        }
        assertEquals(LARGE.length, client.expect(large).content.size());
    }

    /// A client that enlarges windows when half of them is used never waits for another event.
    @Test
    void eventsPassWindowsThatAreEnlargedLate() throws IOException {
        client.keepWindows();
        int[] ids = {subscribe(), subscribe(), subscribe()};
        var enlarged = new int[ids.length + 1];
        for (int i = 0; i < 600; i++) {
            channel.publish(i + "x".repeat(500));
            String wanted = "data: " + i + "x";
            for (int id : ids) {
                client.until(
                        wanted,
                        () -> {
                            enlargeLate(ids, enlarged);
                            return client.expect(id).text().contains(wanted);
                        });
            }
        }
        assertEquals(3, channel.subscriberCount());
    }

    private void enlargeLate(int[] ids, int[] enlarged) {
        int all = 0;
        for (int i = 0; i < ids.length; i++) {
            int received = client.expect(ids[i]).content.size();
            all += received;
            enlargeLate(ids[i], received, enlarged, i);
        }
        enlargeLate(0, all, enlarged, ids.length);
    }

    private void enlargeLate(int id, int received, int[] enlarged, int at) {
        int used = received - enlarged[at];
        if (used >= WINDOW / 2) {
            enlarged[at] = received;
            FrameWriter.windowUpdate(client.out(), id, used);
        }
    }

    /// A second connection gets each event at once.
    @Test
    void slowConnectionDelaysNoOther() throws IOException {
        Http2Client slow = Http2Client.to(server, Settings.CLIENT.withInitialWindowSize(0)).hello();
        slow.keepWindows();
        int unread = slow.get("/events");
        slow.until("its head", () -> slow.expect(unread).status == 200);
        int id = subscribe();
        channel.publish("now");
        untilText(client, id, "data: now");
        assertEquals(0, slow.expect(unread).content.size());
        slow.close();
    }

    // ---- Heartbeats.

    @Test
    void silentStreamGetsAComment() throws IOException {
        int id = subscribe();
        pass(Duration.ofSeconds(10));
        int later = subscribe();
        int before = client.expect(later).content.size();
        pass(Duration.ofSeconds(6));
        untilText(client, id, "\n\n:\n\n");
        assertEquals(before, client.expect(later).content.size());
        pass(Duration.ofSeconds(10));
        untilText(client, later, "\n\n:\n\n");
        assertFalse(client.expect(id).text().endsWith(":\n\n:\n\n"), client.expect(id).text());
    }

    /// What has a time limit is checked while a stream is open.
    @Test
    void stalledStreamIsNoticedWhileAnotherIsSilent() throws IOException {
        Http2Client tight =
                Http2Client.to(server, Settings.CLIENT.withInitialWindowSize(10_000)).hello();
        subscribe(tight, "/events");
        tight.roundTrip();
        tight.keepWindows();
        int large = tight.get("/large");
        tight.until("its part", () -> tight.expect(large).content.size() == 10_000);
        passUntilReset(tight, large);
        tight.close();
    }

    // ---- The end of the server.

    @Test
    void stoppingServerEndsStreamsBehindWhatWasPublished() throws IOException {
        int id = subscribe();
        channel.publish("last");
        server.engine().beginToStop();
        server.loop().announceStop();
        assertTrue(client.response(id).text().endsWith("data: last\n\n"));
        assertNull(client.response(id).reset);
        client.untilEnd();
        assertEquals(ErrorCode.NO_ERROR, client.goAway());
        assertEquals(0, channel.subscriberCount());
    }

    @Test
    void connectionThatIsToEndEndsItsStreams() throws IOException {
        int id = subscribe();
        server.loop().announceEnd();
        assertTrue(client.response(id).isEnded);
        client.untilEnd();
    }
}
