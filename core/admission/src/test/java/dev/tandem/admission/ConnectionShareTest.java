package dev.tandem.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.admission.DatabasePermit.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// More requests than the connections can serve, of several kinds at once; in virtual time.
class ConnectionShareTest {
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    /// So many recursive calls would overflow any stack.
    private static final int WAITING = 50_000;

    private static final DatabaseWaits PATIENT =
            new DatabaseWaits(3_600_000 * MILLI, 3_600_000 * MILLI);

    private final List<Run> running = new ArrayList<>();
    private int size = 1;
    private DatabaseLane lane = new DatabaseLane("test", () -> size, () -> {}, PATIENT);
    private long millis;

    private record Run(Clients of, DatabasePermit permit, long start, long end) {}

    /// Clients that request a connection again as soon as they have released one.
    private final class Clients {
        final DatabaseRoute route;
        final Kind kind;
        final int takes;
        long millisHeld;

        Clients(DatabaseRoute route, Kind kind, int count, int takes) {
            this.route = route;
            this.kind = kind;
            this.takes = takes;
            for (int i = 0; i < count; i++) {
                request();
            }
        }

        void request() {
            var permit = new DatabasePermit[1];
            permit[0] = new DatabasePermit(route, kind, AdmissionTask.of(_ -> granted(permit[0])));
            if (permit[0].request(millis * MILLI) instanceof Decision.Run) {
                granted(permit[0]);
            }
        }

        void granted(DatabasePermit permit) {
            permit.use(millis * MILLI);
            running.add(new Run(this, permit, millis, millis + takes));
        }

        /// Returns the part of all connections' time.
        double share(int seconds) {
            return millisHeld / (1_000.0 * seconds * size);
        }
    }

    private Clients clients(String route, int count, int takes) {
        return new Clients(lane.route(route), Kind.LIVE_SESSION, count, takes);
    }

    private void seconds(int seconds) {
        for (long end = millis + 1_000L * seconds; millis < end; millis++) {
            if (millis % 100 == 0) {
                lane.tick(millis * MILLI);
            }
            List<Run> ended = running.stream().filter(run -> run.end <= millis).toList();
            running.removeAll(ended);
            for (Run run : ended) {
                run.of.millisHeld += run.end - run.start;
                run.permit.close(millis * MILLI);
                run.of.request();
            }
        }
    }

    private void hold(DatabaseRoute route, Kind kind, int takes) {
        var permit = new DatabasePermit(route, kind, AdmissionTask.of(_ -> {}));
        assertEquals(new Decision.Run(), permit.request(millis * MILLI));
        permit.use(millis * MILLI);
        long end = millis + takes;
        while (end - millis > 100) {
            later(100);
        }
        millis = end;
        permit.close(millis * MILLI);
    }

