package dev.tandem.engine.tls;

import static dev.tandem.engine.http1.WireCases.get;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.ServerInternals;
import dev.tandem.engine.Served;
import dev.tandem.http.Exchange;
import dev.tandem.net.Network;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A client that resumes a TLS session was served before, and goes before new clients.
class ResumedSessionsTest {
    /// Requests that wait are rejected with 503 after a second or two, and a session whose request
    /// before took long has no share for another at once: a machine that was stopped gets another
    /// try.
    private static final int TRIES = 5;

    private volatile CountDownLatch release = new CountDownLatch(1);
    private final List<String> order = new CopyOnWriteArrayList<>();

    static List<Named<Network>> secured() {
        return TlsOverSocketsTest.secured();
    }

    private void note(Exchange x) throws IOException, InterruptedException {
        String who = String.valueOf(x.queryParam("who"));
        if (who.equals("blocker")) {
            release.await();
        }
        order.add(who);
        x.send("ok");
    }

    @ParameterizedTest
    @MethodSource("secured")
    void resumedSessionsGoBeforeNewOnes(Network network) throws IOException {
        boolean areServed = false;
        for (int i = 0; i < TRIES && !areServed; i++) {
            areServed = areServedInOrder(network);
        }
        assertTrue(areServed, () -> "rejected, or in this order: " + order);
    }

    private boolean areServedInOrder(Network network) throws IOException {
        release = new CountDownLatch(1);
        order.clear();
        Options one = Options.DEFAULT.withThreads(t -> t.withWorkersMax(1));
        try (Served served = Served.on(network, one, t -> t.get("/page", this::note))) {
            served.stranger().send(get("/page?who=blocker"));
            awaitWaiting(served, 0);
            RawClient stranger = served.stranger().send(get("/page?who=stranger"));
            awaitWaiting(served, 1);
            served.client()
                    .send(get("/now"))
                    .response(); // brings a ticket, for one more connection
            RawClient known = served.client().send(get("/page?who=known"));
            awaitWaiting(served, 2);
            release.countDown();
            int ofKnown = known.response().status();
            int ofStranger = stranger.response().status();
            boolean areServed = ofKnown == 200 && ofStranger == 200;
            return areServed && order.equals(List.of("blocker", "known", "stranger"));
        }
    }

    private static void awaitWaiting(Served served, int count) {
        var admission = ServerInternals.admission(served.server());
        Patience.until(
                count + " waiting",
                () -> {
                    boolean areMet =
                            admission.counters().running() == 1
                                    && admission.waitingCount() == count;
                    return areMet
                            || admission.counters().rejected().values().stream()
                                    .anyMatch(n -> n > 0);
                });
    }
}
