package dev.tandem.engine.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.engine.MemoryServer;
import dev.tandem.http.Body;
import dev.tandem.http.Router;
import dev.tandem.http.h2.ErrorCode;
import dev.tandem.http.h2.FrameWriter;
import dev.tandem.http.h2.Settings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Content that is read while it is sent: how much of it the server holds for clients that do not
/// read.
@Timeout(60)
class TailsTest {
    private static final int LENGTH = 1_000_000;
    private static final int STREAMS = 50;

    private final AtomicLong read = new AtomicLong();
    private final AtomicInteger closed = new AtomicInteger();
    private MemoryServer server;

    @BeforeEach
    void serve() {
        Router routes =
                Router.builder()
                        .add("GET", "/long", x -> x.send(new Body.Segmented(LENGTH, new Zeros())))
                        .add("GET", "/later", x -> x.send(new Body.Segmented(LENGTH, new Later())))
                        .build();
        server = new MemoryServer(Options.DEFAULT, routes);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private final class Zeros implements Body.Segments {
        private final ByteBuffer segment = ByteBuffer.allocateDirect(32_768);

        @Override
        public int transferTo(long offset, Body.Sink to) throws IOException {
            segment.clear();
            to.write(segment);
            read.addAndGet(segment.position());
            return segment.position();
        }

        @Override
        public void close() {
            closed.incrementAndGet();
        }
    }

    /// Zeros that are there later.
    private final class Later implements Body.Segments {
        private final Zeros zeros = new Zeros();

        @Override
        public boolean fetch(long offset, Runnable ready) {
            fetches.add(ready);
            return true;
        }

        @Override
        public int transferTo(long offset, Body.Sink to) throws IOException {
            return zeros.transferTo(offset, to);
        }

        @Override
        public void close() {
            zeros.close();
        }
    }

    private final Queue<Runnable> fetches = new ConcurrentLinkedQueue<>();

    @Test
    void contentThatIsNotThereYetDelaysNoOtherStream() throws IOException {
        Http2Client client = Http2Client.to(server);
        int later = client.write("GET", "/later", true);
        client.flush();
        client.until("it is fetched", () -> !fetches.isEmpty());
        int other = client.write("GET", "/long", true);
        client.flush();
        assertEquals(LENGTH, client.response(other).content.size());
        assertEquals(0, client.expect(later).content.size());
        client.until(
                "all of it",
                () -> {
                    Runnable fetched = fetches.poll();
                    if (fetched != null) {
                        fetched.run();
                    }
                    return client.expect(later).content.size() == LENGTH;
                });
        client.until("both are closed", () -> closed.get() == 2);
    }

    @Test
    void streamThatIsResetWhileContentIsNotThereIsClosed() throws IOException {
        Http2Client client = Http2Client.to(server);
        int later = client.write("GET", "/later", true);
        client.flush();
        client.until("it is fetched", () -> !fetches.isEmpty());
        FrameWriter.resetStream(client.out(), later, ErrorCode.CANCEL);
        client.flush();
        client.until("it is closed", () -> closed.get() == 1);
        fetches.remove().run(); // too late
        settle(client);
        assertEquals(0, read.get());
    }

    private static List<Integer> ask(Http2Client client, int count) throws IOException {
        var ids = new ArrayList<Integer>();
        for (int i = 0; i < count; i++) {
            ids.add(client.write("GET", "/long", true));
        }
        client.flush();
        for (int id : ids) {
            client.until("a head", () -> client.expect(id).status == 200);
        }
        return ids;
    }

    private void settle(Http2Client client) throws IOException {
        client.roundTrip();
        server.awaitRest();
        client.roundTrip();
    }

    @Test
    void nothingIsReadForAClosedWindow() throws IOException {
        Http2Client client =
                Http2Client.to(server, Settings.CLIENT.withInitialWindowSize(0)).hello();
        List<Integer> ids = ask(client, STREAMS);
        settle(client);
        assertEquals(0, read.get());
        FrameWriter.windowUpdate(client.out(), 0, LENGTH);
        FrameWriter.windowUpdate(client.out(), ids.getLast(), LENGTH);
        client.flush();
        assertEquals(LENGTH, client.response(ids.getLast()).content.size());
        assertTrue(read.get() <= LENGTH, read + " bytes");
    }

    @Test
    void memoryOfAConnectionThatReadsNothingIsBounded() throws IOException {
        Http2Client client =
                Http2Client.to(server, Settings.CLIENT.withInitialWindowSize(LENGTH)).hello();
        client.keepWindows();
        List<Integer> ids = ask(client, STREAMS);
        settle(client);
        long most = OutputMemory.TAILS_MAX + Settings.INITIAL.initialWindowSize();
        assertTrue(read.get() <= most, read + " bytes");
        FrameWriter.windowUpdate(client.out(), 0, STREAMS * LENGTH);
        client.flush();
        for (int id : ids) {
            assertEquals(LENGTH, client.response(id).content.size());
        }
        assertEquals(STREAMS, closed.get());
    }

    /// Streams whose own windows are closed hold none of the connection's memory.
    @Test
    void streamsThatAreNotReadDelayNoOther() throws IOException {
        Http2Client client = Http2Client.to(server);
        client.keepWindows();
        FrameWriter.windowUpdate(client.out(), 0, 100 * LENGTH);
        List<Integer> ids = ask(client, STREAMS);
        settle(client);
        int last = client.write("GET", "/long", true);
        FrameWriter.windowUpdate(client.out(), last, LENGTH);
        client.flush();
        assertEquals(LENGTH, client.response(last).content.size());
        for (int id : ids) {
            client.until("its window", () -> client.expect(id).content.size() == 65_535);
        }
    }

    @Test
    void memoryOfStreamsThatAreResetIsFreed() throws IOException {
        Http2Client client =
                Http2Client.to(server, Settings.CLIENT.withInitialWindowSize(LENGTH)).hello();
        client.keepWindows();
        List<Integer> ids = ask(client, STREAMS);
        settle(client);
        int kept = ids.getLast();
        for (int id : ids.subList(0, STREAMS - 1)) {
            FrameWriter.resetStream(client.out(), id, ErrorCode.CANCEL);
        }
        FrameWriter.windowUpdate(client.out(), 0, LENGTH + LENGTH);
        client.flush();
        assertEquals(LENGTH, client.response(kept).content.size());
        settle(client);
        assertEquals(STREAMS, closed.get());
    }
}
