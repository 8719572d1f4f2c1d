package dev.tandem.engine.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.engine.MemoryBudget;
import dev.tandem.engine.MemoryServer;
import dev.tandem.engine.ReadyHandler;
import dev.tandem.http.EventChannel;
import dev.tandem.http.Router;
import dev.tandem.http.h2.ErrorCode;
import dev.tandem.http.h2.Settings;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Heads of requests that are not over count as their clients' input: of each stream the server
/// keeps some kilobytes, for which a client sends a few bytes where they name a header of before.
@Timeout(60)
class HeadMemoryTest {
    private static final int LENGTH = 4_000;
    private static final int CRUMBS = 3;
    private static final int STREAMS = 10;
    private static final long MOST = Runtime.getRuntime().maxMemory() / 16;

    private final EventChannel events = EventChannel.of();
    private MemoryServer server;

    @BeforeEach
    void serve() {
        Router routes =
                Router.builder()
                        .add("POST", "/echo", x -> x.send(x.request().body().readAllBytes()))
                        .add("GET", "/page", x -> x.send("page"))
                        .add("GET", "/prepared", new ReadyHandler())
                        .add("GET", "/events", events::subscribe)
                        .build();
        server = new MemoryServer(Options.DEFAULT, routes);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private MemoryBudget budget() {
        return server.engine().inputMemory();
    }

    /// Begins a request whose cookie is the same crumb several times.
    private static int begin(Http2Client client) throws IOException {
        String crumb = "a=" + "x".repeat(LENGTH);
        return client.write(
                "POST", "/echo", false, "cookie", crumb, "cookie", crumb, "cookie", crumb);
    }

    @Test
    void headsOfRequestsWithoutTheirBodiesCountUntilTheConnectionCloses() throws IOException {
        Http2Client client = Http2Client.to(server);
        for (int i = 0; i < STREAMS; i++) {
            begin(client);
        }
        client.flush();
        int held = STREAMS * CRUMBS * LENGTH;
        server.iterateUntil("all are held", () -> budget().bytes() >= held);
        client.close();
        server.iterateUntil("they are let go", () -> budget().bytes() == 0);
    }

    @Test
    void headsOfCompleteRequestsCountNoMore() throws IOException {
        Http2Client client = Http2Client.to(server);
        assertEquals("page", client.fetch("/page").text());
        int id = begin(client);
        client.data(id, "x", true);
        assertEquals("x", client.response(id).text());
        server.iterateUntil("they are let go", () -> budget().bytes() == 0);
        client.close();
    }

    /// A header block of 20,000 bytes without its end.
    private static void beginBlock(Http2Client client) throws IOException {
        ByteBuffer out = client.out();
        out.putInt(10_000 << 8 | 1).put((byte) 0).putInt(1).put(new byte[10_000]);
        out.putInt(10_000 << 8 | 9).put((byte) 0).putInt(1).put(new byte[10_000]);
        client.flush();
    }

    @Test
    void incompleteHeadCountsUntilTheConnectionCloses() throws IOException {
        Http2Client client = Http2Client.to(server);
        beginBlock(client);
        server.iterateUntil("it is held", () -> budget().bytes() >= 20_000);
        client.close();
        server.iterateUntil("it is let go", () -> budget().bytes() == 0);
    }

    @Test
    void incompleteHeadEndsItsConnectionWithoutMemory() throws IOException {
        budget().add(Long.MAX_VALUE / 2);
        Http2Client client = Http2Client.to(server);
        beginBlock(client);
        client.untilEnd();
        assertEquals(ErrorCode.ENHANCE_YOUR_CALM, client.goAway());
    }

    /// A target that is not one of many requests is kept by each, however few bytes name it.
    @Test
    void requestsWhoseResponsesWaitCount() throws IOException {
        Settings closed = Settings.CLIENT.withInitialWindowSize(0);
        Http2Client client = Http2Client.to(server, closed).hello().keepWindows();
        String path = "/page?" + "q".repeat(LENGTH);
        int last = 0;
        for (int i = 0; i < STREAMS; i++) {
            last = client.write("GET", path, true);
        }
        client.flush();
        int id = last;
        client.until("a head", () -> client.expect(id).status == 200);
        server.awaitRest();
        assertTrue(budget().bytes() >= STREAMS * (LENGTH + 1_000), budget().bytes() + " bytes");
        client.close();
        server.iterateUntil("they are let go", () -> budget().bytes() == 0);
    }

    @Test
    void preparedResponsesThatWaitCount() throws IOException {
        Settings closed = Settings.CLIENT.withInitialWindowSize(0);
        Http2Client client = Http2Client.to(server, closed).hello().keepWindows();
        for (int i = 0; i < STREAMS; i++) {
            client.write("GET", "/prepared", true);
        }
        client.flush();
        server.iterateUntil("they count", () -> budget().bytes() >= STREAMS * 1_000);
        client.close();
        server.iterateUntil("they are let go", () -> budget().bytes() == 0);
    }

    /// A client names it by one byte, and the subscription lasts for hours.
    @Test
    void targetsOfSubscriptionsCount() throws IOException {
        Http2Client client = Http2Client.to(server);
        String target = "/events?" + "q".repeat(LENGTH);
        for (int i = 0; i < STREAMS; i++) {
            client.write("GET", target, true, "x", "x".repeat(2 * LENGTH));
        }
        client.flush();
        long all = 2L * STREAMS * target.length();
        server.iterateUntil("their targets alone count", () -> budget().bytes() == all);
        assertEquals(STREAMS, events.subscriberCount());
        client.close();
        server.iterateUntil("they are let go", () -> budget().bytes() == 0);
    }

    /// All that are received at once are looked at before the first of them is sent.
    @Test
    void preparedResponsesThatWaitAreRefusedWithoutRoom() throws IOException {
        budget().add(2 * MOST);
        Settings closed = Settings.CLIENT.withInitialWindowSize(0);
        Http2Client client = Http2Client.to(server, closed).hello().keepWindows();
        int last = 0;
        for (int i = 0; i < 30; i++) {
            last = client.write("GET", "/prepared", true);
        }
        client.flush();
        assertEquals(ErrorCode.REFUSED_STREAM, client.response(last).reset);
        assertNull(client.expect(1).reset);
        client.close();
    }

    /// Nothing of it has run, so that its client may repeat it (RFC 9113, section 8.7).
    @Test
    void connectionThatHoldsItsShareIsRefusedMoreWithoutRoom() throws IOException {
        budget().add(MOST);
        Http2Client client = Http2Client.to(server);
        int id = 0;
        for (int i = 0; i < STREAMS; i++) {
            id = begin(client);
        }
        client.flush();
        assertEquals(ErrorCode.REFUSED_STREAM, client.response(id).reset);
        assertNull(client.fetch("/page").reset, "it is soon over");
        budget().add(MOST);
        assertEquals(ErrorCode.REFUSED_STREAM, client.fetch("/page").reset);
        client.close();
    }

    /// However much others hold.
    @Test
    void connectionThatHoldsLittleIsServedWithoutRoom() throws IOException {
        budget().add(2 * MOST);
        Http2Client client = Http2Client.to(server);
        assertEquals("page", client.fetch("/page").text());
        int id = client.post("/echo");
        client.data(id, new byte[10_000], true);
        assertEquals(10_000, client.response(id).content.size());
        int large = client.post("/echo");
        client.data(large, new byte[20_000], false);
        assertEquals(ErrorCode.REFUSED_STREAM, client.response(large).reset);
        client.close();
    }

    /// Else thousands of connections with a long head each, of which a client names the same field
    /// again and again, fill the heap.
    @Test
    void longHeadsOfFirstRequestsAreRefusedWithoutMemory() throws IOException {
        budget().add(3 * MOST);
        Http2Client client = Http2Client.to(server);
        assertEquals("page", client.fetch("/page").text());
        int id = client.post("/echo");
        client.data(id, new byte[10_000], true);
        assertEquals(10_000, client.response(id).content.size());
        server.iterateUntil("that is over", () -> budget().bytes() == 3 * MOST);
        int head = begin(client);
        client.flush();
        assertEquals(ErrorCode.REFUSED_STREAM, client.response(head).reset);
        budget().add(MOST);
        assertEquals("page", client.fetch("/page").text());
        int body = client.post("/echo");
        client.data(body, new byte[5_000], false);
        assertEquals(ErrorCode.REFUSED_STREAM, client.response(body).reset);
        client.close();
    }
}
