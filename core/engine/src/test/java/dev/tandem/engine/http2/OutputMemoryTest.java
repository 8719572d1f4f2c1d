package dev.tandem.engine.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.engine.MemoryBudget;
import dev.tandem.engine.MemoryServer;
import dev.tandem.engine.ResponseTail;
import dev.tandem.http.Body;
import dev.tandem.http.Handler;
import dev.tandem.http.Router;
import dev.tandem.http.h2.ErrorCode;
import dev.tandem.http.h2.FrameWriter;
import dev.tandem.http.h2.Settings;
import dev.tandem.net.IoBuffer;
import dev.tandem.net.Socket;
import dev.tandem.testkit.MemoryPipe;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Responses that clients do not accept count in one budget, of all connections.
@Timeout(60)
class OutputMemoryTest {
    /// A client accepts 64 KiB of all streams together without a window update.
    private static final int LENGTH = 60_000;

    /// What the pipe of a client takes that reads nothing.
    private static final int PIPE = 16_384;

    private static final int STREAMS = 5;
    private static final int KERNEL_MAX = 32_768;
    private static final long MOST = Runtime.getRuntime().maxMemory() / 16;

    /// Too much, but less than what ends connections.
    private static final long OTHERS = 2 * MOST;

    private final AtomicInteger sent = new AtomicInteger();
    private MemoryServer server;

