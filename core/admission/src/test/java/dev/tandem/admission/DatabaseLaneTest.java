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

class DatabaseLaneTest {
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
    private static final Decision RUN = new Decision.Run();
    private static final Decision WAIT = new Decision.Wait();

    private int size = 2;
    private int wakes;
    private long now;
    private final DatabaseLane lane = new DatabaseLane("test", () -> size, () -> wakes++);
    private final DatabaseRoute route = lane.route("GET /books");

    /// A request, and what it was decided.
    private final class Asker {
        final List<Decision> decided = new ArrayList<>();
        final DatabasePermit place;

        Asker(DatabaseRoute of, DatabasePermit.Kind kind) {
            place = new DatabasePermit(of, kind, AdmissionTask.of(decided::add));
        }

        Decision ask() {
            return place.ask(now);
        }
    }

    private Asker live() {
        return new Asker(route, DatabasePermit.Kind.LIVE);
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
        assertEquals(List.of(RUN), third.decided);
        assertEquals(2, lane.counts().taken());
    }

    @Test
    void changedPoolSizeIsFollowedAtOnce() {
        live().ask();
        live().ask();
        var waiting = live();
        waiting.ask();
        size = 4;
        assertEquals(WAIT, live().ask(), "not before those who came before it");
        lane.tick(now);
        assertEquals(List.of(RUN), waiting.decided);
        size = 1;
        assertEquals(4, lane.counts().taken());
        waiting.place.close(now);
        assertEquals(WAIT, live().ask());
    }

    @Test
    void disconnectedClientNeverTakesAConnection() {
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
        assertEquals(List.of(), gone.decided);
        assertEquals(List.of(RUN), next.decided);
        assertEquals(1, lane.counts().left());
    }

    @Test
    void databaseThatIsDownRejectsAllAtOnce() {
        live().ask();
        live().ask();
        var waiting = live();
        waiting.ask();
        lane.down(true);
        assertEquals(
                Reason.NO_DATABASE,
                assertInstanceOf(Decision.Reject.class, waiting.decided.getFirst()).reason());
        assertInstanceOf(Decision.Reject.class, live().ask());
        lane.down(false);
        size = 3;
        assertEquals(RUN, live().ask());
    }

    @Test
    void permitThatIsNotUsedGoesToTheNextRequest() {
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
        assertEquals(List.of(RUN), next.decided);
        assertFalse(route.isLikely());
        assertFalse(idle.place.used(now), "it is another's");
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
    void requestThatWaitsTooLongIsRejectedNewSessionsSooner() {
        size = 1;
        live().ask();
        var first = new Asker(route, DatabasePermit.Kind.FIRST);
        var live = live();
        var running = new Asker(route, DatabasePermit.Kind.RUNNING);
        first.ask();
        live.ask();
        running.ask();
        later(1_100);
        assertEquals(1, first.decided.size());
        assertEquals(0, live.decided.size());
        later(1_000);
        assertEquals(
                Reason.EXPIRED,
                assertInstanceOf(Decision.Reject.class, live.decided.getFirst()).reason());
        assertInstanceOf(Decision.Reject.class, running.decided.getFirst());
        assertEquals(3, lane.counts().refused());
    }

    @Test
    void requestWithThreadGoesFirstAndLiveSessionsBeforeNew() {
        size = 1;
        var holder = live();
        holder.ask();
        var first = new Asker(route, DatabasePermit.Kind.FIRST);
        var live = live();
        var running = new Asker(route, DatabasePermit.Kind.RUNNING);
        first.ask();
        live.ask();
        running.ask();
        holder.place.close(now);
        assertEquals(List.of(RUN), running.decided);
        running.place.close(now);
        assertEquals(List.of(RUN), live.decided);
        live.place.close(now);
        assertEquals(List.of(RUN), first.decided);
    }

    /// Eight connections; `route` is known to be quick, and what comes back to be lengthy.
    private DatabaseRoute sorted() {
        size = 8;
        DatabaseRoute slow = lane.route("GET /best-sellers");
        for (int second = 0; second < 5; second++) {
            for (int i = 0; i < 40; i++) {
                hold(route, 20);
            }
            hold(slow, 200);
            lane.tick(now);
        }
        return slow;
    }

    private List<Asker> asking(DatabaseRoute of, int count, Decision expected) {
        var all = new ArrayList<Asker>();
        for (int i = 0; i < count; i++) {
            var asker = new Asker(of, DatabasePermit.Kind.LIVE);
            assertEquals(expected, asker.ask(), "no. " + i);
            all.add(asker);
        }
        return all;
    }

    @Test
    void noConnectionIsIdleWhileARequestWaitsAndQuickOnesGoFirst() {
        DatabaseRoute slow = sorted();
        List<Asker> running = asking(slow, 8, RUN);
        Asker lengthy = asking(slow, 1, WAIT).getFirst();
        Asker quick = asking(route, 1, WAIT).getFirst();
        running.get(0).place.close(now);
        assertEquals(List.of(RUN), quick.decided, "though it came later");
        assertEquals(List.of(), lengthy.decided);
        running.get(1).place.close(now);
        assertEquals(List.of(RUN), lengthy.decided);
    }

    @Test
    void ofLengthyOnesAMuchShorterOneGoesFirst_untilTheOldestHasWaitedForLong() {
        DatabaseRoute slow = sorted();
        DatabaseRoute shorter = lane.route("POST /cart");
        for (int i = 0; i < 3; i++) {
            hold(shorter, 80);
        }
        lane.tick(now);
        List<Asker> running = asking(slow, 8, RUN);
        Asker oldest = asking(slow, 1, WAIT).getFirst();
        List<Asker> shorterOnes = asking(shorter, 2, WAIT);
        running.get(0).place.close(now);
        assertEquals(List.of(RUN), shorterOnes.get(0).decided);
        assertEquals(List.of(), oldest.decided);
        later(1_600);
        running.get(1).place.close(now);
        assertEquals(List.of(RUN), oldest.decided, "no longer");
        assertEquals(List.of(), shorterOnes.get(1).decided);
    }

    @Test
    void lengthyOnesHaveAQuarterBeforeAnybodyElse() {
        DatabaseRoute slow = sorted();
        List<Asker> running = asking(route, 8, RUN);
        List<Asker> quick = asking(route, 3, WAIT);
        List<Asker> lengthy = asking(slow, 3, WAIT);
        for (int i = 0; i < 3; i++) {
            running.get(i).place.close(now);
        }
        assertEquals(List.of(RUN), lengthy.get(0).decided);
        assertEquals(List.of(RUN), lengthy.get(1).decided);
        assertEquals(List.of(), lengthy.get(2).decided);
        assertEquals(List.of(RUN), quick.get(0).decided);
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
                    var kinds = DatabasePermit.Kind.values();
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

    private void hold(DatabaseRoute of, int millis) {
        var asker = new Asker(of, DatabasePermit.Kind.LIVE);
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