    private static void assertAbout(double expected, double share, String kind) {
        assertTrue(Math.abs(share - expected) < 0.07, kind + " have " + share);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 8})
    void quickAndLengthyRequestsHaveTheirSharesHoweverFewConnectionsThereAre(int connections) {
        size = connections;
        Clients lengthy = clients("GET /best-sellers", 2 * connections, 400);
        Clients quick = clients("GET /product", 4 * connections, 5);
        seconds(10); // the routes are sorted by now
        lengthy.millisHeld = 0;
        quick.millisHeld = 0;
        seconds(60);
        assertAbout(0.25, lengthy.share(60), "lengthy requests");
        assertAbout(0.75, quick.share(60), "quick requests");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 8})
    void jobsThreadsAndClientRequestsDoNotStarveEachOther(int connections) {
        size = connections;
        Clients clients = clients("GET /product", 4 * connections, 20);
        var jobs = new Clients(lane.otherRoutes(), Kind.JOB, 3 * connections, 200);
        var rarely = new Clients(lane.route("GET /rarely"), Kind.RUNNING, 3 * connections, 20);
        seconds(60);
        assertAbout(0.25, jobs.share(60), "jobs");
        assertAbout(0.25, rarely.share(60), "threads");
        assertTrue(clients.share(60) > 0.4, "clients have " + clients.share(60));
    }

    @Test
    void connectionsThatNoOtherKindWaitsForAreFree() {
        size = 2;
        var jobs = new Clients(lane.otherRoutes(), Kind.JOB, 3, 100);
        seconds(10);
        assertTrue(jobs.share(10) > 0.95, "jobs have " + jobs.share(10));
        assertEquals(2, lane.counts().granted());
    }

    @Test
    void requestThatNeedsASecondConnectionGoesFirst() {
        size = 2;
        DatabaseRoute route = lane.route("GET /two");
        var decided = new ArrayList<String>();
        var first = new DatabasePermit(route, Kind.LIVE_SESSION, AdmissionTask.of(_ -> {}));
        var other = new DatabasePermit(route, Kind.LIVE_SESSION, AdmissionTask.of(_ -> {}));
        first.request(0);
        other.request(0);
        new DatabasePermit(route, Kind.RUNNING, AdmissionTask.of(_ -> decided.add("running")))
                .request(0);
        new DatabasePermit(route, Kind.LIVE_SESSION, AdmissionTask.of(_ -> decided.add("client")))
                .request(0);
        new DatabasePermit(route, Kind.URGENT, AdmissionTask.of(_ -> decided.add("second")))
                .request(0);
        other.close(0);
        assertEquals(List.of("second"), decided);
    }

    @Test
    void longFirstUseDoesNotMakeOthersWaitLonger() {
        lane = new DatabaseLane("test", () -> size, () -> {});
        DatabaseRoute route = lane.route("GET /product");
        hold(lane.otherRoutes(), Kind.JOB, 600_000); // a migration
        hold(route, Kind.LIVE_SESSION, 120_000); // its first use
        for (int i = 0; i < 10; i++) {
            hold(route, Kind.LIVE_SESSION, 5);
        }
        assertTrue(route.load.meanNanos() < 10 * MILLI, "mean " + route.load.meanNanos());
        new DatabasePermit(route, Kind.LIVE_SESSION, AdmissionTask.of(_ -> {}))
                .request(millis * MILLI);
        for (int i = 0; i < 100; i++) {
            var next = new DatabasePermit(route, Kind.LIVE_SESSION, AdmissionTask.of(_ -> {}));
            assertEquals(new Decision.Wait(), next.request(millis * MILLI), "no. " + i);
        }
        later(2_500); // none of those that wait is granted one
        assertEquals(100, lane.counts().rejected(), "after 2 s, and not after minutes");
    }

    @Test
    void routeThatHasBecomeSlowIsRecognizedSoon() {
        DatabaseRoute route = lane.route("GET /product");
        for (int i = 0; i < 100; i++) {
            hold(route, Kind.LIVE_SESSION, 5);
        }
        for (int i = 0; i < 40; i++) {
            hold(route, Kind.LIVE_SESSION, 2_000);
        }
        assertTrue(route.load.meanNanos() > 500 * MILLI, "mean " + route.load.meanNanos());
    }

    @Test
    void taskThatThrowsReleasesItsConnection() {
        DatabaseRoute route = lane.route("GET /product");
        var holder = new DatabasePermit(route, Kind.LIVE_SESSION, AdmissionTask.of(_ -> {}));
        holder.request(0);
        var decided = new ArrayList<Decision>();
        var broken =
                new DatabasePermit(
                        route,
                        Kind.LIVE_SESSION,
                        AdmissionTask.of(
                                _ -> {
                                    throw new IllegalStateException("gone");
                                }));
        broken.request(0);
        new DatabasePermit(route, Kind.LIVE_SESSION, AdmissionTask.of(decided::add)).request(0);
        assertThrows(IllegalStateException.class, () -> holder.close(0));
        assertEquals(List.of(new Decision.Run()), decided);
        assertEquals(1, lane.counts().granted());
        assertFalse(broken.use(0));
    }

    /// Requests that use one connection after another, more than can be served.
    private final class Arrivals {
        static final int USES = 4;
        int completed;
        int rejectedLater;

        void arrive(Kind kind, int use) {
            var permit = new DatabasePermit[1];
            permit[0] =
                    new DatabasePermit(
                            lane.route("GET /orders"),
                            kind,
                            AdmissionTask.of(d -> decided(permit[0], use, d)));
            decided(permit[0], use, permit[0].request(millis * MILLI));
        }

        private void decided(DatabasePermit permit, int use, Decision decision) {
            switch (decision) {
                case Decision.Wait _ -> {}
                case Decision.Reject _ -> rejectedLater += use > 1 ? 1 : 0;
                case Decision.Run _ -> {
                    permit.use(millis * MILLI);
                    ends.add(new End(millis + 10, () -> over(permit, use)));
                }
            }
        }

        private void over(DatabasePermit permit, int use) {
            permit.close(millis * MILLI);
            if (use == USES) {
                completed++;
            } else {
                arrive(Kind.REPEATED, use + 1);
            }
        }
    }

    private record End(long at, Runnable over) {}

    private final Queue<End> ends = new ArrayDeque<>();

    @Test
    void requestThatHadAConnectionIsNotRejectedForNewOnes() {
        size = 8;
        lane = new DatabaseLane("test", () -> size, () -> {});
        var arrivals = new Arrivals();
        for (; millis < 20_000; millis++) {
            if (millis % 100 == 0) {
                lane.tick(millis * MILLI);
            }
            while (!ends.isEmpty() && ends.element().at <= millis) {
                ends.remove().over.run();
            }
            if (millis % 3 == 0) {
                arrivals.arrive(Kind.LIVE_SESSION, 1); // 333 a second, of which 200 can be served
            }
        }
        assertEquals(
                0,
                arrivals.rejectedLater,
                "of those that started; completed " + arrivals.completed);
        assertTrue(arrivals.completed > 0.9 * 200 * 20, "completed " + arrivals.completed);
    }

    @Test
    void thousandsMayReleaseTheirConnectionsAtOnce() {
        DatabaseRoute route = lane.route("GET /product");
        var holder = new DatabasePermit(route, Kind.JOB, AdmissionTask.of(_ -> {}));
        holder.request(0);
        var decided = new AtomicInteger();
        for (int i = 0; i < WAITING; i++) {
            var permit = new DatabasePermit[1];
            permit[0] =
                    new DatabasePermit(
                            route,
                            Kind.JOB,
                            AdmissionTask.of(
                                    _ -> {
                                        decided.incrementAndGet();
                                        permit[0].releaseUnused(); // as if admission rejected it
                                    }));
            permit[0].request(0);
        }
        holder.releaseUnused();
        assertEquals(WAITING, decided.get());
        assertEquals(0, lane.counts().granted());
    }

    private void later(int forMillis) {
        for (int i = 0; i < forMillis; i += 100) {
            millis += 100;
            lane.tick(millis * MILLI);
        }
    }
}
