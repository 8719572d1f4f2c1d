package dev.tandem.load;

import static dev.tandem.load.Plays.CALL;
import static dev.tandem.load.Plays.one;
import static dev.tandem.load.Plays.sessions;
import static dev.tandem.load.Plays.steps;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.net.Network;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Loads over real sockets against servers that behave as each test defines.
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LoadRunTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void everySessionAndCallRunsOnce(int threads) throws Exception {
        try (var server = ScriptedServer.responding(ScriptedServer.OK)) {
            LoadReport report =
                    sessions(server.load(), 7, 40)
                            .withThreads(threads)
                            .run(Repeat.sessions(CALL, 3, Duration.ofMillis(1)));
            assertEquals(120, server.requests().size());
            assertEquals(120, report.requests().count());
            assertEquals(120, report.replies().count());
            assertEquals(Map.of(200, 120L), report.replies().statuses());
            assertEquals(240, report.replies().contentBytes());
            assertEquals(40, report.sessions().completed());
            assertEquals(0, report.sessions().failed() + report.sessions().unfinished());
            assertEquals(List.of(0L, 0L, 0L, 40L), report.sessions().lengths());
            assertEquals(40, report.connections().opened());
            assertEquals(40, server.connectionCount());
            assertEquals(3.0, report.connections().repliesEach());
            assertEquals(120, report.measured().count());
            assertEquals(120, report.page("/a").replies());
            assertEquals(Map.of(), report.errors());
            assertTrue(report.connections().concurrentMax() <= 7);
            long bySeconds = 0;
            for (LoadReport.Second second : report.series()) {
                bySeconds += second.replies();
            }
            assertEquals(120, bySeconds);
        }
    }

    @Test
    void requestsMatchTheirCalls() throws Exception {
        try (var server = ScriptedServer.responding(ScriptedServer.OK)) {
            Call post =
                    Call.post("/form?a=b", "text/plain", "hi".getBytes()).withHeader("X-A", "y");
            Client old = Client.DEFAULT.withVersion(Client.Version.HTTP_1_0).withHeader("A", "b");
            one(server).run(steps(Step.of(post)));
            one(server).withClient(old).run(steps(Step.of(CALL)));
            String host = "Host: 127.0.0.1:" + server.port() + "\r\n";
            assertEquals(
                    "POST /form?a=b HTTP/1.1\r\n"
                            + host
                            + "Content-Type: text/plain\r\nX-A: y\r\nContent-Length: 2\r\n\r\nhi",
                    server.requests().getFirst());
            assertEquals("GET /a HTTP/1.0\r\n" + host + "A: b\r\n\r\n", server.requests().get(1));
        }
    }

    @Test
    void javaNioNetworkRunsALoad() throws Exception {
        System.setProperty(Network.PROPERTY, "nio");
        String large = "HTTP/1.1 200 OK\r\nContent-Length: 70000\r\n\r\n" + "n".repeat(70_000);
        try (var server = ScriptedServer.responding(large)) {
            LoadReport report =
                    sessions(server.load(), 5, 20)
                            .run(Repeat.sessions(CALL, 3, Duration.ofMillis(1)));
            assertEquals(60, report.replies().count());
            assertEquals(60 * 70_000, report.replies().contentBytes());
            assertEquals(20, report.sessions().completed());
        } finally {
            System.clearProperty(Network.PROPERTY);
        }
    }

    @Test
    void sameSeedGivesEachSessionTheSameNumbers() throws Exception {
        var first = new java.util.concurrent.ConcurrentHashMap<Long, Long>();
        var second = new java.util.concurrent.ConcurrentHashMap<Long, Long>();
        try (var server = ScriptedServer.responding(ScriptedServer.OK)) {
            sessions(server.load(), 3, 30).run(noting(first));
            sessions(server.load(), 4, 30).withThreads(2).run(noting(second));
        }
        assertEquals(30, first.size());
        assertEquals(first, second);
    }

    private static Workload noting(Map<Long, Long> numbers) {
        return new Workload() {
            @Override
            public String name() {
                return "noting";
            }

            @Override
            public Session begin(long number, java.util.random.RandomGenerator random) {
                numbers.put(number, random.nextLong());
                var left = List.of(Step.of(CALL)).iterator();
                return _ -> left.hasNext() ? left.next() : null;
            }
        };
    }

    // ---- Connections.

    @Test
    void responseUntilCloseUsesAConnectionEach() throws Exception {
        try (var server =
                new ScriptedServer(
                        connection -> {
                            connection.request();
                            connection.send("HTTP/1.1 200 OK\r\n\r\nuntil the end");
                        })) {
            LoadReport report = one(server).run(Repeat.sessions(CALL, 3, Duration.ZERO));
            assertEquals(1, report.sessions().completed());
            assertEquals(3, report.sessions().connectionsEach());
            assertEquals(39, report.replies().contentBytes());
            assertEquals(1.0, report.connections().repliesEach());
        }
    }

    @Test
    void burstIsPipelinedAndContinuesOnANewConnection() throws Exception {
        try (var server =
                new ScriptedServer(
                        connection -> {
                            for (int i = 0; i < 2 && !connection.request().isEmpty(); i++) {
                                connection.send(ScriptedServer.OK);
                            }
                            connection.socket().shutdownOutput();
                            connection.outlast();
                        })) {
            List<Call> calls = List.of(Call.get("/0"), Call.get("/1"), Call.get("/2"));
            LoadReport report = one(server).run(steps(Step.pipelined(Duration.ZERO, calls)));
            assertEquals(Map.of(), report.errors());
            assertEquals(3, report.replies().count());
            assertEquals(1, report.sessions().completed());
            assertEquals(2, server.connectionCount());
            assertTrue(server.requests().get(2).startsWith("GET /2"));
        }
    }

    @Test
    void embeddedObjectsUseTwoConnections() throws Exception {
        var both = new java.util.concurrent.CountDownLatch(2);
        try (var server =
                new ScriptedServer(
                        connection -> {
                            while (!connection.request().isEmpty()) {
                                both.countDown();
                                both.await(10, TimeUnit.SECONDS); // only if both are under way
                                connection.send(ScriptedServer.OK);
                            }
                        })) {
            List<Call> calls = java.util.Collections.nCopies(5, CALL);
            LoadReport report = one(server).run(steps(Step.parallel(Duration.ZERO, calls)));
            assertEquals(0, both.getCount());
            assertEquals(5, report.replies().count());
            assertEquals(2, server.connectionCount());
        }
    }

    /// Sessions of three calls, each made after the server has closed the connection of the one
    /// before.
    private static Workload closedBetween(ScriptedServer server) {
        return new Workload() {
            @Override
            public String name() {
                return "closed between";
            }

            @Override
            public Session begin(long number, RandomGenerator random) {
                var steps = new AtomicInteger();
                return _ -> {
                    long replied = System.nanoTime();
                    int ended = steps.getAndIncrement();
                    server.awaitEnded(ended);
                    // A think time counts from the response: without that of the wait, the next
                    // request could be sent before the client sees that the server has closed.
                    Duration waited = Duration.ofNanos(System.nanoTime() - replied);
                    Duration think = ended == 0 ? Duration.ZERO : waited.plusMillis(500);
                    return ended < 3 ? Step.inTurn(think, List.of(CALL)) : null;
                };
            }
        };
    }

    /// Responds to one request per connection and closes it a little later.
    private static ScriptedServer impatient() throws IOException {
        return new ScriptedServer(
                connection -> {
                    connection.request();
                    connection.send(ScriptedServer.OK);
                });
    }

    @Test
    void closeOfAnIdleConnectionIsNoticed() throws Exception {
        try (var server = impatient()) {
            LoadReport report = one(server).run(closedBetween(server));
            assertEquals(Map.of(), report.errors());
            assertEquals(2, report.connections().closedIdle());
            assertEquals(3, report.sessions().connectionsEach());
        }
    }

    @Test
    void unnoticedCloseFailsTheNextRequest() throws Exception {
        try (var server = impatient()) {
            LoadReport report =
                    one(server)
                            .withClient(Client.DEFAULT.withClosesNoticed(false))
                            .run(closedBetween(server));
            assertEquals(Map.of(Outcome.RESET, 1L), report.errors());
            assertEquals(1, report.sessions().failed());
        }
    }

    // ---- Time.

    @Test
    void usersWaitForTheirThinkTime() throws Exception {
        try (var server = ScriptedServer.responding(ScriptedServer.OK)) {
            LoadReport report = one(server).run(Repeat.sessions(CALL, 3, Duration.ofMillis(150)));
            assertTrue(report.sessions().lifeSeconds().least() >= 0.3);
            assertTrue(
                    report.measured().mostMillis() < report.sessions().lifeSeconds().least() * 1e3);
        }
    }

    @Test
    void openLoopDoesNotWaitForTheServer() throws Exception {
        try (var server =
                new ScriptedServer(
                        connection -> {
                            connection.request();
                            Thread.sleep(1_000);
                            connection.send(ScriptedServer.OK);
                        })) {
            LoadReport report =
                    server.load()
                            .withArrivals(
                                    new Arrivals.Open(new Period.Fixed(Duration.ofMillis(10)), 20))
                            .withTime(Duration.ZERO)
                            .withThreads(2)
                            .run(Repeat.sessions(CALL, 1, Duration.ZERO));
            assertEquals(20, report.sessions().completed());
            assertTrue(report.connections().concurrentMax() > 10);
            assertTrue(report.measured().millis(50) >= 999);
            assertTrue(report.corrected().millis(50) >= report.measured().millis(50));
        }
    }

    @Test
    void receiveRateLimitsReading() throws Exception {
        String body = "x".repeat(60_000);
        try (var server =
                ScriptedServer.responding(
                        "HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n" + body)) {
            LoadReport report =
                    one(server)
                            .withClient(Client.DEFAULT.withReceiveRate(100_000))
                            .run(steps(Step.of(CALL)));
            assertEquals(60_000, report.replies().contentBytes());
            assertTrue(report.replies().transferMillis().most() > 400);
        }
    }

    @Test
    void warmUpIsNotCounted() throws Exception {
        try (var server = ScriptedServer.responding(ScriptedServer.OK)) {
            long begin = System.nanoTime();
            LoadReport report =
                    server.load()
                            .withTime(Duration.ofSeconds(2))
                            .withWarmup(Duration.ofSeconds(1))
                            .run(Repeat.endless(CALL));
            assertTrue(report.replies().count() < server.requests().size());
            assertTrue(report.replies().count() > 0);
            double all = (System.nanoTime() - begin) / 1e9;
            assertTrue(report.seconds() <= all - 1, report.seconds() + " s of " + all);
            assertEquals(1, report.sessions().unfinished());
        }
    }

    @Test
    void largeResponseIsCountedWithoutBeingKept() throws Exception {
        String response =
                "HTTP/1.1 200 OK\r\nContent-Length: 3000000\r\n\r\n" + "y".repeat(3_000_000);
        try (var server = ScriptedServer.responding(response)) {
            LoadReport report = one(server).run(Repeat.sessions(CALL, 3, Duration.ZERO));
            assertEquals(9_000_000, report.replies().contentBytes());
            assertEquals(1, report.sessions().completed());
        }
    }

    // ---- State of users.

    @Test
    void cookiesAreSentBack() throws Exception {
        try (var server =
                ScriptedServer.responding(
                        "HTTP/1.1 200 OK\r\n"
                                + "Set-Cookie: id=7; Path=/\r\n"
                                + "Content-Length: 0\r\n\r\n")) {
            sessions(server.load(), 1, 2)
                    .withClient(Client.DEFAULT.withCookies(true))
                    .run(Repeat.sessions(CALL, 2, Duration.ZERO));
            List<Boolean> withCookie =
                    server.requests().stream().map(r -> r.contains("Cookie: id=7\r\n")).toList();
            assertEquals(List.of(false, true, false, true), withCookie);
        }
    }

    @Test
    void knownTargetIsRequestedConditionally() throws Exception {
        try (var server =
                new ScriptedServer(
                        connection -> {
                            connection.request();
                            connection.send(
                                    "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 0\r\n\r\n");
                            connection.request();
                            connection.send("HTTP/1.1 304 No\r\n\r\n");
                            connection.outlast();
                        })) {
            LoadReport report =
                    one(server)
                            .withClient(Client.DEFAULT.withValidatorShare(1))
                            .run(Repeat.sessions(CALL, 2, Duration.ZERO));
            assertEquals(Map.of(200, 1L, 304, 1L), report.replies().statuses());
            assertTrue(server.requests().get(1).contains("If-None-Match: \"a\"\r\n"));
        }
    }

    // ---- Rejected loads.

    @Test
    void foreignTargetIsRejected() {
        var exception =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> Load.of("http://192.0.2.1").run(Repeat.endless(CALL)));
        assertTrue(
                String.valueOf(exception.getMessage()).startsWith("192.0.2.1 is not this machine"));
    }

    @Test
    void loadWithoutEndIsRejected() {
        Load endless = Load.of("http://127.0.0.1:1").withTime(Duration.ZERO);
        assertThrows(IllegalArgumentException.class, () -> endless.run(Repeat.endless(CALL)));
    }

    @Test
    void failingWorkloadEndsTheRun() throws Exception {
        try (var server = ScriptedServer.responding(ScriptedServer.OK)) {
            Workload broken =
                    new Workload() {
                        @Override
                        public String name() {
                            return "broken";
                        }

                        @Override
                        public Session begin(long number, java.util.random.RandomGenerator random) {
                            throw new IllegalStateException("no page");
                        }
                    };
            var failure = assertThrows(LoadException.class, () -> server.load().run(broken));
            assertEquals(
                    "broken could not be run: java.lang.IllegalStateException: no page",
                    failure.getMessage());
        }
    }

    @Test
    void runCanBeStopped() throws Exception {
        try (var server = ScriptedServer.responding(ScriptedServer.OK);
                LoadRun run =
                        server.load()
                                .withTime(Duration.ofHours(1))
                                .start(Repeat.sessions(CALL, 2, Duration.ofHours(1)))) {
            dev.tandem.testkit.Patience.until(
                    "a request has come", () -> !server.requests().isEmpty());
            run.stop();
            assertEquals(1, run.await().sessions().unfinished());
        }
    }
}
