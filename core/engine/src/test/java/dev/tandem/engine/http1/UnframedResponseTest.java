package dev.tandem.engine.http1;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.engine.Served;
import dev.tandem.engine.loop.LoopExchange;
import dev.tandem.engine.loop.LoopHandler;
import dev.tandem.http.EventChannel;
import dev.tandem.http.Exchange;
import dev.tandem.net.Network;
import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.RawClient;
import java.io.IOException;
import java.io.OutputStream;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Content that ends with the connection, as that of an unknown length does for a client of
/// HTTP/1.0: a part of it must not look complete.
@Timeout(60)
class UnframedResponseTest {
    private final CountDownLatch release = new CountDownLatch(1);
    private final EventChannel events = EventChannel.of();

    private Served served(Network network) {
        return Served.on(
                network,
                Options.DEFAULT,
                t ->
                        t.get("/whole", UnframedResponseTest::sendWhole)
                                .get("/whole-and-failing", UnframedResponseTest::sendWholeAndFail)
                                .get("/part", this::sendPart)
                                .get("/waiting", this::waitBehindAPart)
                                .get("/whole-on-loop", x -> begin(x, new OnLoop(x, true)))
                                .get("/part-on-loop", x -> begin(x, new OnLoop(x, false)))
                                .get("/events", events::subscribe)
                                .get("/broken-events", this::subscribeAndFail));
    }

    private static void begin(Exchange x, LoopHandler handler) {
        LoopExchange.begin(x, handler);
    }

    private static void sendWhole(Exchange x) throws IOException {
        OutputStream out = x.outputStream();
        out.write('a');
        out.flush();
        out.write('b');
    }

    private static void sendWholeAndFail(Exchange x) throws IOException {
        try (OutputStream out = x.outputStream()) {
            out.write('a');
            out.flush();
        }
        throw new IllegalStateException("on purpose");
    }

    private void sendPart(Exchange x) throws Exception {
        OutputStream out = x.outputStream();
        out.write('a');
        out.flush();
        assertTrue(release.await(20, TimeUnit.SECONDS));
        throw new IllegalStateException("on purpose");
    }

    private void waitBehindAPart(Exchange x) throws Exception {
        OutputStream out = x.outputStream();
        out.write('a');
        out.flush();
        assertTrue(release.await(20, TimeUnit.SECONDS));
    }

    private void subscribeAndFail(Exchange x) throws IOException {
        events.subscribe(x);
        throw new IllegalStateException("on purpose");
    }

    /// Responds on the loop, as the proxy does.
    private record OnLoop(Exchange x, boolean isWhole) implements LoopHandler {
        @Override
        public void proceed(LoopExchange on) throws IOException {
            OutputStream out = x.outputStream();
            out.write('a');
            out.flush();
            if (!isWhole) {
                throw new IllegalStateException("on purpose");
            }
            out.write('b');
            on.end();
        }

        @Override
        public void ended() {}
    }

    private static RawClient ask(Served served, String path) throws IOException {
        return served.client().send("GET " + path + " HTTP/1.0\n\n");
    }

    private static void assertWhole(RawClient client, String content) throws IOException {
        String response = new String(client.rest(), StandardCharsets.US_ASCII);
        assertTrue(response.endsWith("\r\n\r\n" + content), response);
        assertFalse(response.contains("Content-Length"), response);
    }

    /// By a reset, or over TLS at least without close_notify.
    private static void assertCut(RawClient client) {
        var end = assertThrows(IOException.class, client::rest);
        assertFalse(end instanceof SocketTimeoutException, end.toString());
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void wholeResponseEndsInOrder(Network network) throws IOException {
        try (Served served = served(network)) {
            assertWhole(ask(served, "/whole"), "ab");
            assertWhole(ask(served, "/whole-on-loop"), "ab");
            assertWhole(ask(served, "/whole-and-failing"), "a");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void failedResponseIsCut(Network network) throws IOException {
        try (var _ = LogCapture.of("dev.tandem");
                Served served = served(network)) {
            RawClient client = ask(served, "/part");
            assertTrue(client.bytes(1).length > 0);
            release.countDown();
            assertCut(client);
            assertCut(ask(served, "/part-on-loop"));
            served.awaitConnections(0);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void responseOfAServerThatDoesNotWaitIsCut(Network network) throws Exception {
        try (var _ = LogCapture.of("dev.tandem");
                Served served = served(network)) {
            RawClient client = ask(served, "/waiting");
            assertTrue(client.bytes(1).length > 0);
            var stop =
                    CompletableFuture.supplyAsync(
                            () -> served.server().stop(Duration.ofMillis(100)), Served.ASIDE);
            assertCut(client);
            assertFalse(stop.get(20, TimeUnit.SECONDS));
        }
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void feedEndsInOrderUnlessItFails(Network network) throws IOException {
        try (var _ = LogCapture.of("dev.tandem");
                Served served = served(network)) {
            assertCut(ask(served, "/broken-events"));
            RawClient client = ask(served, "/events");
            assertTrue(client.bytes(1).length > 0);
            events.close();
            client.rest();
            served.awaitConnections(0);
        }
    }
}
