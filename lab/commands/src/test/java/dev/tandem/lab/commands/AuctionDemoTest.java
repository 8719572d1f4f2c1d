package dev.tandem.lab.commands;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Server;
import dev.tandem.cli.command.Failure;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import dev.tandem.testkit.RawResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Runs the real auction, with real clients and the console.
class AuctionDemoTest {
    private static final int CLIENTS = 3;

    private static final Map<String, String> SMALL =
            Map.of("auction.users", "50", "auction.items", "100", "auction.olditems", "20");

    @BeforeEach
    void keepItSmall() {
        SMALL.forEach(System::setProperty);
    }

    @AfterEach
    void forget() {
        SMALL.keySet().forEach(System::clearProperty);
    }

    @Test
    void shopServesPagesAndItsClientsAreCounted() {
        var console = new Console(false, AuctionDemoTest::checkPages);
        int status =
                console.execute(
                        "demo",
                        "--listen",
                        "127.0.0.1:0",
                        "--manage",
                        "127.0.0.1:0",
                        "--users",
                        "" + CLIENTS);
        assertEquals(0, status, console.err());
        assertTrue(console.out().contains("is an auction"), console.out());
        assertTrue(console.out().contains("shows the console and metrics"), console.out());
    }

    private static void checkPages(Server server) {
        try {
            InetSocketAddress inside = Objects.requireNonNull(server.managementAddress());
            String home = get(server.address(), "/").text();
            assertTrue(home.contains("<meta name=\"page\" content=\"Home\">"), home);
            String link = "http://127.0.0.1:" + inside.getPort() + "/";
            assertTrue(home.contains("<a href=\"" + link + "\">"), home);
            assertEquals(200, get(inside, "/console").status());
            Patience.until("clients", () -> server.connectionCount() >= CLIENTS);
            assertTrue(state(inside).contains("\"tandem_database_pool_idle\""), "no pool is shown");
            Patience.until("a route", () -> state(inside).contains("\"route\":\"/"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.stop(Duration.ZERO);
    }

    private static String state(InetSocketAddress inside) {
        try {
            return get(inside, "/console/state").text();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static RawResponse get(InetSocketAddress at, String path) throws IOException {
        try (var client = RawClient.connect(at)) {
            return client.send("GET " + path + " HTTP/1.1\nHost: localhost\n\n").response();
        }
    }

    @Test
    void tooManyClientsAreRejected() {
        var console = Console.plain();
        int status = console.execute("demo", "--users", "10001");
        assertEquals(Failure.USAGE_ERROR, status);
        assertTrue(console.err().contains("--users must be 0..10000"), console.err());
    }
}
