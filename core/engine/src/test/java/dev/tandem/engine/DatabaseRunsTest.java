package dev.tandem.engine;

import static dev.tandem.engine.http1.WireCases.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.admission.AdmissionTask;
import dev.tandem.admission.DatabaseLane;
import dev.tandem.admission.DatabasePermit;
import dev.tandem.engine.database.DatabaseUse;
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

/// Requests that run with a database connection and without a worker slot.
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

    /// Borrows a connection and returns it, as all requests of this route do.
    private void useData() {
        long now = System.nanoTime();
        DatabaseUse use = Objects.requireNonNull(DatabaseUse.current());
        DatabasePermit permit = use.useConnection(lane, now);
        if (permit == null) {
            permit =
                    new DatabasePermit(
                            use.route(lane),
                            DatabasePermit.Kind.LIVE_SESSION,
                            AdmissionTask.of(_ -> {}));
            permit.request(now);
            assertTrue(permit.use(now));
        }
        permit.close(now);
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

    private int runs() {
        return server.engine().dispatcher().admission().databaseRuns();
    }

    /// A stream lasts for hours without a connection: it must not count as a run of the lane.
    @Test
    void eventStreamDoesNotCountAsADatabaseRun() throws IOException {
        MemoryPipe pipe = server.connect();
        assertEquals(LEARNED, server.ask(pipe, get("/stream"), LEARNED));
        assertEquals(0, runs());
        byte[] again = WireText.bytes(get("/stream"));
        pipe.toServer().offer(again, 0, again.length);
        server.iterateUntil("it runs", () -> running.getCount() == 0);
        assertEquals(1, runs(), "in the lane");
        go.countDown();
        server.iterateUntil("it streams", () -> streaming.getCount() == 0);
        assertEquals(0, runs());
        release.countDown();
        pipe.toServer().end();
        server.readToEnd(pipe);
        server.iterateUntil("it is over", () -> runs() == 0);
    }
}
