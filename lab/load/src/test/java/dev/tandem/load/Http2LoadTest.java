package dev.tandem.load;

import static dev.tandem.load.Plays.CALL;
import static dev.tandem.load.Plays.sessions;
import static dev.tandem.load.Plays.steps;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.http.h2.ErrorCode;
import dev.tandem.testkit.FreePort;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Loads over HTTP/2 with prior knowledge, against servers that behave as each test defines.
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class Http2LoadTest {
    /// For waits that must not end first, however slow the machine.
    private static final Duration LONG = Duration.ofSeconds(30);

    private static final Client CLIENT = Client.DEFAULT.withVersion(Client.Version.HTTP_2);

    private static Client shared(int streams) {
        return CLIENT.withHttp2(new Http2(streams, true, 0));
    }

    private static Load load(ScriptedServer server, int users, long sessions) {
        return sessions(server.load(), users, sessions).withClient(CLIENT);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void everySessionAndCallRunsOnceOnOwnConnections(int threads) throws Exception {
        try (var server = new ScriptedServer(Http2Peer.responding())) {
            LoadReport report =
                    load(server, 7, 40)
                            .withThreads(threads)
                            .run(Repeat.sessions(CALL, 3, Duration.ofMillis(1)));
            assertEquals(Map.of(), report.errors());
            assertEquals(120, report.requests().count());
            assertEquals(Map.of(200, 120L), report.replies().statuses());
            assertEquals(240, report.replies().contentBytes());
            assertEquals(40, report.sessions().completed());
            assertEquals(40, report.connections().opened());
            assertEquals(40, server.connectionCount());
            assertEquals(3.0, report.connections().repliesEach());
            assertTrue(report.connections().concurrentMax() <= 7);
            assertTrue(report.http2().isEmpty());
        }
    }

    @Test
    void usersShareConnections() throws Exception {
        try (var server = new ScriptedServer(Http2Peer.responding())) {
            LoadReport report =
                    load(server, 25, 200)
                            .withClient(shared(10))
                            .run(Repeat.sessions(CALL, 3, Duration.ofMillis(1)));
            assertEquals(Map.of(), report.errors());
            assertEquals(600, report.replies().count());
            assertEquals(200, report.sessions().completed());
            assertEquals(3, server.connectionCount());
            assertEquals(3, report.connections().concurrentMax());
        }
    }

    @Test
    void openLoopRunsOverHttp2() throws Exception {
        try (var server = new ScriptedServer(Http2Peer.responding())) {
            LoadReport report =
                    server.load()
                            .withArrivals(new Arrivals.Open(Period.poisson(2_000), 100))
                            .withClient(CLIENT)
                            .run(Repeat.sessions(CALL, 2, Duration.ofMillis(2)));
            assertEquals(Map.of(), report.errors());
            assertEquals(100, report.sessions().completed());
            assertEquals(200, report.corrected().count());
        }
    }

    /// All calls of a step have arrived before the first response is sent.
    @ParameterizedTest
    @ValueSource(strings = {"PARALLEL", "PIPELINED"})
    void callsOfAStepAreConcurrentStreams(Shape shape) throws Exception {
        ScriptedServer.Script script =
                Http2Peer.script(
                        (peer, _) -> {
                            int[] streams = {peer.request(), peer.request(), peer.request()};
                            for (int i = 2; i >= 0; i--) {
                                peer.respond(streams[i]);
                            }
                            peer.next(Http2Peer.HEADERS);
                        });
        try (var server = new ScriptedServer(script)) {
            var step = new Step(Duration.ZERO, shape, List.of(CALL, CALL, CALL));
            LoadReport report = load(server, 1, 1).run(steps(step));
            assertEquals(1, report.sessions().completed());
            assertEquals(1, server.connectionCount());
        }
    }

    @Test
    void streamsBeyondTheLimitWait() throws Exception {
        var most = new AtomicInteger();
        ScriptedServer.Script script =
                Http2Peer.script(
                        (peer, _) -> {
                            int open = 0;
                            for (int i = 0; i < 5; i++) {
                                int stream = peer.request();
                                open++;
                                if (open == 2) {
                                    peer.ping(i);
                                    Http2Peer.Frame frame = peer.next();
                                    while (frame.type() != Http2Peer.PING) {
                                        open += frame.type() == Http2Peer.HEADERS ? 1 : 0;
                                        frame = peer.next();
                                    }
                                }
                                most.accumulateAndGet(open, Math::max);
                                if (i > 0) {
                                    peer.respond(stream - 2);
                                    open--;
                                }
                                if (i == 4) {
                                    peer.respond(stream);
                                }
                            }
                            peer.next(Http2Peer.HEADERS);
                        });
        try (var server = new ScriptedServer(script)) {
            var step = Step.pipelined(Duration.ZERO, List.of(CALL, CALL, CALL, CALL, CALL));
            LoadReport report =
                    load(server, 1, 1)
                            .withClient(CLIENT.withHttp2(new Http2(2, false, 0)))
                            .run(steps(step));
            assertEquals(Map.of(), report.errors());
            assertEquals(1, report.sessions().completed());
            assertEquals(2, most.get());
        }
    }

    private static ScriptedServer.Script refusing(int times) {
        var refused = new AtomicInteger();
        return Http2Peer.script(
                (peer, _) -> {
                    while (true) {
                        int stream = peer.request();
                        if (refused.getAndIncrement() < times) {
                            peer.reset(stream, ErrorCode.REFUSED_STREAM);
                        } else {
                            peer.respond(stream);
                        }
                    }
                });
    }

    /// RFC 9113, section 8.7.
    @Test
    void refusedStreamFailsUnlessItIsRepeated() throws Exception {
        try (var server = new ScriptedServer(refusing(1))) {
            LoadReport report = load(server, 1, 2).run(Repeat.sessions(CALL, 2, Duration.ZERO));
            assertEquals(Map.of(Outcome.STREAM_REFUSED, 1L), report.errors());
            assertEquals(1, report.http2().refused());
            assertEquals(0, report.http2().repeated());
            assertEquals(1, report.sessions().failed());
            assertEquals(1, report.sessions().completed());
        }
    }

    @ParameterizedTest
    @CsvSource({"3, 3, 3, 1", "4, 4, 3, 0"})
    void refusedStreamIsRepeatedSoOften(int times, int refused, int repeated, int completed)
            throws Exception {
        try (var server = new ScriptedServer(refusing(times))) {
            LoadReport report =
                    load(server, 1, 1)
                            .withClient(CLIENT.withHttp2(new Http2(1, false, 3)))
                            .run(Repeat.sessions(CALL, 2, Duration.ZERO));
            assertEquals(refused, report.http2().refused());
            assertEquals(repeated, report.http2().repeated());
            assertEquals(completed, report.sessions().completed());
            assertEquals(1 - completed, report.errorCount(Outcome.STREAM_REFUSED));
            assertEquals(1, server.connectionCount());
        }
    }

    @Test
    void resetStreamIsAnErrorOfItsOwn() throws Exception {
        ScriptedServer.Script script =
                Http2Peer.script(
                        (peer, _) -> {
                            while (true) {
                                peer.reset(peer.request(), ErrorCode.INTERNAL_ERROR);
                            }
                        });
        try (var server = new ScriptedServer(script)) {
            LoadReport report = load(server, 1, 3).run(Repeat.sessions(CALL, 1, Duration.ZERO));
            assertEquals(Map.of(Outcome.STREAM_RESET, 3L), report.errors());
            assertEquals(3, report.http2().reset());
            assertEquals(0, report.http2().refused());
        }
    }

    /// RFC 9113, section 6.8: the stream above the last one was not processed.
    @Test
    void callAboveTheLastStreamOfGoAwayIsRepeatedWithoutAnError() throws Exception {
        ScriptedServer.Script script =
                Http2Peer.script(
                        (peer, number) -> {
                            int first = peer.request();
                            int second = number == 0 ? peer.request() : 0;
                            if (number == 0) {
                                peer.goAway(Integer.MAX_VALUE, ErrorCode.NO_ERROR);
                                peer.goAway(first, ErrorCode.NO_ERROR);
                                assertTrue(second > first);
                            }
                            peer.respond(first);
                            peer.next(Http2Peer.HEADERS);
                        });
        try (var server = new ScriptedServer(script)) {
            var step = Step.pipelined(Duration.ZERO, List.of(CALL, CALL));
            LoadReport report = load(server, 1, 1).run(steps(step));
            assertEquals(Map.of(), report.errors());
            assertEquals(1, report.sessions().completed());
            assertEquals(2, report.http2().goAways());
            assertEquals(1, report.http2().repeated());
            assertEquals(0, report.http2().errors());
            assertEquals(2, server.connectionCount());
        }
    }

    @Test
    void goAwayWithAnErrorFailsItsCalls() throws Exception {
        ScriptedServer.Script script =
                Http2Peer.script(
                        (peer, _) -> {
                            peer.request();
                            peer.goAway(0, ErrorCode.ENHANCE_YOUR_CALM);
                            peer.outlast();
                        });
        try (var server = new ScriptedServer(script)) {
            LoadReport report = load(server, 1, 2).run(Repeat.sessions(CALL, 1, Duration.ZERO));
            assertEquals(Map.of(Outcome.CONNECTION_ERROR, 2L), report.errors());
            assertEquals(2, report.http2().errors());
            assertTrue(report.generator().warnings().toString().contains("ENHANCE_YOUR_CALM"));
        }
    }

    @Test
    void serverThatNeverProcessesACallDoesNotKeepItForEver() throws Exception {
        ScriptedServer.Script script =
                Http2Peer.script(
                        (peer, _) -> {
                            peer.request();
                            peer.goAway(0, ErrorCode.NO_ERROR);
                            peer.outlast();
                        });
        try (var server = new ScriptedServer(script)) {
            LoadReport report = load(server, 1, 1).run(Repeat.sessions(CALL, 1, Duration.ZERO));
            assertEquals(Map.of(Outcome.CONNECTION_ERROR, 1L), report.errors());
            assertEquals(11, server.connectionCount());
        }
    }

    @Test
    void closedConnectionIsReopenedForTheNextCall() throws Exception {
        ScriptedServer.Script script =
                Http2Peer.script(
                        (peer, _) -> {
                            peer.respond(peer.request());
                            peer.goAway(1, ErrorCode.NO_ERROR);
                            peer.outlast();
                        });
        try (var server = new ScriptedServer(script)) {
            LoadReport report =
                    load(server, 1, 1).run(Repeat.sessions(CALL, 3, Duration.ofMillis(50)));
            assertEquals(Map.of(), report.errors());
            assertEquals(3, report.connections().opened());
            assertEquals(1, report.sessions().completed());
        }
    }

    @Test
    void connectionCutInAResponseIsAnError() throws Exception {
        ScriptedServer.Script script = Http2Peer.script((peer, _) -> peer.request());
        try (var server = new ScriptedServer(script)) {
            LoadReport report = load(server, 1, 2).run(Repeat.sessions(CALL, 1, Duration.ZERO));
            assertEquals(2, report.errorCount());
            long cut = report.errorCount(Outcome.CLOSED_EARLY) + report.errorCount(Outcome.RESET);
            assertEquals(2, cut);
        }
    }

    @Test
    void timeoutEndsOneStreamAlone() throws Exception {
        var cancelled = new AtomicInteger(-1);
        ScriptedServer.Script script =
                Http2Peer.script(
                        (peer, _) -> {
                            int silent = peer.request();
                            int other = peer.request();
                            cancelled.set(peer.next(Http2Peer.RST_STREAM).code());
                            assertTrue(other > silent);
                            peer.respond(peer.request());
                            peer.next(Http2Peer.HEADERS);
                        });
        try (var server = new ScriptedServer(script)) {
            var first = Step.inTurn(Duration.ZERO, List.of(CALL));
            LoadReport report =
                    load(server, 1, 1)
                            .withClient(CLIENT.withContinuingAfterFailure(true))
                            .withTimeLimits(new TimeLimits(LONG, LONG, Duration.ofSeconds(4)))
                            .run(steps(Step.pipelined(Duration.ZERO, List.of(CALL, CALL)), first));
            assertEquals(Map.of(Outcome.REPLY_TIMEOUT, 2L), report.errors());
            assertEquals(1, report.replies().count());
            assertEquals(ErrorCode.CANCEL.code(), cancelled.get());
            assertEquals(1, server.connectionCount());
        }
    }

    @Test
    void silentServerIsATimeout() throws Exception {
        try (var server = new ScriptedServer(ScriptedServer.Connection::outlast)) {
            LoadReport report =
                    load(server, 2, 2)
                            .withTimeLimits(new TimeLimits(LONG, LONG, Duration.ofMillis(100)))
                            .run(Repeat.sessions(CALL, 1, Duration.ZERO));
            assertEquals(Map.of(Outcome.REPLY_TIMEOUT, 2L), report.errors());
        }
    }

    /// The server reads what its window allows, and does not open it.
    @Test
    void closedWindowIsATimeoutOfSending() throws Exception {
        var received = new AtomicInteger();
        ScriptedServer.Script script =
                Http2Peer.script(
                        (peer, _) -> {
                            peer.request();
                            while (true) {
                                received.addAndGet(peer.next(Http2Peer.DATA).payload().length);
                            }
                        });
        try (var server = new ScriptedServer(script)) {
            Call large = Call.post("/a", "text/plain", new byte[200_000]);
            LoadReport report =
                    load(server, 1, 1)
                            .withTimeLimits(new TimeLimits(LONG, Duration.ofSeconds(2), LONG))
                            .run(Repeat.sessions(large, 1, Duration.ZERO));
            assertEquals(Map.of(Outcome.SEND_TIMEOUT, 1L), report.errors());
            server.awaitEnded(1);
            assertEquals(65_535, received.get());
        }
    }

    @Test
    void connectionIsClosedAfterEachCallIfNotKept() throws Exception {
        try (var server = new ScriptedServer(Http2Peer.responding())) {
            LoadReport report =
                    load(server, 2, 4)
                            .withClient(CLIENT.withConnectionsKept(false))
                            .run(Repeat.sessions(CALL, 3, Duration.ZERO));
            assertEquals(Map.of(), report.errors());
            assertEquals(4, report.sessions().completed());
            assertEquals(12, report.connections().opened());
            assertEquals(1.0, report.connections().repliesEach());
        }
    }

    /// 50 KB at 100 KB/s.
    @Test
    void receiveRateIsLimited() throws Exception {
        ScriptedServer.Script script =
                Http2Peer.script(
                        (peer, _) -> {
                            peer.respond(peer.request(), 50_000);
                            peer.next(Http2Peer.HEADERS);
                        });
        try (var server = new ScriptedServer(script)) {
            LoadReport report =
                    load(server, 1, 1)
                            .withClient(CLIENT.withReceiveRate(100_000))
                            .run(Repeat.sessions(CALL, 1, Duration.ZERO));
            assertEquals(Map.of(), report.errors());
            assertEquals(50_000, report.replies().contentBytes());
            assertTrue(report.measured().mostMillis() >= 400, report.text());
        }
    }

    @Test
    void refusedConnectionFailsEachCall() throws Exception {
        int port = FreePort.find();
        LoadReport report =
                sessions(Load.of("http://127.0.0.1:" + port), 3, 3)
                        .withClient(shared(10))
                        .run(Repeat.sessions(CALL, 1, Duration.ZERO));
        assertEquals(Map.of(Outcome.REFUSED, 3L), report.errors());
    }

    @Test
    void serverOfHttp1IsReported() throws Exception {
        ScriptedServer.Script script =
                connection -> {
                    connection.send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
                    connection.outlast();
                };
        try (var server = new ScriptedServer(script)) {
            LoadReport report = load(server, 1, 1).run(Repeat.sessions(CALL, 1, Duration.ZERO));
            assertEquals(Map.of(Outcome.BAD_REPLY, 1L), report.errors());
            assertEquals(1, report.http2().errors());
            assertTrue(report.generator().warnings().toString().contains("SETTINGS"));
        }
    }

    @Test
    void transcriptOfHttp2IsRejected() {
        var transcript = new Transcript(Transcript.Part.ALL, Transcript.Part.ALL, true, _ -> {});
        Load load = Load.of("http://127.0.0.1:1").withClient(CLIENT).withTranscript(transcript);
        var wrong =
                assertThrows(
                        IllegalArgumentException.class, () -> load.start(Repeat.endless(CALL)));
        assertEquals("a transcript is of HTTP/1, not of HTTP/2", wrong.getMessage());
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "10001, 0", "1, -1", "1, 1001"})
    void settingsOutOfRangeAreRejected(int streams, int retries) {
        assertThrows(IllegalArgumentException.class, () -> new Http2(streams, false, retries));
    }
}
