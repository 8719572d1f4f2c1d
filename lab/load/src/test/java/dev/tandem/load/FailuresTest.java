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

/// Loads of servers that fail, each in its way.
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class FailuresTest {
    private static final Duration BRIEF = Duration.ofMillis(300);

    /// For what is not to be waited for, however slow the machine.
    private static final Duration LONG = Duration.ofSeconds(30);

    @Test
    void connectionsRunOut() throws Exception {
        try (var server = ScriptedServer.answering(ScriptedServer.OK)) {
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
    void nobodyListens() throws Exception {
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
        return failing(Patience.of(LONG), script);
    }

    private static LoadReport failing(Patience patience, ScriptedServer.Script script)
            throws Exception {
        try (var server = new ScriptedServer(script)) {
            return one(server).withPatience(patience).run(Repeat.sessions(CALL, 2, Duration.ZERO));
        }
    }

    private static void assertFails(Outcome outcome, ScriptedServer.Script script)
            throws Exception {
        boolean isLate = outcome == Outcome.REPLY_TIMEOUT;
        LoadReport report = failing(new Patience(LONG, LONG, isLate ? BRIEF : LONG), script);
        assertEquals(Map.of(outcome, 1L), report.errors());
        assertEquals(1, report.sessions().failed());
        assertEquals(0, report.sessions().completed());
        assertEquals(1, report.page("/a").errors());
    }

    @Test
    void theServerResets() throws Exception {
        assertFails(
                Outcome.RESET,
                visit -> {
                    visit.request();
                    visit.reset();
                });
    }

    @Test
    void theServerEndsBeforeAnswering() throws Exception {
        assertFails(Outcome.CLOSED_EARLY, ScriptedServer.Visit::request);
    }

    @Test
    void theServerLiesAboutALength() throws Exception {
        assertFails(
                Outcome.CLOSED_EARLY,
                visit -> {
                    visit.request();
                    visit.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfour");
                });
    }

    @Test
    void theServerSaysNothing() throws Exception {
        assertFails(Outcome.REPLY_TIMEOUT, ScriptedServer.Visit::outlast);
    }

    @Test
    void theServerStopsInTheMiddle() throws Exception {
        assertFails(
                Outcome.REPLY_TIMEOUT,
                visit -> {
                    visit.request();
                    visit.send("HTTP/1.1 200 OK\r\nContent-Le");
                    visit.outlast();
                });
    }

    @Test
    void theServerSpeaksAnotherProtocol() throws Exception {
        assertFails(
                Outcome.BAD_REPLY,
                visit -> {
                    visit.request();
                    visit.send("SSH-2.0-OpenSSH_9.2\r\n\r\n");
                    visit.outlast();
                });
    }

    @Test
    void theServerAnswersWhatNobodyAsked() throws Exception {
        LoadReport report =
                failing(
                        visit -> {
                            visit.request();
                            visit.send(ScriptedServer.OK + ScriptedServer.OK);
                            visit.outlast();
                        });
        assertEquals(1, report.errorCount(Outcome.BAD_REPLY));
    }

    @Test
    void theServerTakesNothing() throws Exception {
        try (var server =
                new ScriptedServer(
                        visit -> {
                            visit.socket().setReceiveBufferSize(4096);
                            Thread.sleep(20_000);
                        })) {
            LoadReport report =
                    one(server)
                            .withPatience(new Patience(LONG, BRIEF, LONG))
                            .run(steps(Step.of(CALL.withBody(new byte[32 << 20]))));
            assertEquals(Map.of(Outcome.SEND_TIMEOUT, 1L), report.errors());
        }
    }

    @Test
    void theBacklogIsFull() throws Exception {
        try (var full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            LoadReport report =
                    sessions(Load.of("http://127.0.0.1:" + full.getLocalPort()), 12, 12)
                            .withPatience(new Patience(BRIEF, LONG, BRIEF))
                            .run(Repeat.sessions(CALL, 1, Duration.ZERO));
            assertTrue(report.errorCount(Outcome.CONNECT_TIMEOUT) >= 8, report.errors().toString());
            assertEquals(12, report.errorCount());
        }
    }

    @Test
    void aServerErrorFailsTheSessionUnlessSaidOtherwise() throws Exception {
        String unavailable = "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n";
        try (var server = ScriptedServer.answering(unavailable)) {
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
    void contentIsChecked() throws Exception {
        try (var server = ScriptedServer.answering(ScriptedServer.OK)) {
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
    void aSessionMayGoOnAfterAFailure() throws Exception {
        try (var server =
                new ScriptedServer(
                        visit -> {
                            visit.request();
                            if (visit.number() > 0) {
                                visit.send(ScriptedServer.OK);
                                visit.outlast();
                            }
                        })) {
            LoadReport report =
                    one(server)
                            .withClient(Client.DEFAULT.withGoingOn(true))
                            .run(steps(Step.of(CALL), Step.of(CALL)));
            assertEquals(Map.of(Outcome.CLOSED_EARLY, 1L), report.errors());
            assertEquals(1, report.replies().count());
            assertEquals(1, report.sessions().failed());
        }
    }

    @Test
    void whatFailedIsMadeAgain() throws Exception {
        try (var server =
                new ScriptedServer(
                        visit -> {
                            visit.request();
                            if (visit.number() == 2) {
                                visit.send(ScriptedServer.OK);
                                visit.outlast();
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
