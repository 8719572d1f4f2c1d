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

/// More than the connections can bear, of several kinds at once; in virtual time.
class ConnectionShareTest {
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    /// So many would overflow any stack, each decided by the one before it.
    private static final int WAITING = 50_000;

    private static final DatabaseWaits PATIENT =
            new DatabaseWaits(3_600_000 * MILLI, 3_600_000 * MILLI);

    private final List<Run> running = new ArrayList<>();
    private int size = 1;
    private DatabaseLane lane = new DatabaseLane("test", () -> size, () -> {}, PATIENT);
    private long millis;

    private record Run(Crowd of, DatabasePermit place, long began, long end) {}

    /// So many that always ask anew as soon as they are done.
    private final class Crowd {
        final DatabaseRoute route;
        final Kind kind;
        final int takes;
        long millisHeld;

        Crowd(DatabaseRoute route, Kind kind, int count, int takes) {
            this.route = route;
            this.kind = kind;
            this.takes = takes;
            for (int i = 0; i < count; i++) {
                ask();
            }
        }

        void ask() {
            var place = new DatabasePermit[1];
            place[0] = new DatabasePermit(route, kind, AdmissionTask.of(_ -> began(place[0])));
            if (place[0].ask(millis * MILLI) instanceof Decision.Run) {
                began(place[0]);
            }
        }

        void began(DatabasePermit place) {
            place.used(millis * MILLI);
            running.add(new Run(this, place, millis, millis + takes));
        }

        /// Of all connections' time.
        double share(int seconds) {
            return millisHeld / (1_000.0 * seconds * size);
        }
    }

    private Crowd clients(String route, int count, int takes) {
        return new Crowd(lane.route(route), Kind.LIVE, count, takes);
    }

    private void seconds(int seconds) {
        for (long end = millis + 1_000L * seconds; millis < end; millis++) {
            if (millis % 100 == 0) {
                lane.tick(millis * MILLI);
            }
            List<Run> ended = running.stream().filter(run -> run.end <= millis).toList();
            running.removeAll(ended);
            for (Run run : ended) {
                run.of.millisHeld += run.end - run.began;
                run.place.close(millis * MILLI);
                run.of.ask();
            }
        }
    }

    private void hold(DatabaseRoute route, Kind kind, int takes) {
        var place = new DatabasePermit(route, kind, AdmissionTask.of(_ -> {}));
        assertEquals(new Decision.Run(), place.ask(millis * MILLI));
        place.used(millis * MILLI);
        long end = millis + takes;
        while (end - millis > 100) {
            later(100);
        }
        millis = end;
        place.close(millis * MILLI);
    }

