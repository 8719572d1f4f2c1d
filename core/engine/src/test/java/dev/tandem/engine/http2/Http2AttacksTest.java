package dev.tandem.engine.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.engine.MemoryServer;
import dev.tandem.http.Handler;
import dev.tandem.http.Router;
import dev.tandem.http.h2.ErrorCode;
import dev.tandem.http.h2.FrameWriter;
import dev.tandem.http.h2.Settings;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Clients that cost more than they use, in memory, so that GOAWAY is never lost: each gets the
/// right error, while another client is served. [Http2OverSocketsTest] has them over sockets.
@Timeout(60)
class Http2AttacksTest {
    private static final byte[] LARGE = new byte[300_000];
    private static final int BATCHES = 1_100;
    private static final int BATCH = 100;
    private static final int PADDED = 8;
    private static final int PADDING = 100;

    private MemoryServer server;
    private Http2Client client;
    private Http2Client honest;

    @BeforeEach
    void serve() throws IOException {
        Router routes =
                Router.builder()
                        .add("GET", "/now", Handler.nonBlocking(x -> x.send("now")))
                        .add("GET", "/large", x -> x.send(LARGE))
                        .add("POST", "/echo", x -> x.send(x.request().body().readAllBytes()))
                        .build();
        server = new MemoryServer(Options.DEFAULT.withHttp2(h -> h.withStreamsMax(512)), routes);
        client = Http2Client.to(server).roundTrip();
        honest = Http2Client.to(server).roundTrip();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private interface Frames {
        void write() throws IOException;
    }

    private void expectCalm(Frames frames) throws IOException {
        for (int i = 0; i < BATCHES && client.goAway() == null; i++) {
            for (int j = 0; j < BATCH; j++) {
                frames.write();
            }
            client.flush();
            assertEquals("now", honest.fetch("/now").text());
            client.pump();
        }
        client.untilEnd();
        assertEquals(ErrorCode.ENHANCE_YOUR_CALM, client.goAway());
        assertEquals("now", honest.fetch("/now").text());
        assertNull(honest.goAway());
        client.close();
        server.iterateUntil("it is closed", () -> server.connections() == 1);
    }

    private void frame(int length, int type, int flags, int streamId) {
        client.out().putInt(length << 8 | type).put((byte) flags).putInt(streamId);
    }

    /// CVE-2023-44487.
    @Test
    void rapidResetIsEnded() throws IOException {
        expectCalm(
                () -> {
                    int id = client.write("GET", "/large", true);
                    FrameWriter.resetStream(client.out(), id, ErrorCode.CANCEL);
                });
    }

    /// CVE-2025-8671: errors that make this server send the resets, each of another kind.
    @Test
    void resetsThatAClientProvokesAreEnded() throws IOException {
        expectCalm(
                () -> {
                    int id = client.write("POST", "/echo", false);
                    switch (id / 2 % 4) {
                        case 0 -> FrameWriter.data(client.out(), id, 0, true);
                        case 1 -> FrameWriter.windowUpdate(client.out(), id, Integer.MAX_VALUE);
                        case 2 -> {
                            frame(5, 2, 0, id); // PRIORITY: depends on itself
                            client.out().putInt(id).put((byte) 0);
                        }
                        default -> {
                            frame(4, 8, 0, id);
                            client.out().putInt(0); // WINDOW_UPDATE of 0
                        }
                    }
                    if (id / 2 % 4 == 0) {
                        FrameWriter.resetStream(client.out(), id, ErrorCode.CANCEL);
                    }
                });
    }

    @Test
    void pingFloodIsEnded() throws IOException {
        expectCalm(() -> FrameWriter.ping(client.out(), 1, false));
    }

    /// Each SETTINGS changes the windows of all streams.
    @Test
    void settingsFloodIsEnded() throws IOException {
        client.keepWindows();
        for (int i = 0; i < 50; i++) {
            client.write("GET", "/large", true);
        }
        client.flush();
        var size = new int[] {0};
        expectCalm(
                () ->
                        FrameWriter.settings(
                                client.out(),
                                Settings.CLIENT.withInitialWindowSize(size[0]++ & 1)));
    }

    @Test
    void settingsAcknowledgementFloodIsEnded() throws IOException {
        expectCalm(() -> FrameWriter.settingsAck(client.out()));
    }

    @Test
    void priorityFloodIsEnded() throws IOException {
        expectCalm(
                () -> {
                    frame(5, 2, 0, 1);
                    client.out().putInt(3).put((byte) 7);
                });
    }

    @Test
    void priorityUpdateFloodIsEnded() throws IOException {
        var id = new int[] {1};
        expectCalm(
                () -> {
                    frame(7, 16, 0, 0);
                    client.out().putInt(id[0]).put((byte) 'u').put((byte) '=').put((byte) '1');
                    id[0] = id[0] + 2 & 0xFFFFF;
                });
    }

    @Test
    void emptyContentFloodIsEnded() throws IOException {
        int id = client.post("/echo");
        expectCalm(() -> FrameWriter.data(client.out(), id, 0, false));
    }

    @Test
    void paddingFloodIsEnded() throws IOException {
        int id = client.post("/echo");
        expectCalm(
                () -> {
                    frame(1 + PADDING, 0, PADDED, id);
                    client.out().put((byte) PADDING).put(new byte[PADDING]);
                });
    }

    @Test
    void windowUpdateFloodIsEnded() throws IOException {
        expectCalm(() -> FrameWriter.windowUpdate(client.out(), 0, 1));
    }

    @Test
    void unknownFrameFloodIsEnded() throws IOException {
        expectCalm(() -> frame(0, 0xAA, 0, 0));
    }

    /// CVE-2026-33871.
    @Test
    void emptyContinuationFloodIsEnded() throws IOException {
        frame(0, 1, 0, client.nextId());
        expectCalm(() -> frame(0, 9, 0, client.nextId()));
    }

    /// CVE-2024-27316: a block that does not end.
    @Test
    void continuationFloodIsEnded() throws IOException {
        frame(0, 1, 0, client.nextId());
        expectCalm(
                () -> {
                    frame(100, 9, 0, client.nextId());
                    client.out().put(new byte[100]);
                });
    }

    /// Header lists of megabytes from a byte for each header, with closed windows (CVE-2026-49975).
    @Test
    void headerBombIsEnded() throws IOException {
        client.close();
        client = Http2Client.to(server, Settings.CLIENT.withInitialWindowSize(0)).hello();
        String value = "x".repeat(1_900);
        var fields = new ArrayList<String>();
        for (int i = 0; i < 700; i++) {
            fields.add("x-bomb");
            fields.add(value);
        }
        String[] bomb = fields.toArray(String[]::new);
        for (int i = 0; i < 1_000 && client.goAway() == null; i++) {
            client.get("/now", bomb);
            assertEquals("now", honest.fetch("/now").text());
            client.pump();
        }
        client.untilEnd();
        assertEquals(ErrorCode.ENHANCE_YOUR_CALM, client.goAway());
    }

    /// Streams whose windows stay closed: the client pays for each second of each of them.
    @Test
    void connectionOfStalledStreamsIsEnded() throws IOException {
        client.close();
        client = Http2Client.to(server, Settings.CLIENT.withInitialWindowSize(0)).hello();
        for (int i = 0; i < 500; i++) {
            client.write("GET", "/large", true);
        }
        client.flush().roundTrip();
        server.awaitRest();
        client.roundTrip();
        for (int i = 0; i < 90 && client.goAway() == null && !client.isEnded(); i++) {
            server.clock().advance(Duration.ofSeconds(1));
            assertEquals("now", honest.fetch("/now").text());
            client.pump();
        }
        boolean isReset = client.expect(1).reset == ErrorCode.CANCEL;
        boolean isEnded = client.goAway() == ErrorCode.ENHANCE_YOUR_CALM;
        assertTrue(isReset || isEnded, client.expect(1) + " " + client.goAway());
    }

    /// The window of the connection stays closed, so that no stream is blocked by its own: 60
    /// seconds later they are reset, though the ledger's refill pays for them.
    @Test
    void streamsBehindTheConnectionsClosedWindowAreReset() throws IOException {
        client.close();
        client =
                Http2Client.to(server, Settings.CLIENT.withInitialWindowSize(1 << 20))
                        .keepWindows()
                        .hello();
        int first = client.write("GET", "/large", true);
        int second = client.write("GET", "/large", true);
        client.flush();
        client.until("a closed window", () -> received(first) + received(second) == 65_535);
        client.until(
                "both heads",
                () -> client.expect(first).status + client.expect(second).status == 400);
        for (int i = 0; i < 65; i++) {
            server.clock().advance(Duration.ofSeconds(1));
            client.roundTrip();
        }
        assertEquals(ErrorCode.CANCEL, client.response(first).reset);
        assertEquals(ErrorCode.CANCEL, client.response(second).reset);
        assertEquals("now", honest.fetch("/now").text());
    }

    private int received(int id) {
        return client.expect(id).content.size();
    }

    /// Requests whose bodies do not come hold no worker, and are cut off.
    @Test
    void halfOpenStreamsAreCutOff() throws IOException {
        List<Http2Client> clients = new ArrayList<>();
        for (int c = 0; c < 10; c++) {
            Http2Client next = Http2Client.to(server).roundTrip();
            clients.add(next);
            for (int i = 0; i < 500; i++) {
                next.write("POST", "/echo", false);
            }
            next.flush().roundTrip();
        }
        assertEquals(5_000, server.engine().http2().openStreams());
        assertEquals(0, server.engine().workers().size());
        assertEquals("now", honest.fetch("/now").text());
        for (int i = 0; i < 25; i++) {
            server.clock().advance(Duration.ofSeconds(1));
            assertEquals("now", honest.fetch("/now").text());
        }
        for (Http2Client next : clients) {
            assertEquals(ErrorCode.CANCEL, next.response(1).reset);
        }
        assertEquals(0, server.engine().http2().openStreams());
    }

    // ---- Clients that are not attackers.

    @Test
    void bulkClientsAreNotClosed() throws IOException {
        for (int c = 0; c < 16; c++) {
            try (Http2Client bulk = Http2Client.to(server).roundTrip()) {
                var ids = new ArrayList<Integer>();
                for (int i = 0; i < 512; i++) {
                    ids.add(bulk.write("GET", "/now", true));
                }
                bulk.flush();
                for (int id : ids) {
                    assertEquals("now", bulk.response(id).text());
                }
                assertNull(bulk.goAway());
            }
        }
    }

    /// A browser that leaves a page resets all of its parts, and loads the next one.
    @Test
    void pageOf300PartsThatIsLeftAgainAndAgainIsNotClosed() throws IOException {
        for (int page = 0; page < 3; page++) {
            var ids = new ArrayList<Integer>();
            for (int i = 0; i < 300; i++) {
                ids.add(client.write("GET", "/now", true, "priority", "u=" + i % 8));
            }
            client.flush();
            for (int id : ids.subList(0, 50)) {
                assertEquals("now", client.response(id).text());
            }
            for (int id : ids.subList(50, 300)) {
                FrameWriter.resetStream(client.out(), id, ErrorCode.CANCEL);
            }
            client.flush().roundTrip();
        }
        assertEquals("now", client.fetch("/now").text());
        assertNull(client.goAway());
    }
}
