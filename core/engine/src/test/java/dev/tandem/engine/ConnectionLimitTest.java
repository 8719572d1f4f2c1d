package dev.tandem.engine;

import static dev.tandem.engine.http1.WireCases.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.net.Network;
import dev.tandem.testkit.RawClient;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A limit of three connections, over real sockets.
class ConnectionLimitTest {
    private static final Options THREE =
            Options.DEFAULT
                    .withLimits(l -> l.withConnectionsMax(3))
                    .withThreads(t -> t.withLoops(1));

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void newConnectionReplacesTheLongestIdle(Network network) throws IOException {
        try (Served served = Served.on(network, THREE, t -> t)) {
            RawClient first = served.idleClient();
            RawClient second = served.idleClient();
            RawClient third = served.idleClient();
            first.send(get("/now")).response();
            RawClient newClient = served.client();
            assertEquals("now", newClient.send(get("/now")).response().text());
            assertTrue(second.isClosedByServer());
            assertEquals("now", first.send(get("/now")).response().text());
            assertEquals("Hello, World!", third.send(get("/hello")).response().text());
            assertEquals(3, served.server().connectionCount());
        }
    }

    /// Heads that never end must not keep all others out until their time is over.
    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void newConnectionReplacesOneWithAnIncompleteHead(Network network) throws IOException {
        try (Served served = Served.on(network, THREE, t -> t)) {
            for (int i = 0; i < 3; i++) {
                served.idleClient().send("GET /now HT");
            }
            for (int i = 0; i < 2; i++) {
                assertEquals("now", served.client().send(get("/now")).response().text());
            }
            assertEquals(3, served.server().connectionCount());
        }
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void manyClientsThatStayAreAllServedOnce(Network network) throws IOException {
        try (Served served = Served.on(network, THREE, t -> t)) {
            for (int i = 0; i < 50; i++) {
                assertEquals("now", served.client().send(get("/now")).response().text());
            }
            assertTrue(served.server().connectionCount() <= 3);
        }
    }
}
