package dev.tandem.engine;

import static dev.tandem.engine.http1.WireCases.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.ErrorPage;
import dev.tandem.Options;
import dev.tandem.ServerInternals;
import dev.tandem.net.Network;
import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import dev.tandem.testkit.RawResponse;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A site's own page for rejected requests.
class RejectionPageTest {
    private final CountDownLatch release = new CountDownLatch(1);
    private final LogCapture log = LogCapture.of("dev.tandem.engine");

    @AfterEach
    void end() {
        release.countDown();
        log.close();
    }

    @Test
    void pageIsSentByTheLoopWhileAllWorkersAreBusy() throws IOException {
        try (Served served = served((x, message) -> x.html("<h1>" + where() + "</h1>"))) {
            RawClient rejected = rejected(served);
            RawResponse response = rejected.response();
            assertEquals(503, response.status());
            assertEquals("<h1>true</h1>", response.text());
            assertNotNull(response.field("Retry-After"));
            release.countDown();
        }
    }

    @Test
    void pageThatStreamsFailsAndIsLogged() throws IOException {
        try (Served served = served((x, message) -> x.outputStream().write(1))) {
            RawClient rejected = rejected(served);
            assertEquals(0, rejected.restOrCut().length);
            Patience.until(
                    "a line",
                    () -> !log.messages(line -> line.contains("error page failed")).isEmpty());
            RawClient other = served.client().send(get("/now"));
            assertEquals(200, other.response().status());
            release.countDown();
        }
    }

    @Test
    void pageReachesAClientThatHasSentItsNextRequest() throws IOException {
        var asked = new CountDownLatch(1);
        var responded = new CountDownLatch(1);
        ErrorPage page =
                (x, message) -> {
                    asked.countDown();
                    await(responded);
                    x.html("later");
                };
        try (Served served = served(page)) {
            RawClient rejected = rejected(served);
            await(asked);
            rejected.send(get("/now"));
            responded.countDown();
            assertEquals(503, rejected.response().status());
            assertEquals(0, rejected.halfClose().rest().length); // a reset would throw
            release.countDown();
        }
    }

    private static void await(CountDownLatch latch) throws IOException {
        try {
            assertTrue(latch.await(20, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private static boolean where() {
        return Thread.currentThread().getName().startsWith("tandem-loop");
    }

    private Served served(ErrorPage page) {
        return Served.on(
                Network.best(),
                Options.DEFAULT.withThreads(t -> t.withWorkersMax(1)),
                tandem -> tandem.errorPage(page).get("/wait", x -> release.await()));
    }

    /// Sends a request that waits behind a running one, and is rejected when its wait expires.
    private static RawClient rejected(Served served) throws IOException {
        var admission = ServerInternals.admission(served.server());
        served.client().send(get("/wait"));
        Patience.until("a run", () -> admission.counters().running() == 1);
        RawClient waiting = served.client().send(get("/wait"));
        Patience.until(
                "a rejection",
                () -> admission.counters().rejected().values().stream().anyMatch(n -> n > 0));
        assertTrue(admission.counters().running() == 1);
        return waiting;
    }
}
