package dev.tandem.engine.http1;

import static dev.tandem.engine.http1.WireCases.HELLO;
import static dev.tandem.engine.http1.WireCases.NOW;
import static dev.tandem.engine.http1.WireCases.get;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tandem.Options;
import dev.tandem.engine.MemoryServer;
import dev.tandem.http.Exchange;
import dev.tandem.http.Handler;
import dev.tandem.http.PreparedResponse;
import dev.tandem.http.PreparedResponseHandler;
import dev.tandem.http.RequestHead;
import dev.tandem.http.Router;
import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.MemoryPipe;
import dev.tandem.testkit.WireText;
import java.io.IOException;
import java.io.OutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Buffers, decoder and writer of a thread serve one connection after the other: however one ends,
/// the next must find nothing of it.
class IoContextHygieneTest {
    private final LogCapture log = LogCapture.of("dev.tandem");
    private MemoryServer server;

    @BeforeEach
    void serve() {
        Router routes =
                Router.builder()
                        .add("GET", "/hello", x -> x.send("Hello, World!"))
                        .add("GET", "/now", Handler.nonBlocking(x -> x.send("now")))
                        .add("GET", "/large", Handler.nonBlocking(x -> x.send("x".repeat(70_000))))
                        .add("GET", "/broken", new Broken())
                        .add("GET", "/cut", IoContextHygieneTest::cut)
                        .build();
        server = new MemoryServer(Options.DEFAULT.withThreads(t -> t.withWorkersMax(1)), routes);
    }

    @AfterEach
    void stop() {
        server.close();
        log.close();
    }

    @Test
    void malformedRequestOfADisconnectedClientLeavesNothing() throws IOException {
        askAndVanish("GET\n\n");
        assertNextIsServed();
    }

    @Test
    void rejectedTargetOfADisconnectedClientLeavesNothing() throws IOException {
        askAndVanish(get("/%zz"));
        assertNextIsServed();
    }

    @Test
    void loopResponseToADisconnectedClientLeavesNothing() throws IOException {
        askAndVanish(get("/large"));
        assertNextIsServed();
    }

    @Test
    void workerResponseToADisconnectedClientLeavesNothing() throws IOException {
        askAndVanish(get("/hello"));
        assertNextIsServed();
    }

    @Test
    void throwingHandlerOnTheLoopCostsItsConnectionOnly() throws IOException {
        MemoryPipe pipe = server.connect();
        offer(pipe, get("/now") + get("/broken") + get("/now"));
        server.readToEnd(pipe);
        assertNextIsServed();
    }

    @Test
    void truncatedResponseLeavesNothing() throws IOException {
        MemoryPipe pipe = server.connect();
        offer(pipe, get("/cut"));
        server.readToEnd(pipe);
        assertNextIsServed();
    }

    @Test
    void unfinishedHeadLeavesNothing() throws IOException {
        MemoryPipe pipe = server.connect();
        offer(pipe, "GET /now HTTP/1.1\nHost: ");
        server.iterateUntil("the part is taken", () -> pipe.toServer().size() == 0);
        pipe.reset();
        server.iterate();
        assertNextIsServed();
    }

    private void askAndVanish(String request) throws IOException {
        MemoryPipe pipe = server.connect();
        offer(pipe, request);
        pipe.toClient().breakOff();
        server.iterateUntil("the connection is closed", () -> server.connections() == 0);
    }

    private static void offer(MemoryPipe pipe, String request) throws IOException {
        byte[] bytes = WireText.bytes(request);
        pipe.toServer().offer(bytes, 0, bytes.length);
    }

    /// By the loop, by the only worker, and by the loop again.
    private void assertNextIsServed() throws IOException {
        MemoryPipe pipe = server.connect();
        String three = get("/now") + get("/hello") + get("/now");
        assertEquals(NOW + HELLO + NOW, server.ask(pipe, three, NOW + HELLO + NOW));
    }

    private static void cut(Exchange x) throws IOException {
        x.header("Content-Length", "20000");
        OutputStream out = x.outputStream();
        out.write(new byte[9000]);
        out.flush();
    }

    private static final class Broken implements PreparedResponseHandler {
        @Override
        public PreparedResponse preparedResponse(RequestHead head, String path) {
            throw new IllegalStateException("on purpose");
        }

        @Override
        public void handle(Exchange x) {
            throw new IllegalStateException("not to be reached");
        }
    }
}
