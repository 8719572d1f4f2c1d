package dev.tandem.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.http.Exchange;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Whether a handler that has nothing to say learns that its client has left.
@Timeout(60)
class DisconnectProbeTest {
    private final CountDownLatch hasLooked = new CountDownLatch(1);
    private final CountDownLatch goesOn = new CountDownLatch(1);
    private final CompletableFuture<Boolean> isGone = new CompletableFuture<>();
    private Server server;
    private RawClient client;

    @BeforeEach
    void start() throws IOException {
        server =
                Tandem.listen("127.0.0.1", 0)
                        .get("/waits", this::wait)
                        .get("/half", this::half)
                        .get("/next", x -> x.send("next"))
                        .start();
        client = RawClient.connect(server.address());
    }

    @AfterEach
    void stop() throws IOException {
        goesOn.countDown();
        client.close();
        server.stop(Duration.ofSeconds(5));
    }

    /// Looks once, lets the test do something, and looks until the client is gone, for a while.
    private void wait(Exchange x) throws Exception {
        boolean atFirst = x.isClientDisconnected();
        hasLooked.countDown();
        goesOn.await();
        for (int i = 0; i < 500 && !x.isClientDisconnected(); i++) {
            Thread.sleep(1);
        }
        isGone.complete(!atFirst && x.isClientDisconnected());
        x.send("still there");
    }

    /// Looks for the first time when the client's end is there.
    private void half(Exchange x) throws Exception {
        goesOn.await();
        for (int i = 0; i < 20; i++) {
            assertFalse(x.isClientDisconnected());
            Thread.sleep(1);
        }
        x.send("all of it");
    }

    private void ask(String path) throws IOException {
        client.send("GET " + path + " HTTP/1.1\nHost: a\n\n");
    }

    private boolean isFoundGone() throws Exception {
        goesOn.countDown();
        return isGone.get(20, TimeUnit.SECONDS);
    }

    @Test
    void whoClosesWhileItsRequestRunsIsGone() throws Exception {
        ask("/waits");
        hasLooked.await();
        client.close();
        assertTrue(isFoundGone());
        Patience.until("its connection's end", () -> server.connectionCount() == 0);
    }

    @Test
    void whoResetsIsGone() throws Exception {
        ask("/waits");
        hasLooked.await();
        client.reset();
        assertTrue(isFoundGone());
    }

    @Test
    void whoWaitsIsNotAndWhatItSentMeanwhileIsAnswered() throws Exception {
        ask("/waits");
        hasLooked.await();
        ask("/next");
        assertFalse(isFoundGone());
        assertEquals("still there", client.response().text());
        assertEquals("next", client.response().text());
    }

    @Test
    void whoClosesItsOwnSideBehindItsRequestIsAnswered() throws Exception {
        ask("/half");
        client.halfClose();
        goesOn.countDown();
        assertEquals("all of it", client.response().text());
    }
}
