package dev.tandem.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DataLaneTest {
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
    private static final Decision RUN = new Decision.Run();
    private static final Decision WAIT = new Decision.Wait();

    private int size = 2;
    private int wakes;
    private long now;
    private final DataLane lane = new DataLane("test", () -> size, () -> wakes++);
    private final DataRoute route = lane.route("GET /books");

    /// A request, and what it was told.
    private final class Asker {
        final List<Decision> told = new ArrayList<>();
        final DataPlace place;

        Asker(DataRoute of, DataPlace.Kind kind) {
            place = new DataPlace(of, kind, told::add);
        }

        Decision ask() {
            return place.ask(now);
        }
    }

    private Asker live() {
        return new Asker(route, DataPlace.Kind.LIVE);
    }

    @Test
    void admitsNoMoreThanThereAreConnections() {
        var first = live();
        var second = live();
        var third = live();
        assertEquals(RUN, first.ask());
        assertEquals(RUN, second.ask());
        assertEquals(WAIT, third.ask());
        assertEquals(1, wakes);
        first.place.used(now);
        first.place.close(now);
        assertEquals(List.of(RUN), third.told);
        assertEquals(2, lane.counts().taken());
    }

    @Test
    void aLargerPoolIsFollowedAtOnce_andASmallerOneToo() {
        live().ask();
        live().ask();
        var waiting = live();
        waiting.ask();
        size = 4;
        assertEquals(WAIT, live().ask(), "not before those who came before it");
        lane.tick(now);
        assertEquals(List.of(RUN), waiting.told);
        size = 1;
        assertEquals(4, lane.counts().taken());
        waiting.place.close(now);
        assertEquals(WAIT, live().ask());
    }

    @Test
    void whoHasLeftNeverTakesAPlace() {
        var holder = live();
        size = 1;
        holder.ask();
        var gone = live();
        var next = live();
        gone.ask();
        next.ask();
        assertTrue(gone.place.leave());
        assertFalse(gone.place.leave(), "once");
        holder.place.close(now);
        assertEquals(List.of(), gone.told);
        assertEquals(List.of(RUN), next.told);
        assertEquals(1, lane.counts().left());
    }

    @Test
    void whileTheDatabaseIsDown_allAreRefusedAtOnce() {
        live().ask();
        live().ask();
        var waiting = live();
        waiting.ask();
        lane.down(true);
        assertEquals(
                Reason.NO_DATABASE,
                assertInstanceOf(Decision.Shed.class, waiting.told.getFirst()).reason());
        assertInstanceOf(Decision.Shed.class, live().ask());
        lane.down(false);
        size = 3;
        assertEquals(RUN, live().ask());
    }

    @Test
    void aPlaceThatIsNotUsedGoesToTheNext_andTheRouteIsSoonForgotten() {
        size = 1;
        var useful = live();
        useful.ask();
        useful.place.used(now);
        useful.place.close(now);
        assertTrue(route.isLikely());
        var idle = live();
        var next = live();
        idle.ask();
        next.ask();
        idle.place.closeUnused(now);
        assertEquals(List.of(RUN), next.told);
        assertFalse(route.isLikely());
        assertFalse(idle.place.used(now), "it is somebody else's");
    }

    @Test
    void closingTwiceGivesBackOnce() {
        var first = live();
        first.ask();
        live().ask();
        first.place.close(now);
        first.place.close(now);
        first.place.closeUnused(now);
        assertEquals(1, lane.counts().taken());
    }

    @Test
    void whoWaitsForTooLongIsRefused_firstComersSooner() {
        size = 1;
        live().ask();
        var first = new Asker(route, DataPlace.Kind.FIRST);
        var live = live();
        var running = new Asker(route, DataPlace.Kind.RUNNING);
        first.ask();
        live.ask();
        running.ask();
        later(1_100);
        assertEquals(1, first.told.size());
        assertEquals(0, live.told.size());
        later(1_000);
        assertEquals(
                Reason.EXPIRED,
                assertInstanceOf(Decision.Shed.class, live.told.getFirst()).reason());
        assertInstanceOf(Decision.Shed.class, running.told.getFirst());
        assertEquals(3, lane.counts().refused());
    }

    @Test
    void whoHoldsAThreadGoesFirst_andThoseWhoHaveBegunBeforeFirstComers() {
        size = 1;
        var holder = live();
        holder.ask();
        var first = new Asker(route, DataPlace.Kind.FIRST);
        var live = live();
        var running = new Asker(route, DataPlace.Kind.RUNNING);
        first.ask();
        live.ask();
        running.ask();
        holder.place.close(now);
        assertEquals(List.of(RUN), running.told);
        running.place.close(now);
        assertEquals(List.of(RUN), live.told);
        live.place.close(now);
        assertEquals(List.of(RUN), first.told);
    }

    /// The next connection comes soon: to keep one idle would only cost.
    @Test
    void whereLengthyRequestsAreShortNoConnectionIsIdle() {
        Crowd crowd = new Crowd(5, 20, 60);
        assertEquals(0, lane.counts().reserve());
        assertTrue(crowd.use() > 0.97, "connections are used for " + crowd.use());
        assertTrue(crowd.quickWait() < 10, "quick ones wait for " + crowd.quickWait() + " ms");
    }

    @Test
    void whereLengthyRequestsAreLongConnectionsAreKeptForQuickOnes() {
        Crowd crowd = new Crowd(5, 3_000, 60);
        assertTrue(lane.counts().reserve() > 0);
        assertTrue(crowd.quickWait() < 25, "quick ones wait for " + crowd.quickWait() + " ms");
    }

    /// In virtual time, a millisecond a step: lengthy requests always wait, and quick ones come at
    /// random so that they use a fifth of 8 connections. The second half is counted.
    private final class Crowd {
        private final Random random = new Random(3);
        private final DataRoute slow = lane.route("GET /best-sellers");
        private final List<Asker> held = new ArrayList<>();
        private final List<Long> until = new ArrayList<>();
        private final List<Asker> waiting = new ArrayList<>();
        private final List<Long> since = new ArrayList<>();
        private double busy;
        private double steps;
        private double quickNanos;
        private int quicks;

        Crowd(int quickMillis, int slowMillis, int seconds) {
            size = 8;
            for (int step = 0; step < seconds * 1000; step++) {
                now += MILLI;
                end();
                if (random.nextDouble() < 0.2 * size / quickMillis) {
                    come(route);
                }
                long ahead = waiting.stream().filter(each -> each.place.route() == slow).count();
                for (long i = ahead; i < 16; i++) {
                    come(slow);
                }
                begin(quickMillis, slowMillis, step > seconds * 500);
                if (step % 100 == 0) {
                    lane.tick(now);
                }
                busy += step > seconds * 500 ? held.size() : 0;
                steps += step > seconds * 500 ? 1 : 0;
            }
        }

        private void come(DataRoute of) {
            var asker = new Asker(of, DataPlace.Kind.LIVE);
            Decision decision = asker.ask();
            if (!(decision instanceof Decision.Shed)) {
                waiting.add(asker);
                since.add(now);
                if (decision.equals(RUN)) {
                    asker.told.add(decision);
                }
            }
        }

        private void end() {
            for (int i = held.size() - 1; i >= 0; i--) {
                if (until.get(i) <= now) {
                    until.remove(i);
                    held.remove(i).place.close(now);
                }
            }
        }

        private void begin(int quickMillis, int slowMillis, boolean counts) {
            for (int i = waiting.size() - 1; i >= 0; i--) {
                Asker asker = waiting.get(i);
                if (asker.told.isEmpty()) {
                    continue;
                }
                waiting.remove(i);
                long waited = now - since.remove(i);
                if (asker.told.getFirst().equals(RUN)) {
                    boolean isQuick = asker.place.route() == route;
                    asker.place.used(now);
                    held.add(asker);
                    until.add(now + (isQuick ? quickMillis : slowMillis) * MILLI);
                    quickNanos += isQuick && counts ? waited : 0;
                    quicks += isQuick && counts ? 1 : 0;
                }
            }
        }

        double use() {
            return busy / steps / size;
        }

        /// On average, in milliseconds.
        double quickWait() {
            return quickNanos / quicks / MILLI;
        }
    }

    @Test
    void whateverIsDone_noMoreAreTakenThanThereAre() {
        var random = new Random(7);
        size = 3;
        var all = new ArrayList<Asker>();
        for (int i = 0; i < 5_000; i++) {
            now += random.nextInt(5) * MILLI;
            switch (random.nextInt(6)) {
                case 0, 1 -> {
                    var kinds = DataPlace.Kind.values();
                    var asker = new Asker(route, kinds[random.nextInt(kinds.length)]);
                    asker.ask();
                    all.add(asker);
                }
                case 2 -> lane.tick(now);
                default -> {
                    if (!all.isEmpty()) {
                        act(random.nextInt(4), all.remove(random.nextInt(all.size())));
                    }
                }
            }
            assertTrue(lane.counts().taken() <= 3, "step " + i);
        }
        all.forEach(each -> act(3, each));
        all.forEach(each -> act(2, each));
        assertEquals(0, lane.counts().taken());
        assertFalse(lane.isBusy());
    }

    private void act(int what, Asker asker) {
        switch (what) {
            case 0 -> asker.place.used(now);
            case 1 -> asker.place.closeUnused(now);
            case 2 -> asker.place.close(now);
            default -> asker.place.leave();
        }
        asker.place.leave();
        asker.place.close(now);
    }

    private void hold(DataRoute of, int millis) {
        var asker = new Asker(of, DataPlace.Kind.LIVE);
        asker.ask();
        asker.place.used(now);
        now += millis * MILLI;
        asker.place.close(now);
    }

    private void later(int millis) {
        for (int i = 0; i < millis; i += 100) {
            now += 100 * MILLI;
            lane.tick(now);
        }
    }
}
