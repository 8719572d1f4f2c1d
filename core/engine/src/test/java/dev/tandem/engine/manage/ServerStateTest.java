package dev.tandem.engine.manage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tandem.admission.OverdueRoute;
import dev.tandem.admission.Reason;
import dev.tandem.admission.Utilization;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// The sentence of a server's state, for each state.
class ServerStateTest {
    private static final Utilization LITTLE = new Utilization(0.1, 0.34, 0, 0);
    private static final Utilization BUSY_WORKERS = new Utilization(3, 0.5, 0, 0);

    private static Sample sample(
            long completed,
            Map<Reason, Long> rejected,
            int waiting,
            Utilization used,
            @Nullable String busiest) {
        return new Sample(
                0,
                TimeUnit.SECONDS.toNanos(1),
                completed,
                rejected,
                1,
                1,
                1,
                0,
                new Sample.State(0, waiting, 0, 8, 1, used, busiest));
    }

    private static Sample quiet(long completed) {
        return sample(completed, Map.of(), 0, LITTLE, null);
    }

    private static void assertState(
            ServerState.Level level,
            String sentence,
            List<Sample> recent,
            OverdueRoute... overdue) {
        var state = ServerState.of(Lifecycle.READY, recent, List.of(overdue));
        assertEquals(sentence, state.value() + ": " + state.why());
        assertEquals(level, state.level());
    }

    private static void assertRejecting(ServerState.Level level, String sentence, Reason reason) {
        assertState(
                level,
                sentence,
                List.of(
                        sample(88, Map.of(reason, 12L), 9, BUSY_WORKERS, "GET /report"),
                        sample(0, Map.of(), 9, BUSY_WORKERS, "GET /report"),
                        sample(0, Map.of(), 9, BUSY_WORKERS, "GET /")));
    }

