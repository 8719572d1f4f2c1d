package dev.tandem.engine;

import static dev.tandem.engine.http1.WireCases.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.ServerInternals;
import dev.tandem.admission.Admission;
import dev.tandem.net.Network;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Hundreds of clients that connect and disconnect, while all workers are busy: whatever they leave
/// half done, nothing of theirs stays.
class ChurnTest {
    private static final int WORKERS = 2;
    private static final int CLIENTS = 300;
    private static final Options OPTIONS =
            Options.DEFAULT.withThreads(t -> t.withWorkersMax(WORKERS).withInPlace(false));

    private final AtomicInteger held = new AtomicInteger();
    private final CountDownLatch release = new CountDownLatch(1);

    private Served served(Network network) {
        return Served.on(
                network,
                OPTIONS,
                t ->
                        t.get(
                                "/hold",
                                x -> {
                                    held.incrementAndGet();
                                    release.await();
                                    x.send("held");
                                }));
    }

    private static void run(RawClient client, int kind) throws IOException {
        switch (kind) {
            case 0 -> client.close();
            case 1 -> client.send("GET /hello HTTP/1.1\nHo").reset();
            case 2 -> client.send(get("/hello")).reset();
            case 3 -> client.send(get("/hello")).halfClose().close();
            case 4 -> client.send(get("/hello") + get("/hello")).close();
            default -> {
                assertEquals("now", client.send(get("/now")).response().text());
                client.send(get("/hello")).close();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#plain")
    void disconnectedClientsLeaveNothingBehind(Network network) throws IOException {
        try (Served served = served(network)) {
            Admission admission = ServerInternals.admission(served.server());
            for (int i = 1; i <= WORKERS; i++) {
                int count = i;
                served.client().send(get("/hold"));
                Patience.until(i + " held", () -> held.get() == count);
            }
            for (int i = 0; i < CLIENTS; i++) {
                run(served.stranger(), i % 6);
            }
            served.awaitConnections(WORKERS);
            assertEquals(0, admission.waitingCount(), "no request of a disconnected client waits");
            assertEquals(WORKERS, admission.counters().running());
            assertTrue(
                    admission.counters().cancelled() > 0,
                    "no client disconnected while its request waited");
            release.countDown();
            Patience.until("all have run", () -> admission.counters().running() == 0);
            assertEquals("Hello, World!", served.stranger().send(get("/hello")).response().text());
        }
    }
}
