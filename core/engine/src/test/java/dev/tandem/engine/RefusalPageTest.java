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

/// The site's own page for those who are refused.
class RefusalPageTest {
    private final CountDownLatch release = new CountDownLatch(1);
    private final LogCapture log = LogCapture.of("dev.tandem.engine");

    @AfterEach
    void end() {
        release.countDown();
        log.close();
    }

    @Test
    void isShownByTheLoopWhileAllWorkersAreTaken() throws IOException {
        try (Served served = served((x, message) -> x.html("<h1>" + where() + "</h1>"))) {
            RawClient refused = refused(served);
            RawResponse answer = refused.response();
            assertEquals(503, answer.status());
            assertEquals("<h1>true</h1>", answer.text());
            assertNotNull(answer.field("Retry-After"));
            release.countDown();
        }
    }

    @Test
    void oneThatStreamsCostsItsClientTheAnswerAndIsLogged() throws IOException {
        try (Served served = served((x, message) -> x.outputStream().write(1))) {
            RawClient refused = refused(served);
            assertEquals(0, refused.restOrCut().length);
            Patience.until(
                    "a line",
                    () -> !log.messages(line -> line.contains("error page failed")).isEmpty());
            RawClient other = served.client().send(get("/now"));
            assertEquals(200, other.response().status());
            release.countDown();
        }
    }

    @Test
    void isReadByOneWhoseNextRequestComesMeanwhile() throws IOException {
        var asked = new CountDownLatch(1);
        var answered = new CountDownLatch(1);
        ErrorPage page =
                (x, message) -> {
                    asked.countDown();
                    await(answered);
                    x.html("later");
                };
        try (Served served = served(page)) {
            RawClient refused = refused(served);
            await(asked);
            refused.send(get("/now"));
            answered.countDown();
            assertEquals(503, refused.response().status());
            assertEquals(0, refused.halfClose().rest().length); // a reset would throw
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

    /// One that waits behind a run that goes on, and is refused once it waited for too long.
    private static RawClient refused(Served served) throws IOException {
        var admission = ServerInternals.admission(served.server());
        served.client().send(get("/wait"));
        Patience.until("a run", () -> admission.counters().running() == 1);
        RawClient waiting = served.client().send(get("/wait"));
        Patience.until(
                "a refusal",
                () -> admission.counters().refused().values().stream().anyMatch(n -> n > 0));
        assertTrue(admission.counters().running() == 1);
        return waiting;
    }
}
