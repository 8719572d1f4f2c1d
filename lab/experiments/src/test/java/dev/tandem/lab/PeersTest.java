package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Honest and other peers at a real target.
@Timeout(60)
class PeersTest {
    private static final Pattern COMPLETED =
            Pattern.compile("streams_total\\{result=\"completed\"} (\\d+)");

    private final Target target;
    private final Server server;

    PeersTest(@TempDir Path root) throws IOException {
        Files.createDirectories(root.resolve("static"));
        Files.write(root.resolve("static/100k.bin"), new byte[100 * 1_024]);
        target = new Target(root);
        server = target.addTo(Tandem.listen("127.0.0.1", 0).manage("127.0.0.1", 0)).start();
    }

    @AfterEach
    void stop() {
        server.stop(Duration.ZERO);
        target.close();
    }

    private static String metrics(Server of) {
        var at = Objects.requireNonNull(of.managementAddress());
        try (var client = RawClient.connect(at)) {
            return client.send("GET /metrics HTTP/1.1\nHost: localhost\n\n").response().text();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean hasCompleted(int streams) {
        Matcher completed = COMPLETED.matcher(metrics(server));
        return completed.find() && Integer.parseInt(completed.group(1)) >= streams;
    }

    @ParameterizedTest
    @EnumSource(names = {"HONEST", "HONEST_FILES"})
    void honestLoadIsServedAndNeverClosed(PeerBehaviour honest) {
        try (Peers peers = Peers.start(honest, server.address(), 3)) {
            Patience.until("many responses", () -> hasCompleted(2_000));
            assertEquals("closed 0 calmed 0 reset 0", peers.tally().line());
            assertEquals(3, server.connectionCount());
        }
        assertTrue(!metrics(server).contains("goaways_total{"), "none has ended");
    }

    /// A window that only stays closed is ended after a minute: Http2AttacksTest has it in virtual
    /// time.
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"HONEST", "HONEST_FILES", "WINDOW_STALL"})
    void attackIsClosedAgainAndAgain(PeerBehaviour attack) {
        try (Peers peers = Peers.start(attack, server.address(), 2)) {
            Patience.until("closed often", () -> peers.tally().closed() >= 3);
        }
        assertTrue(metrics(server).contains("goaways_total{code=\"enhance_your_calm\"}"));
    }

    @Test
    void behavioursHaveNames() {
        assertEquals(PeerBehaviour.RAPID_RESET, PeerBehaviour.named("rapid-reset"));
        var unknown =
                assertThrows(IllegalArgumentException.class, () -> PeerBehaviour.named("reset"));
        assertTrue(String.valueOf(unknown.getMessage()).startsWith("'reset' is none of honest, "));
        assertEquals(
                new Peers.Tally(3, 2, 1), Peers.Tally.parse(new Peers.Tally(3, 2, 1).line() + " "));
    }

    @Test
    void otherMachinesAreNotAttacked() {
        var other = new InetSocketAddress("192.0.2.1", 80);
        assertThrows(
                IllegalArgumentException.class, () -> Peers.start(PeerBehaviour.PING, other, 1));
    }
}