    @Test
    void serverWithoutRequestsIsHealthy() {
        assertState(ServerState.Level.OK, "healthy: no requests in the last seconds", List.of());
        assertState(
                ServerState.Level.OK,
                "healthy: no requests in the last seconds",
                List.of(quiet(0), quiet(0)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"1 | 0.5", "10 | 5.0", "40 | 20", "200000 | 100,000", "2000000 | 1,000,000"})
    void healthyServerNamesItsRateAndTheMostUsedResource(long completed, String rate) {
        assertState(
                ServerState.Level.OK,
                "healthy: " + rate + " requests/s, 34 % of the processors used",
                List.of(quiet(completed), quiet(0)));
    }

    @Test
    void rejectionsAreExplainedByTheirReason() {
        assertRejecting(
                ServerState.Level.WARNING,
                "rejecting 12 %: workers busy with GET /report",
                Reason.QUEUE_FULL);
        assertRejecting(
                ServerState.Level.WARNING,
                "rejecting 12 %: workers busy with GET /report",
                Reason.EXPIRED);
        assertRejecting(
                ServerState.Level.WARNING,
                "rejecting 12 %: new sessions, in favour of live ones; workers busy with GET"
                        + " /report",
                Reason.HELD_BACK);
        assertRejecting(
                ServerState.Level.ERROR,
                "rejecting 12 %: the database does not respond",
                Reason.NO_DATABASE);
        assertRejecting(
                ServerState.Level.ERROR,
                "rejecting 12 %: runs of a route did not return",
                Reason.ROUTE_STUCK);
    }

    @ParameterizedTest
    @CsvSource({"0, 100 %", "1, 99 %", "999, 50 %", "99999, under 1 %", "98901, 1 %"})
    void partOfRejectionsIsNeverRoundedToNothingOrAll(long completed, String part) {
        Map<Reason, Long> rejected = Map.of(Reason.QUEUE_FULL, 999L);
        assertState(
                ServerState.Level.WARNING,
                "rejecting " + part + ": workers busy",
                List.of(sample(completed, rejected, 1, BUSY_WORKERS, null)));
    }

    @ParameterizedTest
    @CsvSource({
        "2, 1, 0, 0, workers and processors busy with GET /",
        "1, 0.5, 2, 0, database connections busy with GET /",
        "0.2, 1, 0, 0.1, processors busy with GET /",
        "0.2, 0.3, 0, 1.5, TLS handshakes use all of their budget"
    })
    void bottleneckIsTheMostUsedResource(
            double workers, double processors, double databases, double handshakes, String why) {
        var used = new Utilization(workers, processors, databases, handshakes);
        Map<Reason, Long> rejected = Map.of(Reason.QUEUE_FULL, 1L);
        assertState(
                ServerState.Level.WARNING,
                "rejecting 50 %: " + why,
                List.of(sample(1, rejected, 1, used, "GET /")));
        assertState(
                ServerState.Level.WARNING,
                "busy: no request waits; " + why,
                List.of(sample(1, Map.of(), 0, used, "GET /")));
    }

    @Test
    void waitingRequestsMakeItBusy() {
        assertState(
                ServerState.Level.WARNING,
                "busy: 14 requests wait; workers busy with GET /report",
                List.of(
                        sample(9, Map.of(), 8, BUSY_WORKERS, "GET /report"),
                        sample(9, Map.of(), 20, BUSY_WORKERS, "GET /report")));
        assertState(
                ServerState.Level.WARNING,
                "busy: 1 request waits; workers busy",
                List.of(sample(9, Map.of(), 1, BUSY_WORKERS, null)));
    }

    @Test
    void pausedAcceptingIsReported() {
        var paused =
                new Sample(
                        0,
                        1_000_000_000,
                        5,
                        Map.of(),
                        1,
                        1,
                        1,
                        9,
                        new Sample.State(0, 9, 8, 8, 1, BUSY_WORKERS, "GET /"));
        assertState(
                ServerState.Level.WARNING,
                "pausing new connections: workers busy with GET /",
                List.of(paused, quiet(1)));
    }

    @Test
    void runsThatDoNotReturnAreReported() {
        assertState(
                ServerState.Level.ERROR,
                "stuck: a run of GET /a does not return",
                List.of(quiet(1)),
                new OverdueRoute("GET /a", 1, 1));
        assertState(
                ServerState.Level.ERROR,
                "stuck: 3 runs of GET /b do not return",
                List.of(quiet(1)),
                new OverdueRoute("GET /a", 1, 1),
                new OverdueRoute("GET /b", 3, 1));
        assertState(
                ServerState.Level.ERROR,
                "rejecting 50 %: 2 runs of GET /b do not return",
                List.of(sample(1, Map.of(Reason.ROUTE_STUCK, 1L), 0, LITTLE, null)),
                new OverdueRoute("GET /b", 2, 1));
    }

    @ParameterizedTest
    @EnumSource(value = Lifecycle.class, names = "READY", mode = EnumSource.Mode.EXCLUDE)
    void serverThatStartsOrStopsIsNamedSo(Lifecycle lifecycle) {
        var state = ServerState.of(lifecycle, List.of(quiet(1)), List.of());
        assertEquals(lifecycle.name().toLowerCase(java.util.Locale.ROOT), state.value());
        assertEquals(ServerState.Level.WARNING, state.level());
    }

    @Test
    void jsonIsQuoted() {
        var state = new ServerState(ServerState.Level.OK, "a\"b", "c\\d");
        assertEquals("{\"level\":\"ok\",\"value\":\"a\\\"b\",\"why\":\"c\\\\d\"}", state.json());
    }

    @Test
    void busiestRouteOfSeveralIsTheMostFrequent() {
        List<String> names = IntStream.range(0, 9).mapToObj(i -> i % 3 == 0 ? "b" : "c").toList();
        assertEquals("c", Reading.mostFrequent(names));
        assertEquals("a", Reading.mostFrequent(List.of("b", "a")));
        assertEquals(null, Reading.mostFrequent(List.of()));
    }
}
