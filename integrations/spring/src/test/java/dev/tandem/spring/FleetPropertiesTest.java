package dev.tandem.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// An application as one instance of a fleet: what it reports, and how it leaves.
class FleetPropertiesTest {
    private static final String GET = "GET /visits HTTP/1.1\nHost: h\n";
    private static final String AGENT = "tandem.fleet.agent=127.0.0.1:0";

    private static RawClient client(RunningApplication site) throws IOException {
        return RawClient.connect(new InetSocketAddress("127.0.0.1", site.port()));
    }

    private static Fleet fleet(RunningApplication site) {
        return site.context.getBean(FleetLifecycle.class).fleet();
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
    void applicationIsInNoFleetByDefault() {
        try (RunningApplication site = RunningApplication.start(CountingApplication.class)) {
            assertTrue(site.context.getBeansOfType(FleetLifecycle.class).isEmpty());
        }
    }

    @Test
    void closingDrainsFirst() throws Exception {
        var replies = new ArrayList<String>();
        RunningApplication site =
                RunningApplication.start(
                        CountingApplication.class,
                        AGENT,
                        "tandem.fleet.notice=1h",
                        "tandem.fleet.ending=1h");
        Fleet fleet = fleet(site);
        RawClient kept = client(site);
        assertEquals(200, kept.send(GET + "\n").response().status());
        assertTrue(ask(fleet).startsWith("ready up "), ask(fleet));
        Thread closing = Thread.ofPlatform().start(site::close);
        Patience.until("drain", () -> ask(fleet).equals("drain\n"));
        RawResponse served = kept.send(GET + "\n").response();
        assertEquals(200, served.status());
        assertFalse(served.saysClose(), "balancers still have their notice");
        kept.close();
        closing.join(); // all balancers know, and no connection is open
        replies.add(ask(fleet));
        assertEquals(List.of(""), replies, "the port is closed");
    }

    @Test
    void balancersGetReportsAndClientsGetMarks(@TempDir Path folder) throws Exception {
        Path secret = folder.resolve("secret");
        Files.writeString(secret, "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n");
        try (RunningApplication site =
                        RunningApplication.start(
                                CountingApplication.class,
                                "tandem.fleet.load-reports=true",
                                "tandem.fleet.secret=" + secret);
                RawClient client = client(site)) {
            RawResponse first = client.send(GET + "\n").response();
            String report = String.valueOf(first.field("endpoint-load-metrics"));
            assertTrue(report.startsWith("TEXT application_utilization="), report);
            String mark =
                    first.fieldLines().stream()
                            .filter(line -> line.contains("tandem-mark="))
                            .findFirst()
                            .orElseThrow();
            String cookie = mark.substring(mark.indexOf("tandem-"), mark.indexOf(';'));
            RawResponse second = client.send(GET + "Cookie: " + cookie + "\n\n").response();
            assertTrue(
                    second.fieldLines().stream().noneMatch(line -> line.contains("tandem-mark")));
        }
    }

    @Test
    void othersGetNoReports() throws Exception {
        try (RunningApplication site =
                        RunningApplication.start(
                                CountingApplication.class,
                                "tandem.fleet.load-reports=true",
                                "tandem.fleet.peers=10.0.0.0/8");
                RawClient client = client(site)) {
            assertNull(client.send(GET + "\n").response().field("endpoint-load-metrics"));
        }
    }

    @Test
    void poolHasThisInstancesShare() {
        try (RunningApplication site =
                RunningApplication.start(
                        CountingApplication.class,
                        "spring.datasource.url=jdbc:h2:mem:fleet",
                        "tandem.data.fleet-connections=20",
                        "tandem.data.fleet-name=localhost")) {
            HikariDataSource pool = site.context.getBean(HikariDataSource.class);
            assertEquals(1, pool.getMaximumPoolSize(), "until the others have counted it");
        }
    }

    @Test
    void invalidPropertiesAreNamed() {
        assertEquals("agent must be ADDR:PORT", rejection("tandem.fleet.agent=8091"));
        assertEquals("peers is missing", rejection("tandem.fleet.agent=0.0.0.0:8091"));
        assertEquals("notice must be", rejection(AGENT, "tandem.fleet.notice=2h"));
        assertEquals(
                "fleet-connections and tandem.data.fleet-name belong together",
                rejection("tandem.data.fleet-connections=20"));
        assertEquals(
                "fleet-connections must be",
                rejection("tandem.data.fleet-connections=1", "tandem.data.fleet-name=shop"));
        assertEquals("/no/such does not exist", rejection("tandem.fleet.secret=/no/such"));
    }

    private static String rejection(String... properties) {
        var e =
                assertThrows(
                        RuntimeException.class,
                        () -> RunningApplication.start(CountingApplication.class, properties));
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            String message = String.valueOf(Objects.toString(cause.getMessage()));
            for (String known :
                    List.of(
                            "agent must be ADDR:PORT",
                            "peers is missing",
                            "notice must be",
                            "fleet-connections and tandem.data.fleet-name belong together",
                            "fleet-connections must be",
                            "/no/such does not exist")) {
                if (message.contains(known) && cause.getCause() == null) {
                    return known;
                }
            }
        }
        return e.toString();
    }
}
