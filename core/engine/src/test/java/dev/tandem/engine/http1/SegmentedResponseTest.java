package dev.tandem.engine.http1;

import static dev.tandem.engine.http1.WireCases.HELLO;
import static dev.tandem.engine.http1.WireCases.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.engine.MemoryServer;
import dev.tandem.http.Body;
import dev.tandem.http.Router;
import dev.tandem.testkit.MemoryPipe;
import dev.tandem.testkit.WireText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Responses of segments that another object holds, to clients that read them at once and byte by
/// byte.
class SegmentedResponseTest {
    private static final int PIECE = 70;
    private static final String TEXT = "abcdefghij".repeat(20);
    private static final String WHOLE = "HTTP/1.1 200 OK\nDate: *\nContent-Length: 200\n\n" + TEXT;

    private final AtomicInteger closed = new AtomicInteger();
    private final AtomicInteger passed = new AtomicInteger();
    private final AtomicInteger inVain = new AtomicInteger();
    private MemoryServer server;

    /// Segments of a text; from an offset on there are none.
    private final class Text implements Body.Segments {
        private final int end;

        Text(int end) {
            this.end = end;
        }

        @Override
        public int transferTo(long offset, Body.Sink to) throws IOException {
            passed.incrementAndGet();
            if (offset >= end) {
                throw new IOException("there is no more");
            }
            int from = (int) offset;
            String piece = TEXT.substring(from, Math.min(end, (from / PIECE + 1) * PIECE));
            byte[] bytes = piece.getBytes(StandardCharsets.US_ASCII);
            ByteBuffer buffer = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
            to.write(buffer);
            if (buffer.position() == 0) {
                inVain.incrementAndGet();
            }
            return buffer.position();
        }

        @Override
        public void close() {
            closed.incrementAndGet();
        }
    }

    /// Segments of the text that are there later; each only once it was fetched.
    private final class Later implements Body.Segments {
        private final Text text = new Text(200);
        private final Executor source;
        private volatile boolean isThere;

        Later(Executor source) {
            this.source = source;
        }

        @Override
        public boolean fetch(long offset, Runnable ready) {
            if (offset == PIECE) {
                return false; // this one is there
            }
            source.execute(
                    () -> {
                        isThere = true;
                        ready.run();
                    });
            return true;
        }

        @Override
        public int transferTo(long offset, Body.Sink to) throws IOException {
            if (!isThere && offset != PIECE) {
                throw new IOException("it is not there");
            }
            isThere = false;
            return text.transferTo(offset, to);
        }

        @Override
        public void close() {
            text.close();
        }
    }

    private Body later(Executor source) {
        return new Body.Segmented(200, new Later(source));
    }

    private final Queue<Runnable> fetches = new ConcurrentLinkedQueue<>();

