package dev.tandem.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.tandem.database.Stage;
import dev.tandem.fleet.Fleet;
import dev.tandem.spring.visits.CountingApplication;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import dev.tandem.testkit.RawResponse;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// An application as one instance of a fleet: what it reports, and how it leaves.
class FleetPropertiesTest {
    private static final String GET = "GET /visits HTTP/1.1\nHost: h\n";

    @Test
    void applicationReportsMarksSharesConnectionsAndIsDrainedBeforeItStops(@TempDir Path folder)
            throws Exception {
        Path secret = folder.resolve("secret");
        Files.writeString(secret, "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n");
        RunningApplication site =
                RunningApplication.start(
                        CountingApplication.class,
                        "tandem.fleet.agent=127.0.0.1:0",
                        "tandem.fleet.load-reports=true",
                        "tandem.fleet.capacity=1000",
                        "tandem.fleet.secret=" + secret,
                        "tandem.fleet.notice=1h",
                        "tandem.fleet.ending=1h",
                        "spring.datasource.url=jdbc:h2:mem:fleet",
                        "tandem.data.fleet-connections=20",
                        "tandem.data.fleet-name=localhost");
        HikariDataSource pool = site.context.getBean(HikariDataSource.class);
        assertEquals(1, pool.getMaximumPoolSize(), "until the others have counted it");
        Fleet fleet = site.context.getBean(FleetLifecycle.class).fleet();
        RawClient kept = RawClient.connect(new InetSocketAddress("127.0.0.1", site.port()));
        RawResponse first = kept.send(GET + "\n").response();
        assertEquals(200, first.status());
        String report = String.valueOf(first.field("endpoint-load-metrics"));
        assertTrue(report.startsWith("TEXT application_utilization="), report);
        String cookie = mark(first);
        assertTrue(ask(fleet).startsWith("ready up "), ask(fleet));
        Thread closing = Thread.ofPlatform().start(site::close);
        Patience.until("drain", () -> ask(fleet).equals("drain\n"));
        RawResponse served = kept.send(GET + "Cookie: " + cookie + "\n\n").response();
        assertEquals(200, served.status());
        assertEquals("", mark(served), "it has one");
        assertFalse(served.saysClose(), "balancers still have their notice");
        kept.close();
        Patience.until("maint", () -> !ask(fleet).equals("drain\n"));
        closing.join(); // all balancers know, and no connection is open
        assertEquals("", ask(fleet), "the port is closed");
    }

    private static String mark(RawResponse response) {
        return response.fieldLines().stream()
                .filter(line -> line.contains("tandem-mark="))
                .map(line -> line.substring(line.indexOf("tandem-"), line.indexOf(';')))
                .findFirst()
                .orElse("");
    }

    private static String ask(Fleet fleet) {
        try (var socket = new Socket()) {
            socket.connect(fleet.agentAddress(), 10_000);
            socket.getOutputStream().write('\n');
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            return "";
        }
    }

    @Test
    void invalidPropertiesAreNamed() {
        assertEquals(
                "tandem.fleet.agent must be ADDR:PORT, was '8091'",
                rejection(() -> fleet("8091", List.of())));
        assertEquals(
                "tandem.fleet.agent must be ADDR:PORT, was 'a:65536'",
                rejection(() -> fleet("a:65536", List.of())));
        assertTrue(
                rejection(() -> fleet("0.0.0.0:8091", List.of()))
                        .startsWith("tandem.fleet.peers is missing"));
        assertTrue(
                rejection(() -> fleet("127.0.0.1:1", List.of("x")))
                        .startsWith("tandem.fleet.peers: "));
        assertEquals(
                "tandem.data.fleet-connections and tandem.data.fleet-name belong together",
                rejection(() -> data(20, null)));
        assertEquals(
                "tandem.data.fleet-connections must be 2 to 1000000, was 1",
                rejection(() -> data(1, "shop")));
    }

    private static Object fleet(String agent, List<String> peers) {
        Duration some = Duration.ofSeconds(5);
        return new TandemProperties.Fleet(agent, peers, 0, false, 0, some, some, null);
    }

    private static Object data(int connections, @Nullable String name) {
        return new TandemProperties.Data(
                true, Duration.ofSeconds(20), Stage.LateUse.REACQUIRE, connections, name);
    }

    private static String rejection(Supplier<Object> making) {
        var e = assertThrows(IllegalArgumentException.class, making::get);
        return String.valueOf(e.getMessage());
    }
}
