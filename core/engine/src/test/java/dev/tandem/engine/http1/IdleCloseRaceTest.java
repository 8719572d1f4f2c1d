package dev.tandem.engine.http1;

import static dev.tandem.engine.http1.WireCases.HELLO;
import static dev.tandem.engine.http1.WireCases.get;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tandem.Options;
import dev.tandem.engine.MemoryServer;
import dev.tandem.http.Exchange;
import dev.tandem.http.Router;
import dev.tandem.testkit.MemoryPipe;
import dev.tandem.testkit.WireText;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A server that stops, and requests that have arrived at that moment, which its loop has not seen
/// yet.
class IdleCloseRaceTest {
    private static final String LAST = WireCases.ok("close", "Hello, World!");

    private static final String BEGUN =
            """
            HTTP/1.1 200 OK
            Date: *
            Transfer-Encoding: chunked

            1
            a
            1
            b
            0

            """;

    private final CountDownLatch running = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);
    private MemoryServer server;

    @BeforeEach
    void serve() {
        Router routes =
                Router.builder()
                        .add("GET", "/hello", x -> x.send("Hello, World!"))
                        .add("GET", "/stream", this::stream)
                        .build();
        server = new MemoryServer(Options.DEFAULT.withThreads(t -> t.withWorkersMax(2)), routes);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private void stream(Exchange x) throws Exception {
        OutputStream out = x.outputStream();
        out.write('a');
        out.flush();
        running.countDown();
        release.await(20, TimeUnit.SECONDS);
        out.write('b');
    }

    private static void offer(MemoryPipe pipe, String request) {
        byte[] bytes = WireText.bytes(request);
        try {
            pipe.toServer().offer(bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void beginToStop() {
        server.engine().beginToStop();
        server.loop().announceStop();
    }

    @Test
    void requestInThatMomentGetsAResponseWithConnectionClose() throws IOException {
        MemoryPipe pipe = server.connect();
        MemoryPipe silent = server.connect();
        assertEquals(HELLO, server.ask(pipe, get("/hello"), HELLO));
        // After the loop has polled, and before it notifies its connections.
        server.loop().execute(() -> offer(pipe, get("/hello")));
        beginToStop();
        assertEquals(LAST, server.readToEnd(pipe));
        assertEquals("", server.readToEnd(silent));
    }

    @Test
    void requestDuringAResponseWithoutNoticeIsServed() throws IOException {
        MemoryPipe pipe = server.connect();
        offer(pipe, get("/stream"));
        server.iterateUntil("the response has begun", () -> running.getCount() == 0);
        beginToStop();
        server.iterate();
        offer(pipe, get("/hello"));
        release.countDown();
        assertEquals(BEGUN + LAST, server.readToEnd(pipe));
    }

    @Test
    void silentConnectionIsClosedAfterAResponseWithoutNotice() throws IOException {
        MemoryPipe pipe = server.connect();
        offer(pipe, get("/stream"));
        server.iterateUntil("the response has begun", () -> running.getCount() == 0);
        beginToStop();
        release.countDown();
        assertEquals(BEGUN, server.readToEnd(pipe));
    }
}
