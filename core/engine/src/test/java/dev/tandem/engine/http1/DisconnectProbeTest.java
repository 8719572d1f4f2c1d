package dev.tandem.engine.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tandem.Options;
import dev.tandem.engine.OverTls;
import dev.tandem.engine.Served;
import dev.tandem.http.Exchange;
import dev.tandem.net.Network;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// Whether a handler that sends nothing notices that its client has disconnected.
@Timeout(60)
@ParameterizedClass
@MethodSource("dev.tandem.engine.Networks#usable")
class DisconnectProbeTest {
    /// Maximum number of a handler's checks: 20 s.
    private static final int LOOKS_MAX = 20_000;

    /// More than is read while a request runs, unless the network needs it.
    private static final int MUCH = 100 << 10;

    /// Neither reading nor the kernel takes so much.
    private static final int BODY = 10_000_000;

    private final Network network;

    private final CountDownLatch hasLooked = new CountDownLatch(1);
    private final CountDownLatch goesOn = new CountDownLatch(1);
    private final CompletableFuture<Boolean> isGone = new CompletableFuture<>();
    private Served site;
    private RawClient client;

    DisconnectProbeTest(Network network) {
        this.network = network;
    }

    @BeforeEach
    void start() throws IOException {
        site =
                Served.on(
                        network,
                        Options.DEFAULT,
                        tandem ->
                                tandem.get("/waits", this::look)
                                        .post("/waits", this::look)
                                        .get("/stays", this::stay)
                                        .get("/half", this::half)
                                        .get("/next", x -> x.send("next")));
        client = site.client();
    }

    @AfterEach
    void stop() throws IOException {
        goesOn.countDown();
        site.close();
    }

    /// Checks once, lets the test do something, and checks until the client has disconnected.
    private void look(Exchange x) throws Exception {
        boolean atFirst = x.isClientDisconnected();
        hasLooked.countDown();
        goesOn.await();
        for (int i = 0; i < LOOKS_MAX && !x.isClientDisconnected(); i++) {
            Thread.sleep(1);
        }
        isGone.complete(!atFirst && x.isClientDisconnected());
    }

    /// Checks once, lets the test do something, and checks for a while.
    private void stay(Exchange x) throws Exception {
        boolean isEverGone = x.isClientDisconnected();
        hasLooked.countDown();
        goesOn.await();
        for (int i = 0; i < 200; i++) {
            isEverGone |= x.isClientDisconnected();
            Thread.sleep(1);
        }
        isGone.complete(isEverGone);
        x.send("still there");
    }

    /// Checks for the first time when the client's FIN is there.
    private void half(Exchange x) throws Exception {
        goesOn.await();
        for (int i = 0; i < 20; i++) {
            assertFalse(x.isClientDisconnected());
            Thread.sleep(1);
        }
        x.send("all of it");
    }

    private void ask(String path) throws IOException {
        client.send("GET " + path + " HTTP/1.1\nHost: localhost\n\n");
    }

    private boolean isFoundGone() throws Exception {
        goesOn.countDown();
        return isGone.get(25, TimeUnit.SECONDS);
    }

    @Test
    void closeWhileTheRequestRunsIsADisconnect() throws Exception {
        ask("/waits");
        hasLooked.await();
        client.close();
        assertTrue(isFoundGone());
        Patience.until("its connection's end", () -> site.server().connectionCount() == 0);
    }

    /// Over TLS, where the end of the client's data is known before that of its connection (RFC
    /// 8446, section 6.1).
    @Test
    void closeNotifyWithoutFinIsADisconnect() throws Exception {
        assumeTrue(network instanceof OverTls);
        ask("/waits");
        hasLooked.await();
        client.halfClose();
        assertTrue(isFoundGone());
    }

    @Test
    void resetIsADisconnect() throws Exception {
        ask("/waits");
        hasLooked.await();
        client.reset();
        assertTrue(isFoundGone());
    }

    @Test
    void closeBehindMuchPipelinedInputIsADisconnect() throws Exception {
        ask("/waits");
        hasLooked.await();
        goesOn.countDown();
        client.send(new byte[MUCH]);
        client.close();
        assertTrue(isFoundGone());
        Patience.until("its connection's end", () -> site.server().connectionCount() == 0);
    }

    @Test
    void resetBehindMuchPipelinedInputIsADisconnect() throws Exception {
        ask("/waits");
        hasLooked.await();
        goesOn.countDown();
        client.send(new byte[MUCH]);
        client.reset();
        assertTrue(isFoundGone());
    }

    /// Nothing may be read: it is the body.
    @Test
    void resetWithAnUnreadBodyIsADisconnect() throws Exception {
        client.send("POST /waits HTTP/1.1\nHost: localhost\nContent-Length: " + BODY + "\n\n");
        client.send(new byte[MUCH]);
        hasLooked.await();
        client.reset();
        assertTrue(isFoundGone());
    }

    @Test
    void waitingClientIsConnected_andItsPipelinedRequestsAreServed() throws Exception {
        ask("/stays");
        hasLooked.await();
        ask("/next");
        assertFalse(isFoundGone());
        assertEquals("still there", client.response().text());
        assertEquals("next", client.response().text());
    }

    @Test
    void waitingClientWithMuchPipelinedInputIsConnected() throws Exception {
        ask("/stays");
        hasLooked.await();
        goesOn.countDown();
        int count = MUCH / 40;
        Served.ASIDE.execute(() -> askForNext(count));
        assertFalse(isFoundGone());
        assertEquals("still there", client.response().text());
        for (int i = 0; i < count; i++) {
            assertEquals("next", client.response().text());
        }
    }

    private void askForNext(int count) {
        try {
            client.send("GET /next HTTP/1.1\nHost: localhost\n\n".repeat(count));
        } catch (IOException e) {
            isGone.completeExceptionally(e);
        }
    }

    /// Not over TLS, where engines differ in one-sided closing.
    @Test
    void halfCloseRightBehindTheRequestIsNoDisconnect() throws Exception {
        assumeFalse(network instanceof OverTls);
        ask("/half");
        client.halfClose();
        goesOn.countDown();
        assertEquals("all of it", client.response().text());
    }
}
