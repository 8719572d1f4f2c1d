package dev.tandem.engine;

import static dev.tandem.engine.http1.WireCases.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.http.EventChannel;
import dev.tandem.http.EventOptions;
import dev.tandem.net.Network;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Channels of events over sockets, plain and under TLS.
@Timeout(60)
class EventsOverSocketsTest {
    private static final String NETWORKS = "dev.tandem.engine.Networks#usable";
    private static final int EVENTS = 200;

    private final EventChannel channel =
            EventChannel.of(EventOptions.DEFAULT.withUnsentMax(1 << 20));

    private Served serve(Network network, Options options) {
        return Served.on(network, options, t -> t.get("/events", channel::subscribe));
    }

    private static RawClient subscribe(Served served, int receiveBuffer) throws IOException {
        RawClient client = served.client(receiveBuffer).send(get("/events"));
        assertTrue(until(client, "\nid: ").startsWith("HTTP/1.1 200"), "no stream");
        return client;
    }

    private static String until(RawClient client, String wanted) throws IOException {
        var text = new StringBuilder();
        while (text.indexOf(wanted) < 0) {
            byte[] bytes = client.bytes(4096);
            assertTrue(bytes.length > 0, () -> wanted + " did not come after " + text);
            text.append(new String(bytes, StandardCharsets.ISO_8859_1));
        }
        return text.toString();
    }

    /// Subscribers come and go while others get each event once, in order.
    @ParameterizedTest
    @MethodSource(NETWORKS)
    void eventsArriveInOrderWhileSubscribersComeAndGo(Network network) throws Exception {
        try (Served served = serve(network, Options.DEFAULT)) {
            List<RawClient> steady = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                steady.add(subscribe(served, 0));
            }
            var published = new AtomicInteger();
            CompletableFuture<Void> publisher =
                    CompletableFuture.runAsync(
                            () -> {
                                for (int i = 0; i < EVENTS; i++) {
                                    channel.publish("n" + published.getAndIncrement() + ";");
                                    Thread.yield();
                                }
                            },
                            Served.ASIDE);
            for (int i = 0; i < 20; i++) {
                RawClient brief = subscribe(served, 0);
                if (i % 2 == 0) {
                    brief.close();
                } else {
                    brief.reset();
                }
            }
            publisher.join();
            for (RawClient client : steady) {
                String text = until(client, "n" + (EVENTS - 1) + ";");
                int at = -1;
                for (int i = 0; i < EVENTS; i++) {
                    int next = text.indexOf("data: n" + i + ";");
                    assertTrue(next > at, "event " + i);
                    at = next;
                }
            }
            Patience.until("five are left", () -> channel.subscriberCount() == 5);
        }
        assertEquals(0, channel.subscriberCount());
    }

    @ParameterizedTest
    @MethodSource(NETWORKS)
    void clientThatReadsNothingIsDisconnectedAndOthersAreNot(Network network) throws Exception {
        Options options =
                Options.DEFAULT.withTimeouts(t -> t.withWriteStall(Duration.ofMillis(300)));
        try (Served served = serve(network, options)) {
            RawClient other = subscribe(served, 0);
            subscribe(served, 4096);
            // Fits the kernel's buffers, so that the one that reads is never late.
            String large = "x".repeat(1 << 15);
            for (int i = 0; channel.subscriberCount() == 2 && i < 2000; i++) {
                channel.publish(large + i + ";");
                until(other, "x" + i + ";");
            }
            Patience.until("it is disconnected", () -> channel.subscriberCount() == 1);
            channel.publish("after");
            until(other, "data: after\n\n");
            served.awaitConnections(1);
        }
    }

    @ParameterizedTest
    @MethodSource(NETWORKS)
    void stoppedServerEndsItsStreamsAtOnce(Network network) throws Exception {
        try (Served served = serve(network, Options.DEFAULT)) {
            RawClient client = subscribe(served, 0);
            channel.publish("last");
            assertTrue(served.server().stop(Duration.ofSeconds(20)));
            String rest = new String(client.rest(), StandardCharsets.ISO_8859_1);
            assertTrue(rest.endsWith("data: last\n\n\r\n0\r\n\r\n"), rest);
        }
    }

    @ParameterizedTest
    @MethodSource(NETWORKS)
    void closedChannelEndsItsStreams(Network network) throws Exception {
        try (Served served = serve(network, Options.DEFAULT)) {
            RawClient client = subscribe(served, 0);
            channel.close();
            String rest = new String(client.rest(), StandardCharsets.ISO_8859_1);
            assertTrue(rest.endsWith("0\r\n\r\n"), rest);
            RawClient late = served.client().send(get("/events"));
            assertEquals(204, late.response().status());
        }
    }
}