    private static void assertAbout(double expected, double share, String whose) {
        assertTrue(Math.abs(share - expected) < 0.07, whose + " have " + share);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 8})
    void quickAndLengthyRequestsHaveTheirSharesHoweverFewConnectionsThereAre(int connections) {
        size = connections;
        Crowd lengthy = clients("GET /best-sellers", 2 * connections, 400);
        Crowd quick = clients("GET /product", 4 * connections, 5);
        seconds(10); // sorted by now
        lengthy.millisHeld = 0;
        quick.millisHeld = 0;
        seconds(60);
        assertAbout(0.25, lengthy.share(60), "lengthy ones");
        assertAbout(0.75, quick.share(60), "quick ones");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 8})
    void jobsThreadsAndUserRequestsDoNotStarveEachOther(int connections) {
        size = connections;
        Crowd clients = clients("GET /product", 4 * connections, 20);
        var jobs = new Crowd(lane.otherRoutes(), Kind.JOB, 3 * connections, 200);
        var rarely = new Crowd(lane.route("GET /rarely"), Kind.RUNNING, 3 * connections, 20);
        seconds(60);
        assertAbout(0.25, jobs.share(60), "jobs");
        assertAbout(0.25, rarely.share(60), "those with a thread");
        assertTrue(clients.share(60) > 0.4, "clients have " + clients.share(60));
    }

    @Test
    void connectionsThatNoOtherKindWantsAreFree() {
        size = 2;
        var jobs = new Crowd(lane.otherRoutes(), Kind.JOB, 3, 100);
        seconds(10);
        assertTrue(jobs.share(10) > 0.95, "jobs have " + jobs.share(10));
        assertEquals(2, lane.counts().taken());
    }

    @Test
    void requestThatNeedsASecondConnectionGoesFirst() {
        size = 2;
        DatabaseRoute route = lane.route("GET /two");
        var decided = new ArrayList<String>();
        var first = new DatabasePermit(route, Kind.LIVE, AdmissionTask.of(_ -> {}));
        var other = new DatabasePermit(route, Kind.LIVE, AdmissionTask.of(_ -> {}));
        first.ask(0);
        other.ask(0);
        new DatabasePermit(route, Kind.RUNNING, AdmissionTask.of(_ -> decided.add("running")))
                .ask(0);
        new DatabasePermit(route, Kind.LIVE, AdmissionTask.of(_ -> decided.add("client"))).ask(0);
        new DatabasePermit(route, Kind.URGENT, AdmissionTask.of(_ -> decided.add("second"))).ask(0);
        other.close(0);
        assertEquals(List.of("second"), decided);
    }

    @Test
    void aVeryLongUseAtTheStartDoesNotSayHowLongOthersAreToWait() {
        lane = new DatabaseLane("test", () -> size, () -> {});
        DatabaseRoute route = lane.route("GET /product");
        hold(lane.otherRoutes(), Kind.JOB, 600_000); // a migration
        hold(route, Kind.LIVE, 120_000); // what is made once
        for (int i = 0; i < 10; i++) {
            hold(route, Kind.LIVE, 5);
        }
        assertTrue(route.load.meanNanos() < 10 * MILLI, "mean " + route.load.meanNanos());
        new DatabasePermit(route, Kind.LIVE, AdmissionTask.of(_ -> {})).ask(millis * MILLI);
        for (int i = 0; i < 100; i++) {
            var next = new DatabasePermit(route, Kind.LIVE, AdmissionTask.of(_ -> {}));
            assertEquals(new Decision.Wait(), next.ask(millis * MILLI), "no. " + i);
        }
        later(2_500); // of the waiting ones, none is served
        assertEquals(100, lane.counts().refused(), "after 2 s, and not after minutes");
    }

    @Test
    void aRouteThatHasBecomeSlowIsKnownForItSoon() {
        DatabaseRoute route = lane.route("GET /product");
        for (int i = 0; i < 100; i++) {
            hold(route, Kind.LIVE, 5);
        }
        for (int i = 0; i < 40; i++) {
            hold(route, Kind.LIVE, 2_000);
        }
        assertTrue(route.load.meanNanos() > 500 * MILLI, "mean " + route.load.meanNanos());
    }

    @Test
    void taskThatThrowsReleasesItsConnection() {
        DatabaseRoute route = lane.route("GET /product");
        var holder = new DatabasePermit(route, Kind.LIVE, AdmissionTask.of(_ -> {}));
        holder.ask(0);
        var decided = new ArrayList<Decision>();
        var broken =
                new DatabasePermit(
                        route,
                        Kind.LIVE,
                        AdmissionTask.of(
                                _ -> {
                                    throw new IllegalStateException("gone");
                                }));
        broken.ask(0);
        new DatabasePermit(route, Kind.LIVE, AdmissionTask.of(decided::add)).ask(0);
        assertThrows(IllegalStateException.class, () -> holder.close(0));
        assertEquals(List.of(new Decision.Run()), decided);
        assertEquals(1, lane.counts().taken());
        assertFalse(broken.used(0));
    }

    /// Requests that take connections one after the other, more than can be served.
    private final class Arrivals {
        static final int USES = 4;
        int whole;
        int brokenOff;

        void come(Kind kind, int use) {
            var place = new DatabasePermit[1];
            place[0] =
                    new DatabasePermit(
                            lane.route("GET /orders"),
                            kind,
                            AdmissionTask.of(d -> decided(place[0], use, d)));
            decided(place[0], use, place[0].ask(millis * MILLI));
        }

        private void decided(DatabasePermit place, int use, Decision decision) {
            switch (decision) {
                case Decision.Wait _ -> {}
                case Decision.Reject _ -> brokenOff += use > 1 ? 1 : 0;
                case Decision.Run _ -> {
                    place.used(millis * MILLI);
                    ends.add(new End(millis + 10, () -> over(place, use)));
                }
            }
        }

        private void over(DatabasePermit place, int use) {
            place.close(millis * MILLI);
            if (use == USES) {
                whole++;
            } else {
                come(Kind.AGAIN, use + 1);
            }
        }
    }

    private record End(long at, Runnable over) {}

    private final Queue<End> ends = new ArrayDeque<>();

    @Test
    void requestThatHadAConnectionIsNotBrokenOffForNewOnes() {
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
                arrivals.come(Kind.LIVE, 1); // 333 a second, of 200 that can be served
            }
        }
        assertEquals(0, arrivals.brokenOff, "of what was begun; whole " + arrivals.whole);
        assertTrue(arrivals.whole > 0.9 * 200 * 20, "whole " + arrivals.whole);
    }

    @Test
    void thousandsMayReleaseTheirConnectionsAtOnce() {
        DatabaseRoute route = lane.route("GET /product");
        var holder = new DatabasePermit(route, Kind.JOB, AdmissionTask.of(_ -> {}));
        holder.ask(0);
        var decided = new AtomicInteger();
        for (int i = 0; i < WAITING; i++) {
            var place = new DatabasePermit[1];
            place[0] =
                    new DatabasePermit(
                            route,
                            Kind.JOB,
                            AdmissionTask.of(
                                    _ -> {
                                        decided.incrementAndGet();
                                        place[0].closeUnused(0); // admission refuses them
                                    }));
            place[0].ask(0);
        }
        holder.closeUnused(0);
        assertEquals(WAITING, decided.get());
        assertEquals(0, lane.counts().taken());
    }

    private void later(int forMillis) {
        for (int i = 0; i < forMillis; i += 100) {
            millis += 100;
            lane.tick(millis * MILLI);
        }
    }
}