    @BeforeEach
    void serve() {
        Router routes =
                Router.builder()
                        .add("GET", "/text", x -> x.send(new Body.Segmented(200, new Text(200))))
                        .add("GET", "/long", x -> x.send(new Body.Segmented(150, new Text(200))))
                        .add("GET", "/torn", x -> x.send(new Body.Segmented(200, new Text(150))))
                        .add("GET", "/later", x -> x.send(later(fetches::add)))
                        .add("GET", "/soon", x -> x.send(later(ForkJoinPool.commonPool())))
                        .add("GET", "/now", x -> x.send(later(Runnable::run)))
                        .add("GET", "/hello", x -> x.send("Hello, World!"))
                        .build();
        server = new MemoryServer(Options.DEFAULT.withThreads(t -> t.withWorkersMax(1)), routes);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 50, 199, 250, 1000})
    void responseIsCompleteOverEverySplit(int window) throws IOException {
        MemoryPipe pipe = server.connect(window);
        assertEquals(WHOLE, server.ask(pipe, get("/text"), WHOLE));
        String three = get("/hello") + get("/text") + get("/hello");
        assertEquals(HELLO + WHOLE + HELLO, server.ask(pipe, three, HELLO + WHOLE + HELLO));
        assertEquals(2, closed.get());
    }

    /// A segment may have to be read and decompressed each time: none is fetched in vain.
    @Test
    void partlySentSegmentIsNotFetchedBeforeTheClientReadsMore() throws IOException {
        MemoryPipe pipe = server.connect(60);
        byte[] bytes = WireText.bytes(get("/text"));
        pipe.toServer().offer(bytes, 0, bytes.length);
        server.iterateUntil("its first part came", () -> pipe.toClient().size() == 60);
        assertEquals(WHOLE, server.readResponse(pipe, WHOLE));
        server.iterateUntil("it is closed", () -> closed.get() == 1);
        assertEquals(0, inVain.get());
    }

    /// Otherwise it would be taken for the beginning of the next response.
    @ParameterizedTest
    @ValueSource(ints = {60, 1000})
    void noMoreIsSentThanAnnounced(int window) throws IOException {
        String said = "HTTP/1.1 200 OK\nDate: *\nContent-Length: 150\n\n" + TEXT.substring(0, 150);
        String both = get("/long") + get("/hello");
        assertEquals(said + HELLO, server.ask(server.connect(window), both, said + HELLO));
    }

    @Test
    void responseToHeadHasNoBody() throws IOException {
        String head = "HTTP/1.1 200 OK\nDate: *\nContent-Length: 200\n\n";
        String both = get("/text").replace("GET", "HEAD") + get("/hello");
        assertEquals(head + HELLO, server.ask(server.connect(), both, head + HELLO));
        assertEquals(0, passed.get());
        assertEquals(1, closed.get());
    }

    @Test
    void clientsThatReadNothingHoldNoWorker() throws IOException {
        List<MemoryPipe> slow = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            MemoryPipe pipe = server.connect(60);
            byte[] bytes = WireText.bytes(get("/text"));
            pipe.toServer().offer(bytes, 0, bytes.length);
            server.iterateUntil("its first part came", () -> pipe.toClient().size() == 60);
            slow.add(pipe);
        }
        assertEquals(HELLO, server.ask(server.connect(), get("/hello"), HELLO)); // by the only one
        assertEquals(0, closed.get());
        for (MemoryPipe pipe : slow) {
            assertEquals(WHOLE, server.readResponse(pipe, WHOLE));
        }
        server.iterateUntil("all are closed", () -> closed.get() == slow.size());
    }

    @Test
    void segmentsThatAreNotThereYetHoldNoWorker() throws IOException {
        MemoryPipe pipe = server.connect();
        byte[] bytes = WireText.bytes(get("/later"));
        pipe.toServer().offer(bytes, 0, bytes.length);
        for (int i = 0; i < 2; i++) {
            server.iterateUntil("one is fetched", () -> fetches.size() == 1);
            assertEquals(HELLO, server.ask(server.connect(), get("/hello"), HELLO));
            fetches.remove().run();
        }
        assertEquals(WHOLE, server.readResponse(pipe, WHOLE));
        server.iterateUntil("it is closed", () -> closed.get() == 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 50, 250, 1000})
    void segmentsThatComeSoonAreSentOverEverySplit(int window) throws IOException {
        String three = get("/soon") + get("/now") + get("/hello");
        assertEquals(
                WHOLE + WHOLE + HELLO,
                server.ask(server.connect(window), three, WHOLE + WHOLE + HELLO));
        assertEquals(2, closed.get());
    }

    @Test
    void clientThatLeavesMeanwhileClosesTheSegments() throws IOException {
        MemoryPipe pipe = server.connect();
        byte[] bytes = WireText.bytes(get("/later"));
        pipe.toServer().offer(bytes, 0, bytes.length);
        server.iterateUntil("one is fetched", () -> fetches.size() == 1);
        pipe.reset();
        fetches.remove().run();
        server.iterateUntil("it is closed", () -> closed.get() == 1);
    }

    @Test
    void responseIsTruncatedIfSegmentsEndEarly() throws IOException {
        MemoryPipe pipe = server.connect();
        byte[] bytes = WireText.bytes(get("/torn") + get("/hello"));
        pipe.toServer().offer(bytes, 0, bytes.length);
        String cut = server.readToEnd(pipe);
        assertEquals(WHOLE.substring(0, cut.length()), cut);
        assertTrue(cut.length() < WHOLE.length(), cut);
        server.iterateUntil("it is closed", () -> closed.get() == 1);
    }
}
