package dev.tandem.load;

import static dev.tandem.load.Plays.CALL;
import static dev.tandem.load.Plays.one;
import static dev.tandem.load.Plays.sessions;
import static dev.tandem.load.Plays.steps;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.FreePort;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Loads of servers that fail in different ways.
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class FailuresTest {
    private static final Duration BRIEF = Duration.ofMillis(300);

    /// For waits that must not end first, however slow the machine.
    private static final Duration LONG = Duration.ofSeconds(30);

    @Test
    void connectionLimitFailsFurtherCalls() throws Exception {
        try (var server = ScriptedServer.responding(ScriptedServer.OK)) {
            LoadReport report =
                    server.load()
                            .withArrivals(
                                    new Arrivals.Open(new Period.Fixed(Duration.ofMillis(1)), 9))
                            .withConnectionsMax(2)
                            .run(Repeat.sessions(CALL, 2, Duration.ofSeconds(1)));
            assertEquals(2, report.connections().concurrentMax());
            assertEquals(Map.of(Outcome.NO_DESCRIPTOR, 7L), report.errors());
            assertEquals(2, report.sessions().completed());
            assertTrue(report.isDoubtful());
        }
    }

    @Test
    void closedPortFailsAsRefused() throws Exception {
        int port = FreePort.find();
        LoadReport report =
                sessions(Load.of("http://127.0.0.1:" + port), 2, 5)
                        .run(Repeat.sessions(CALL, 1, Duration.ZERO));
        assertEquals(Map.of(Outcome.REFUSED, 5L), report.errors());
        assertEquals(5, report.sessions().failed());
        assertEquals(List.of(5L), report.sessions().lengths());
        assertEquals(5, report.connections().attempted());
        assertEquals(0, report.connections().opened());
    }

    private static LoadReport failing(ScriptedServer.Script script) throws Exception {
        return failing(TimeLimits.of(LONG), script);
    }

    private static LoadReport failing(TimeLimits patience, ScriptedServer.Script script)
            throws Exception {
        try (var server = new ScriptedServer(script)) {
            return one(server)
                    .withTimeLimits(patience)
                    .run(Repeat.sessions(CALL, 2, Duration.ZERO));
        }
    }

    private static void assertFails(Outcome outcome, ScriptedServer.Script script)
            throws Exception {
        boolean isLate = outcome == Outcome.REPLY_TIMEOUT;
        LoadReport report = failing(new TimeLimits(LONG, LONG, isLate ? BRIEF : LONG), script);
        assertEquals(Map.of(outcome, 1L), report.errors());
        assertEquals(1, report.sessions().failed());
        assertEquals(0, report.sessions().completed());
        assertEquals(1, report.page("/a").errors());
    }

    @Test
    void resetByTheServerIsReported() throws Exception {
        assertFails(
                Outcome.RESET,
                connection -> {
                    connection.request();
                    connection.reset();
                });
    }

    @Test
    void endBeforeTheResponseIsClosedEarly() throws Exception {
        assertFails(Outcome.CLOSED_EARLY, ScriptedServer.Connection::request);
    }

    @Test
    void wrongContentLengthFailsTheCall() throws Exception {
        assertFails(
                Outcome.CLOSED_EARLY,
                connection -> {
                    connection.request();
                    connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfour");
                });
    }

    @Test
    void silentServerTimesOut() throws Exception {
        assertFails(Outcome.REPLY_TIMEOUT, ScriptedServer.Connection::outlast);
    }

    @Test
    void serverThatStopsInTheMiddleTimesOut() throws Exception {
        assertFails(
                Outcome.REPLY_TIMEOUT,
                connection -> {
                    connection.request();
                    connection.send("HTTP/1.1 200 OK\r\nContent-Le");
                    connection.outlast();
                });
    }

    @Test
    void bytesOfAnotherProtocolAreABadReply() throws Exception {
        assertFails(
                Outcome.BAD_REPLY,
                connection -> {
                    connection.request();
                    connection.send("SSH-2.0-OpenSSH_9.2\r\n\r\n");
                    connection.outlast();
                });
    }

    @Test
    void responseWithoutARequestIsABadReply() throws Exception {
        LoadReport report =
                failing(
                        connection -> {
                            connection.request();
                            connection.send(ScriptedServer.OK + ScriptedServer.OK);
                            connection.outlast();
                        });
        assertEquals(1, report.errorCount(Outcome.BAD_REPLY));
    }

    @Test
    void serverThatReadsNothingTimesOut() throws Exception {
        try (var server =
                new ScriptedServer(
                        connection -> {
                            connection.socket().setReceiveBufferSize(4096);
                            Thread.sleep(20_000);
                        })) {
            LoadReport report =
                    one(server)
                            .withTimeLimits(new TimeLimits(LONG, BRIEF, LONG))
                            .run(steps(Step.of(CALL.withBody(new byte[32 << 20]))));
            assertEquals(Map.of(Outcome.SEND_TIMEOUT, 1L), report.errors());
        }
    }

    @Test
    void fullBacklogTimesOut() throws Exception {
        try (var full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            LoadReport report =
                    sessions(Load.of("http://127.0.0.1:" + full.getLocalPort()), 12, 12)
                            .withTimeLimits(new TimeLimits(BRIEF, LONG, BRIEF))
                            .run(Repeat.sessions(CALL, 1, Duration.ZERO));
            assertTrue(report.errorCount(Outcome.CONNECT_TIMEOUT) >= 8, report.errors().toString());
            assertEquals(12, report.errorCount());
        }
    }

    @Test
    void serverErrorFailsTheSessionByDefault() throws Exception {
        String unavailable = "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n";
        try (var server = ScriptedServer.responding(unavailable)) {
            Workload twice = Repeat.sessions(CALL, 2, Duration.ZERO);
            LoadReport report = one(server).run(twice);
            assertEquals(Map.of(Outcome.BAD_STATUS, 1L), report.errors());
            assertEquals(0, report.errorCount());
            assertEquals(1, report.sessions().failed());
            assertEquals(Map.of(503, 1L), report.replies().statuses());
            Client tolerant = Client.DEFAULT.withFailingStatuses(Set.of());
            report = one(server).withClient(tolerant).run(twice);
            assertEquals(1, report.sessions().completed());
            assertEquals(2, report.replies().ofClass(5));
        }
    }

    @Test
    void wrongContentFailsTheCall() throws Exception {
        try (var server = ScriptedServer.responding(ScriptedServer.OK)) {
            Check isNo = reply -> reply.text().equals("no");
            LoadReport report =
                    one(server).run(steps(Step.of(CALL.withUse(Use.BODY).withCheck(isNo))));
            assertEquals(Map.of(Outcome.WRONG_CONTENT, 1L), report.errors());
            Check isOk = reply -> reply.text().equals("ok") && reply.length() == 2;
            report = one(server).run(steps(Step.of(CALL.withUse(Use.BODY).withCheck(isOk))));
            assertEquals(1, report.sessions().completed());
        }
    }

    @Test
    void sessionMayContinueAfterAFailure() throws Exception {
        try (var server =
                new ScriptedServer(
                        connection -> {
                            connection.request();
                            if (connection.number() > 0) {
                                connection.send(ScriptedServer.OK);
                                connection.outlast();
                            }
                        })) {
            LoadReport report =
                    one(server)
                            .withClient(Client.DEFAULT.withContinuingAfterFailure(true))
                            .run(steps(Step.of(CALL), Step.of(CALL)));
            assertEquals(Map.of(Outcome.CLOSED_EARLY, 1L), report.errors());
            assertEquals(1, report.replies().count());
            assertEquals(1, report.sessions().failed());
        }
    }

    @Test
    void failedCallIsRepeated() throws Exception {
        try (var server =
                new ScriptedServer(
                        connection -> {
                            connection.request();
                            if (connection.number() == 2) {
                                connection.send(ScriptedServer.OK);
                                connection.outlast();
                            }
                        })) {
            LoadReport report =
                    one(server)
                            .withClient(Client.DEFAULT.withRetriesMax(2))
                            .run(steps(Step.of(CALL)));
            assertEquals(Map.of(Outcome.CLOSED_EARLY, 2L), report.errors());
            assertEquals(1, report.sessions().completed());
            assertEquals(2, report.requests().retried());
            assertEquals(3, report.sessions().connectionsEach());
        }
    }
}
