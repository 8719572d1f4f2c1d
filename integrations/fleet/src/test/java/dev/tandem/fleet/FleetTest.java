package dev.tandem.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.net.AddressRange;
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
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FleetTest {
    private static final String GET = "GET / HTTP/1.1\nHost: shop\n\n";
    private static final FleetOptions OPTIONS =
            FleetOptions.DEFAULT
                    .withAgent(new InetSocketAddress("127.0.0.1", 0))
                    .withReportsLoad(true)
                    .withCapacity(1_000)
                    .withNotice(Duration.ofMinutes(1))
                    .withEnding(Duration.ofMinutes(1));

    /// A check without a name would count as one more balancer's: no stall may cut off the name.
    private static final long NAME_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final CountDownLatch release = new CountDownLatch(1);
    private Fleet fleet = open(OPTIONS);
    private Server server = start(fleet);

    private static Fleet open(FleetOptions options) {
        try {
            return Fleet.open(options, NAME_NANOS);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private Server start(Fleet fleet) {
        try {
            Server started =
                    fleet.addTo(Tandem.listen("127.0.0.1", 0))
                            .manage("127.0.0.1", 0)
                            .get("/", x -> x.send("hello"))
                            .get(
                                    "/wait",
                                    x -> {
                                        release.await();
                                        x.send("waited");
                                    })
                            .start();
            fleet.join(started);
            return started;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterEach
    void close() {
        release.countDown();
        server.stop(Duration.ZERO);
        fleet.close();
    }

    @Test
    void agentReportsWeightAndConnections() throws IOException {
        String reply = ask("shop\n");
        assertTrue(reply.matches("ready up \\d{1,3}% maxconn:\\d+\n"), reply);
    }

    @Test
    void connectionsAreDividedByTheBalancersThatAsk() throws IOException {
        int alone = connections(ask("one\n"));
        int shared = connections(ask("two\n"));
        assertEquals((alone + 1) / 2, shared);
        assertEquals(shared, connections(ask("one\n")), "the same balancer counts once");
    }

    @Test
    void peersGetLoadReportsAndOthersDoNot() throws IOException {
        RawResponse response = client().send(GET).response();
        String report = String.valueOf(response.field("endpoint-load-metrics"));
        assertTrue(
                report.matches(
                        "TEXT application_utilization=\\d+\\.\\d{6}, cpu_utilization=\\d+\\.\\d{3},"
                                + " rps_fractional=\\d+\\.\\d{3}, eps=\\d+\\.\\d{3}"),
                report);
        assertNull(response.field("x-envoy-immediate-health-check-fail"));
        close();
        fleet = open(OPTIONS.withPeers(List.of(AddressRange.parse("10.0.0.0/8"))));
        server = start(fleet);
        assertNull(client().send(GET).response().field("endpoint-load-metrics"));
        String pretending = GET.replace("\n\n", "\nX-Forwarded-For: 10.0.0.1\n\n");
        assertNull(client().send(pretending).response().field("endpoint-load-metrics"));
    }

    @Test
    void drainingInstanceServesUntilBalancersKnow() throws Exception {
        RawClient kept = client().send(GET);
        kept.response();
        RawClient waiting = client().send("GET /wait HTTP/1.1\nHost: shop\n\n");
        Patience.until("it runs", () -> server.runningCount() == 1);
        assertTrue(ask("shop\n").startsWith("ready"));
        fleet.withdraw();
        assertEquals("drain\n", ask("shop\n"));
        assertEquals(503, ready());
        RawResponse served = kept.send(GET).response();
        assertEquals(200, served.status());
        assertNull(served.field("connection"), "balancers still have their notice");
        assertEquals("true", served.field("x-envoy-immediate-health-check-fail"));
        release.countDown();
        assertEquals("waited", waiting.response().text());
    }

    @Test
    void drainEndsEarlyOnceAllBalancersKnowAndAllConnectionsHaveEnded() throws Exception {
        RawClient kept = client();
        kept.send(GET).response();
        assertTrue(ask("shop\n").startsWith("ready"));
        var drained = new CountDownLatch(1);
        Thread.ofVirtual()
                .start(
                        () -> {
                            if (fleet.drain(Duration.ofMinutes(1))) {
                                drained.countDown();
                            }
                        });
        Patience.until("drain", () -> quietly("shop\n").equals("drain\n"));
        kept.close();
        Patience.until("the notice is over", () -> !quietly("shop\n").equals("drain\n"));
        assertTrue(drained.await(20, TimeUnit.SECONDS));
        assertThrows(IOException.class, this::client);
    }

    @Test
    void serverStopsOnlyOnceEachBalancerSendsNoClientWithACookie() throws Exception {
        close();
        fleet = open(OPTIONS.withNotice(Duration.ZERO));
        server = start(fleet);
        assertTrue(ask("one\n").startsWith("ready"));
        assertTrue(ask("two\n").startsWith("ready"));
        Thread leaving = Thread.ofVirtual().start(fleet::leave);
        Patience.until("maint", () -> quietly("one\n").equals("maint\n"));
        assertEquals(200, client().send(GET).response().status(), "sent by the other one");
        assertTrue(leaving.isAlive());
        assertEquals("maint\n", ask("two\n"));
        leaving.join();
    }

    @Test
    void nothingIsReportedUntilSomethingIsKnown() throws IOException {
        close();
        fleet = open(OPTIONS.withCapacity(0));
        server = start(fleet);
        assertNull(client().send(GET).response().field("endpoint-load-metrics"));
    }

    @Test
    void connectionsEndWithTheirNextResponseAfterTheNotice() throws Exception {
        close();
        fleet = open(OPTIONS.withNotice(Duration.ZERO));
        server = start(fleet);
        RawClient kept = client();
        kept.send(GET).response();
        Thread draining = Thread.ofVirtual().start(() -> fleet.drain(Duration.ofSeconds(10)));
        Patience.until("maint", () -> quietly("shop\n").equals("maint\n"));
        RawResponse last = kept.send(GET).response();
        assertEquals(200, last.status());
        assertEquals("close", last.field("connection"));
        draining.join();
    }

    /// As where a signal stops the server and the command closes it then: the process would remain
    /// for another notice, with all its ports closed.
    @Test
    void secondDrainWaitsForNothing() {
        close();
        fleet = open(OPTIONS.withNotice(Duration.ofSeconds(2)));
        server = start(fleet);
        assertTrue(fleet.drain(Duration.ofMinutes(1)));
        long begin = System.nanoTime();
        assertTrue(fleet.drain(Duration.ofMinutes(1)));
        assertTrue(System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(1));
    }

    @Test
    void instanceThatJoinsAgainLeavesAgain() throws Exception {
        close();
        fleet = open(OPTIONS.withNotice(Duration.ZERO).withEnding(Duration.ZERO));
        server = start(fleet);
        assertTrue(fleet.drain(Duration.ofMinutes(1)));
        server = start(fleet);
        assertTrue(ask("shop\n").startsWith("ready"));
        fleet.leave();
        assertEquals("maint\n", ask("shop\n"));
    }

    @Test
    void drainWithoutAServerReturnsAtOnce() throws IOException {
        try (Fleet alone = Fleet.open(FleetOptions.DEFAULT)) {
            assertNull(alone.agentAddress());
            assertTrue(alone.drain(Duration.ofMinutes(1)));
        }
    }

    @Test
    void drainIsRequestedAtTheManagementAddress() throws IOException {
        String post = "POST /drain HTTP/1.1\nHost: localhost\nContent-Length: 0\n";
        assertEquals(404, manage(post + "\n").status());
        server.onDrain(fleet::withdraw);
        assertEquals(403, manage(post + "Origin: http://evil\n\n").status());
        assertEquals(403, manage(post.replace("localhost", "evil.example") + "\n").status());
        assertTrue(ask("shop\n").startsWith("ready"));
        assertEquals(202, manage(post + "\n").status());
        assertEquals("drain\n", ask("shop\n"));
    }

    @Test
    void everyMetricOfTheBoardExists() throws IOException {
        client().send(GET).response();
        var exist = new HashSet<String>();
        server.metrics().forEach(metric -> exist.add(metric.name()));
        String board = Files.readString(Path.of("../../app/packaging/fleet/grafana.json"));
        List<String> named =
                Pattern.compile("\\b(?:tandem|http_server)_[a-z_]+")
                        .matcher(board)
                        .results()
                        .map(name -> name.group().replaceFirst("_(bucket|count)$", ""))
                        .toList();
        assertTrue(named.size() >= 10, named.toString());
        assertTrue(exist.containsAll(named), named + " of " + exist);
    }

    private RawClient client() throws IOException {
        return RawClient.connect(server.address());
    }

    private RawResponse manage(String request) throws IOException {
        InetSocketAddress address = server.managementAddress();
        try (RawClient client = RawClient.connect(Objects.requireNonNull(address))) {
            return client.send(request).response();
        }
    }

    private int ready() throws IOException {
        return manage("GET /ready HTTP/1.1\nHost: localhost\n\n").status();
    }

    private static int connections(String reply) {
        return Integer.parseInt(reply.strip().replaceFirst(".*maxconn:", ""));
    }

    private String quietly(String name) {
        try {
            return ask(name);
        } catch (IOException e) {
            return "";
        }
    }

    private String ask(String name) throws IOException {
        InetSocketAddress address = fleet.agentAddress();
        try (var socket = new Socket()) {
            socket.connect(address, 10_000);
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(name.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }
}
