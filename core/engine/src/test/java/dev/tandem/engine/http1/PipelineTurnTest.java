package dev.tandem.engine.http1;

import static dev.tandem.engine.http1.WireCases.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.engine.MemoryServer;
import dev.tandem.http.Exchange;
import dev.tandem.http.Handler;
import dev.tandem.http.Router;
import dev.tandem.testkit.MemoryPipe;
import dev.tandem.testkit.WireText;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Requests that a client has pipelined, and those of others.
class PipelineTurnTest {
    private static final int REQUESTS = 20;
    private static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(3);

    private final AtomicInteger handled = new AtomicInteger();
    private final AtomicInteger handledBefore = new AtomicInteger();
    private final Router routes =
            Router.builder()
                    .add("GET", "/long", Handler.nonBlocking(this::compute))
                    .add("GET", "/now", Handler.nonBlocking(this::respond))
                    .build();

    private void compute(Exchange x) throws IOException {
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < LONG_NANOS) {
            Thread.onSpinWait();
        }
        x.send(Integer.toString(handled.incrementAndGet()));
    }

    private void respond(Exchange x) throws IOException {
        handledBefore.set(handled.get());
        x.send("now");
    }

    private static MemoryPipe send(MemoryServer server, String requests) throws IOException {
        MemoryPipe pipe = server.connect();
        byte[] bytes = WireText.bytes(requests);
        pipe.toServer().offer(bytes, 0, bytes.length);
        return pipe;
    }

    /// All are handled, in order, but not before the request of another client.
    @Test
    void longRequestsOfOneClientDoNotHoldUpAnother() throws IOException {
        try (var server = new MemoryServer(Options.DEFAULT, routes)) {
            String last = get("/long").replace("\n\n", "\nConnection: close\n\n");
            MemoryPipe many = send(server, get("/long").repeat(REQUESTS - 1) + last);
            MemoryPipe other = send(server, get("/now").replace("\n\n", "\nConnection: close\n\n"));
            assertTrue(server.readToEnd(other).endsWith("now"));
            assertTrue(handledBefore.get() < REQUESTS / 2, () -> handledBefore + " came first");
            String responses = server.readToEnd(many);
            assertEquals(REQUESTS, handled.get());
            assertTrue(responses.endsWith(Integer.toString(REQUESTS)), responses);
        }
    }
}