    @BeforeEach
    void serve() {
        Router routes =
                Router.builder()
                        .add(
                                "GET",
                                "/page",
                                x -> {
                                    x.send(new byte[LENGTH]);
                                    sent.incrementAndGet();
                                })
                        .add("GET", "/prompt", Handler.nonBlocking(x -> x.send(new byte[LENGTH])))
                        .add(
                                "GET",
                                "/long",
                                x -> {
                                    x.send(new Body.Segmented(LENGTH, new Zeros()));
                                    sent.incrementAndGet();
                                })
                        .build();
        server = new MemoryServer(Options.DEFAULT, routes);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static final class Zeros implements Body.Segments {
        private final ByteBuffer segment = ByteBuffer.allocateDirect(LENGTH);

        @Override
        public int transferTo(long offset, Body.Sink to) throws IOException {
            segment.clear();
            to.write(segment);
            return segment.position();
        }

        @Override
        public void close() {}
    }

    private MemoryBudget budget() {
        return server.engine().outputMemory();
    }

    /// Has a client hold three responses, of which it accepts one.
    private Http2Client holding() throws IOException {
        Http2Client client = Http2Client.to(server).keepWindows();
        for (int i = 0; i < 3; i++) {
            client.write("GET", "/page", true);
        }
        client.flush();
        client.until("all are sent or held", () -> sent.get() == 3);
        client.until("one is sent", () -> budget().bytes() < 2.5 * LENGTH);
        return client;
    }

    @Test
    void whatIsHeldCountsUntilItIsSentOrTheConnectionCloses() throws IOException {
        Http2Client client = holding();
        assertTrue(budget().bytes() > LENGTH, budget().bytes() + " bytes");
        client.close();
        server.iterateUntil("it is let go", () -> budget().bytes() == 0);
    }

    @Test
    void acceptedResponsesCountNoMore() throws IOException {
        Http2Client client = Http2Client.to(server);
        client.keepWindows();
        assertEquals(LENGTH, client.fetch("/page").content.size());
        server.iterateUntil("it is let go", () -> budget().bytes() == 0);
    }

    /// Sends requests of a client whose windows are open, and reads nothing of what it gets.
    private List<Integer> askAndReadNothing(Http2Client client, String path) throws IOException {
        FrameWriter.windowUpdate(client.out(), 0, STREAMS * LENGTH);
        var ids = new ArrayList<Integer>();
        for (int i = 0; i < STREAMS; i++) {
            ids.add(client.write("GET", path, true));
        }
        client.flush();
        server.iterateUntil("all have run", () -> sent.get() == STREAMS);
        for (int i = 0; i < 10; i++) {
            server.awaitRest();
            server.iterate();
        }
        return ids;
    }

    private static void readAll(Http2Client client, List<Integer> ids) throws IOException {
        for (int id : ids) {
            assertEquals(LENGTH, client.response(id).content.size());
        }
    }

    @Test
    void whatWaitsForTheSocketCounts() throws IOException {
        Http2Client client = Http2Client.to(server).keepWindows();
        List<Integer> ids = askAndReadNothing(client, "/page");
        int least = STREAMS * LENGTH - PIPE;
        assertTrue(budget().bytes() >= least, budget().bytes() + " bytes");
        readAll(client, ids);
        server.iterateUntil("it is let go", () -> budget().bytes() == 0);
    }

    @Test
    void whatWaitsForTheSocketCountsUntilTheConnectionCloses() throws IOException {
        Http2Client client = Http2Client.to(server).keepWindows();
        askAndReadNothing(client, "/page");
        client.close();
        server.iterateUntil("it is let go", () -> budget().bytes() == 0);
    }

    /// A thousand clients that read nothing hold a short frame each, or two, however many streams
    /// they have.
    @Test
    void withoutRoomASocketThatTakesNothingGetsAShortFrame() throws IOException {
        budget().add(OTHERS);
        Http2Client client = Http2Client.to(server).keepWindows();
        List<Integer> ids = askAndReadNothing(client, "/long");
        long held = budget().bytes() - OTHERS;
        assertTrue(held > 0 && held <= 2 * OutputMemory.SCARCE_FRAME, held + " bytes");
        readAll(client, ids);
        server.iterateUntil("it is let go", () -> budget().bytes() == OTHERS);
    }

    /// Else they would have gigabytes made for them, a short frame at a time.
    @Test
    void withoutRoomTheKernelKeepsLittle() throws IOException {
        budget().add(OTHERS);
        MemoryPipe pipe = server.connect(STREAMS * LENGTH);
        Http2Client client = Http2Client.to(server, pipe).keepWindows();
        List<Integer> ids = askAndReadNothing(client, "/long");
        assertEquals(KERNEL_MAX, pipe.toClient().size());
        readAll(client, ids);
    }

    /// Nothing of the request has run, so that its client may repeat it (RFC 9113, section 8.7).
    @Test
    void connectionThatHoldsItsShareStartsNothingWithoutRoom() throws IOException {
        Http2Client greedy = holding();
        budget().add(OTHERS);
        assertEquals(ErrorCode.REFUSED_STREAM, greedy.response(greedy.get("/page")).reset);
        assertEquals(3, sent.get());
    }

    @Test
    void connectionThatHoldsNothingIsServedWithoutRoom() throws IOException {
        budget().add(OTHERS);
        Http2Client other = Http2Client.to(server);
        other.keepWindows();
        Http2Client.Response response = other.fetch("/page");
        assertNull(response.reset);
        assertEquals(LENGTH, response.content.size());
    }

    /// Else those that come together would be refused, and before that all held at once.
    @Test
    void withoutRoomEachResponseIsSentBeforeTheNextIsMade() throws IOException {
        budget().add(OTHERS);
        Http2Client client = Http2Client.to(server, server.connect(2 * STREAMS * LENGTH));
        FrameWriter.windowUpdate(client.out(), 0, STREAMS * LENGTH);
        var ids = new ArrayList<Integer>();
        for (int i = 0; i < STREAMS; i++) {
            ids.add(client.write("GET", "/prompt", true));
        }
        client.flush();
        readAll(client, ids);
    }

    /// Pages that handlers have made cannot be limited otherwise.
    @Test
    void clientThatTakesNothingIsClosedWhereAQuarterOfTheHeapIsHeld() throws IOException {
        budget().add(4 * MOST);
        Http2Client client = Http2Client.to(server).keepWindows();
        FrameWriter.windowUpdate(client.out(), 0, LENGTH);
        client.get("/page");
        server.iterateUntil("it is closed", () -> server.connections() == 0);
        assertEquals(4 * MOST, budget().bytes());
    }

    @Test
    void clientWhoseWindowsAreClosedIsClosedWhereAQuarterOfTheHeapIsHeld() throws IOException {
        budget().add(4 * MOST);
        Settings closed = Settings.CLIENT.withInitialWindowSize(0);
        Http2Client client = Http2Client.to(server, closed).hello().keepWindows();
        client.get("/page");
        client.untilEnd();
        server.iterateUntil("it is let go", () -> budget().bytes() == 4 * MOST);
    }

    @Test
    void clientThatTakesItsResponsesIsServedThen() throws IOException {
        budget().add(4 * MOST);
        MemoryPipe pipe = server.connect(LENGTH / 2);
        Http2Client client = Http2Client.to(server, pipe);
        for (int i = 0; i < STREAMS; i++) {
            assertEquals(LENGTH, client.fetch("/long").content.size());
        }
    }

    @Test
    void shareIsOfOneConnection() {
        var all = new MemoryBudget(40_000);
        var memory = new OutputMemory(all);
        memory.hold(OutputMemory.SHARE - 1);
        assertFalse(memory.isOverShare());
        memory.hold(1);
        assertTrue(memory.isOverShare());
        assertFalse(new OutputMemory(all).isOverShare());
    }

    @Test
    void shareIsAFourthWhereFarTooMuchIsHeld() {
        var all = new MemoryBudget(40_000);
        all.add(80_000);
        var memory = new OutputMemory(all);
        memory.hold(OutputMemory.SHARE / 4 - 1);
        assertFalse(memory.isOverShare());
        memory.hold(1);
        assertTrue(memory.isOverShare());
    }

    /// One tail always gets what it wants, so that each connection proceeds.
    @Test
    void withoutRoomOneTailIsReadAtATime() {
        var memory = new OutputMemory(new MemoryBudget(0));
        assertTrue(memory.mayReadAnother());
        assertTrue(memory.reserve(1));
        assertFalse(memory.reserve(1));
        assertFalse(memory.mayReadAnother());
        memory.release(1);
        assertTrue(memory.reserve(1));
    }

    /// It is read by a worker, before which hundreds of others may have been granted the same.
    @Test
    void whatWillBeReadCountsAtOnce() {
        var all = new MemoryBudget(3);
        assertTrue(new OutputMemory(all).reserve(2));
        var memory = new OutputMemory(all);
        assertTrue(memory.reserve(1));
        assertEquals(3, all.bytes());
        assertFalse(memory.reserve(1));
        assertEquals(3, all.bytes());
        memory.release(1);
        assertEquals(2, all.bytes());
    }

    /// A megabyte that is read as there is room for it.
    private static final class Megabyte implements ResponseTail {
        @Override
        public long left() {
            return 1 << 20;
        }

        @Override
        public long send(Socket socket, IoBuffer output, long most) throws IOException {
            throw new IOException("sent by frames only");
        }

        @Override
        public int read(IoBuffer to) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }

    /// A thousand clients that read nothing have one each.
    @Test
    void withoutRoomAShortFrameOfATailIsReadAhead() throws IOException {
        var roomy = new OutputMemory(new MemoryBudget(1));
        assertTrue(new StreamOutput(roomy, 1 << 20).content(new Megabyte()));
        assertEquals(65_536, roomy.reserved());
        var scarce = new OutputMemory(new MemoryBudget(0));
        assertTrue(new StreamOutput(scarce, 1 << 20).content(new Megabyte()));
        assertEquals(OutputMemory.SCARCE_FRAME, scarce.reserved());
    }
}
