package dev.tandem.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.net.Network;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What a server needs to start, and what it says if that is not to be had.
class StartTest {

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void aPortThatIsTakenIsNamed(Network network) throws IOException {
        try (Served served = Served.on(network)) {
            int port = served.server().port();
            var refusal =
                    assertThrows(
                            IOException.class,
                            () -> Tandem.listen("127.0.0.1", port).network(network).start());
            assertTrue(String.valueOf(refusal.getMessage()).contains(":" + port), "" + refusal);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void aPortThatWasGivenUpCanBeTakenAgain(Network network) throws IOException {
        Server first = Tandem.listen("127.0.0.1", 0).network(network).start();
        assertTrue(first.stop(Duration.ofSeconds(20)));
        Server second = Tandem.listen("127.0.0.1", first.port()).network(network).start();
        assertEquals(first.address(), second.address());
        assertTrue(second.stop(Duration.ofSeconds(20)));
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void itSaysWhichNetworkItUses(Network network) throws IOException {
        try (Served served = Served.on(network)) {
            assertEquals(network.name(), served.server().network());
        }
    }

    @Test
    void aHostThatIsUnknownIsNamed() {
        var refusal =
                assertThrows(IOException.class, () -> Tandem.listen("nowhere.invalid", 0).start());
        assertEquals("cannot listen on nowhere.invalid: unknown host", refusal.getMessage());
    }

    @Test
    void routesThatAreInConflictAreNamed() {
        Tandem tandem = Tandem.listen(0).get("/a/{b}", x -> x.send()).get("/a/{c}", x -> x.send());
        var refusal = assertThrows(IllegalArgumentException.class, tandem::start);
        assertTrue(String.valueOf(refusal.getMessage()).contains("/a/{b}"), "" + refusal);
    }

    @Test
    void stoppingTwiceIsStoppingOnce() throws IOException {
        Server server = Tandem.listen("127.0.0.1", 0).start();
        assertTrue(server.stop(Duration.ofSeconds(20)));
        assertTrue(server.stop(Duration.ofSeconds(20)));
        server.close();
    }

    @Test
    void whoJoinsWaitsForTheStop() throws Exception {
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
