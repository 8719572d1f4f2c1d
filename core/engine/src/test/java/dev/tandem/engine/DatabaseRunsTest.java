package dev.tandem.engine;

import static dev.tandem.engine.http1.WireCases.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.admission.AdmissionTask;
import dev.tandem.admission.DatabaseLane;
import dev.tandem.admission.DatabasePermit;
import dev.tandem.engine.database.DatabaseExchange;
import dev.tandem.engine.http1.WireCases;
import dev.tandem.http.Exchange;
import dev.tandem.http.Router;
import dev.tandem.testkit.MemoryPipe;
import dev.tandem.testkit.WireText;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Requests that run with a permit of a database's lane, in addition to the workers.
class DatabaseRunsTest {
    private static final String LEARNED = WireCases.ok("", "learned");

    private final DatabaseLane lane = new DatabaseLane("test", () -> 100, () -> {});
    private final CountDownLatch running = new CountDownLatch(2);
    private final CountDownLatch streaming = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);
    private MemoryServer server;

    @BeforeEach
    void serve() {
        Router routes = Router.builder().add("GET", "/stream", this::stream).build();
        server = new MemoryServer(Options.DEFAULT.withThreads(t -> t.withWorkersMax(2)), routes);
    }

    @AfterEach
    void stop() {
        go.countDown();
        release.countDown();
        server.close();
    }

    /// Takes a connection and returns it, as all requests of this route do.
    private void useData() {
        long now = System.nanoTime();
        DatabaseExchange turn = Objects.requireNonNull(DatabaseExchange.current());
        DatabasePermit place = turn.reserved(lane, now);
        if (place == null) {
            place =
                    new DatabasePermit(
                            turn.route(lane), DatabasePermit.Kind.LIVE, AdmissionTask.of(_ -> {}));
            place.ask(now);
            assertTrue(place.used(now));
        }
        place.close(now);
    }

    private void stream(Exchange x) throws Exception {
        useData();
        running.countDown();
        if (running.getCount() > 0) {
            x.send("learned");
            return;
        }
        assertTrue(go.await(20, TimeUnit.SECONDS));
        try (var _ = x.events()) {
            streaming.countDown();
            assertTrue(release.await(20, TimeUnit.SECONDS));
        }
    }

    /// It lasts for hours, and has no connection: it must not count against the others.
    @Test
    void streamDoesNotCountAsRunWithoutWorker() throws IOException {
        MemoryPipe pipe = server.connect();
        assertEquals(LEARNED, server.ask(pipe, get("/stream"), LEARNED));
        assertEquals(0, server.engine().dispatcher().databases().runs().get());
        byte[] again = WireText.bytes(get("/stream"));
        pipe.toServer().offer(again, 0, again.length);
        server.turnUntil("it runs", () -> running.getCount() == 0);
        assertEquals(1, server.engine().dispatcher().databases().runs().get(), "in the lane");
        go.countDown();
        server.turnUntil("it streams", () -> streaming.getCount() == 0);
        assertEquals(0, server.engine().dispatcher().databases().runs().get());
        release.countDown();
        pipe.toServer().end();
        server.readToEnd(pipe);
        server.turnUntil(
                "it is over", () -> server.engine().dispatcher().databases().runs().get() == 0);
    }
}
