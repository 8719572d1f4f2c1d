package dev.tandem.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.net.Network;
import dev.tandem.testkit.FreePort;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Conditions of a start, and the messages when one is missing.
class StartTest {

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void portInUseIsNamed(Network network) throws IOException {
        try (Served served = Served.on(network)) {
            int port = served.server().port();
            var rejection =
                    assertThrows(
                            IOException.class,
                            () -> Tandem.listen("127.0.0.1", port).network(network).start());
            assertTrue(String.valueOf(rejection.getMessage()).contains(":" + port), "" + rejection);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void closedPortCanBeUsedAgain(Network network) throws IOException {
        Server first = Tandem.listen("127.0.0.1", FreePort.find()).network(network).start();
        assertTrue(first.stop(Duration.ofSeconds(20)));
        Server second = Tandem.listen("127.0.0.1", first.port()).network(network).start();
        assertEquals(first.address(), second.address());
        assertTrue(second.stop(Duration.ofSeconds(20)));
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void networkIsNamed(Network network) throws IOException {
        try (Served served = Served.on(network)) {
            assertEquals(network.name(), served.server().network());
        }
    }

    @Test
    void unknownHostIsNamed() {
        var rejection =
                assertThrows(IOException.class, () -> Tandem.listen("nowhere.invalid", 0).start());
        assertEquals("cannot listen on nowhere.invalid: unknown host", rejection.getMessage());
    }

    @Test
    void conflictingRoutesAreNamed() {
        Tandem tandem = Tandem.listen(0).get("/a/{b}", x -> x.send()).get("/a/{c}", x -> x.send());
        var rejection = assertThrows(IllegalArgumentException.class, tandem::start);
        assertTrue(String.valueOf(rejection.getMessage()).contains("/a/{b}"), "" + rejection);
    }

    @Test
    void secondStopDoesNothing() throws IOException {
        Server server = Tandem.listen("127.0.0.1", 0).start();
        assertTrue(server.stop(Duration.ofSeconds(20)));
        assertTrue(server.stop(Duration.ofSeconds(20)));
        server.close();
    }

    @Test
    void joinWaitsForTheStop() throws Exception {
        Server server = Tandem.listen("127.0.0.1", 0).start();
        Thread joined =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    try {
                                        server.join();
                                    } catch (InterruptedException e) {
                                        Thread.currentThread().interrupt();
                                    }
                                });
        assertTrue(joined.isAlive());
        server.stop(Duration.ofSeconds(20));
        joined.join(20_000);
        assertTrue(!joined.isAlive());
    }
}
