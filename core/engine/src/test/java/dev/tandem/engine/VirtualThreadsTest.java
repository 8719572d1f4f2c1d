package dev.tandem.engine;

import static dev.tandem.engine.http1.WireCases.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.http.Exchange;
import dev.tandem.net.Network;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import dev.tandem.testkit.RawResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Handlers on virtual threads, under the same permits.
class VirtualThreadsTest {
    private static final int WORKERS = 4;
    private static final int CLIENTS = 10;

    private static final Options OPTIONS =
            Options.DEFAULT.withThreads(
                    t -> t.withVirtual(true).withWorkersMax(WORKERS).withWorkersMin(WORKERS));

    private final CountDownLatch wall = new CountDownLatch(1);
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger insideMost = new AtomicInteger();

    private void waits(Exchange x) throws IOException, InterruptedException {
        insideMost.accumulateAndGet(inside.incrementAndGet(), Math::max);
        assertTrue(wall.await(20, TimeUnit.SECONDS));
        inside.decrementAndGet();
        x.send(Thread.currentThread().isVirtual() ? "virtual" : "platform");
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void numberOfConcurrentRunsIsLimited(Network network) throws IOException {
        try (Served served = Served.on(network, OPTIONS, t -> t.get("/waits", this::waits))) {
            var clients = new ArrayList<RawClient>();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(served.client());
            }
            for (RawClient client : clients) {
                client.send(get("/waits"));
            }
            Patience.until(
                    "some run and others wait, or have waited for too long",
                    () -> inside.get() == WORKERS && hasWaiting(served));
            wall.countDown();
            int responded = 0;
            for (RawClient client : clients) {
                RawResponse response = client.response(); // 503 if it waited for too long
                responded += response.text().equals("virtual") ? 1 : 0;
            }
            assertTrue(responded >= WORKERS, responded + " responses");
            assertEquals(WORKERS, insideMost.get());
        }
    }

    private static boolean hasWaiting(Served served) {
        return served.server().waitingCount() > 0 || served.server().load().rejected() > 0;
    }
}
