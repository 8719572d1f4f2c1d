package dev.tandem.engine;

import static dev.tandem.engine.http1.WireCases.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.http.Exchange;
import dev.tandem.http.Handler;
import dev.tandem.net.Network;
import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.RawClient;
import dev.tandem.testkit.RawResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Clients that send or read nothing, or disconnect: each is disconnected at its deadline, nothing
/// is logged, and others are served meanwhile.
class SlowClientsTest {
    private static final Duration BRIEF = Duration.ofMillis(150);
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Options OPTIONS =
            Options.DEFAULT
                    .withTimeouts(
                            t ->
                                    t.withHead(BRIEF)
                                            .withBodyGrace(BRIEF)
                                            .withBodyRateMin(100_000)
                                            .withWriteStall(BRIEF))
                    .withThreads(t -> t.withWorkersMax(4));
    /// Of a test in which the client, which may be slow on a busy machine, acts in time.
    private static final Options PATIENT =
            OPTIONS.withTimeouts(t -> t.withHead(LONG).withBodyGrace(LONG));
    private static final byte[] LARGE = new byte[20_000_000];

    private final LogCapture log = LogCapture.of("dev.tandem");

    @BeforeEach
    void logNothing() {
        assertEquals(List.of(), log.lines());
    }

    @AfterEach
    void stop() {
        log.close();
    }

    private static Served served(Network network) {
        return served(network, OPTIONS);
    }

    private static Served served(Network network, Options options) {
        return Served.on(
                network,
                options,
                t ->
                        t.post("/length", SlowClientsTest::length)
                                .get("/loop", Handler.nonBlocking(x -> x.send(LARGE)))
                                .get("/worker", x -> x.send(LARGE))
                                .get("/stream", SlowClientsTest::stream));
    }

    private static void length(Exchange x) throws IOException {
        x.send("" + x.request().body().readAllBytes().length);
    }

    private static void stream(Exchange x) throws IOException {
        try (OutputStream out = x.outputStream()) {
            for (int i = 0; i < 20; i++) {
                out.write(LARGE, 0, 1_000_000);
            }
        }
    }

    private void assertOthersAreServed(Served served) throws IOException {
        RawClient other = served.client();
        assertEquals("Hello, World!", other.send(get("/hello")).response().text());
        assertEquals("now", other.send(get("/now")).response().text());
        other.close();
        served.awaitConnections(0);
        assertEquals(List.of(), log.lines());
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void headThatDoesNotComeGets408(Network network) throws IOException {
        try (Served served = served(network)) {
            RawClient client = served.client();
            client.send("GET /hello HTTP/1.1\nHost:");
            RawResponse response = client.response();
            assertEquals(408, response.status());
            assertTrue(response.saysClose());
            assertTrue(client.isClosedByServer());
            client.close();
            assertOthersAreServed(served);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void bodyThatDoesNotComeGets408(Network network) throws IOException {
        try (Served served = served(network)) {
            RawClient client = served.client();
            client.send("POST /length HTTP/1.1\nHost: a\nContent-Length: 1000\n\nabc");
            RawResponse response = client.response();
            assertEquals(408, response.status());
            assertTrue(response.saysClose());
            assertTrue(client.isClosedByServer());
            client.close();
            assertOthersAreServed(served);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void bodyOfTheMinimumRateIsAccepted(Network network) throws IOException {
        // That such a one may take longer is CollectedBodyTest's.
        try (Served served = served(network, PATIENT)) {
            RawClient client = served.client();
            int size = 3_000_000;
            client.send("POST /length HTTP/1.1\nHost: a\nContent-Length: " + size + "\n\n");
            client.send(new byte[size]);
            assertEquals("" + size, client.response().text());
            client.close();
            assertOthersAreServed(served);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void clientThatReadsNothingIsDisconnected(Network network) throws IOException {
        try (Served served = served(network)) {
            for (String path : List.of("/loop", "/worker", "/stream")) {
                served.client(4096).send(get(path));
            }
            assertOthersAreServed(served);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void manyClientsThatReadNothingDoNotBlockTheLoop(Network network) throws IOException {
        try (Served served = served(network)) {
            for (int i = 0; i < 8; i++) {
                served.client(4096).send(get("/worker"));
            }
            assertOthersAreServed(served);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void disconnectInTheHeadLeavesNothing(Network network) throws IOException {
        try (Served served = served(network, PATIENT)) {
            RawClient client = served.client();
            client.send("GET /hello HTTP/1.1\nHost:");
            client.reset();
            assertOthersAreServed(served);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void disconnectInTheBodyLeavesNothing(Network network) throws IOException {
        try (Served served = served(network, PATIENT)) {
            RawClient resetting = served.client();
            resetting.send("POST /length HTTP/1.1\nHost: a\nContent-Length: 1000\n\nabc");
            resetting.reset();
            RawClient ending = served.client();
            ending.send("POST /length HTTP/1.1\nHost: a\nContent-Length: 1000\n\nabc");
            ending.halfClose();
            assertTrue(ending.isClosedByServer());
            ending.close();
            assertOthersAreServed(served);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/loop", "/worker", "/stream"})
    void disconnectInTheResponseLeavesNothing(String path) throws IOException {
        for (var network : Networks.usable()) {
            try (Served served = served(network.getPayload())) {
                RawClient client = served.client(4096);
                client.send(get(path));
                client.bytes(100);
                client.reset();
                assertOthersAreServed(served);
            }
        }
    }
}
