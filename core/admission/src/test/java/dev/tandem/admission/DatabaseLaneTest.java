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

    /// A request, and the decisions about it.
    private final class Requester {
        final List<Decision> decided = new ArrayList<>();
        final DatabasePermit permit;

        Requester(DatabaseRoute of, DatabasePermit.Kind kind) {
            permit = new DatabasePermit(of, kind, AdmissionTask.of(decided::add));
        }

        Decision request() {
            return permit.request(now);
        }
    }

    private Requester live() {
        return new Requester(route, DatabasePermit.Kind.LIVE_SESSION);
    }

    @Test
    void admitsNoMoreThanThereAreConnections() {
        var first = live();
        var second = live();
        var third = live();
        assertEquals(RUN, first.request());
        assertEquals(RUN, second.request());
        assertEquals(WAIT, third.request());
        assertEquals(1, wakes);
        first.permit.use(now);
        first.permit.close(now);
        assertEquals(List.of(RUN), third.decided);
        assertEquals(2, lane.counts().granted());
    }

    @Test
    void changedPoolSizeIsFollowedAtOnce() {
        live().request();
        live().request();
        var waiting = live();
        waiting.request();
        size = 4;
        assertEquals(WAIT, live().request(), "not before those that wait");
        lane.tick(now);
        assertEquals(List.of(RUN), waiting.decided);
        size = 1;
        assertEquals(4, lane.counts().granted());
        waiting.permit.close(now);
        assertEquals(WAIT, live().request());
    }

    /// As when an instance joins a fleet, and when one leaves it.
    @Test
    void shareOfAFleetThatChangesIsFollowedWhileRequestsWait() {
        size = 4;
        var held = List.of(live(), live(), live(), live());
        held.forEach(each -> assertEquals(RUN, each.request()));
        var waiting = List.of(live(), live(), live());
        waiting.forEach(each -> assertEquals(WAIT, each.request()));
        size = 2;
        held.get(0).permit.close(now);
        held.get(1).permit.close(now);
        lane.tick(now);
        assertEquals(2, lane.counts().granted());
        waiting.forEach(each -> assertEquals(List.of(), each.decided, "neither run nor rejected"));
        held.get(2).permit.close(now);
        assertEquals(List.of(RUN), waiting.get(0).decided);
        size = 4;
        lane.tick(now);
        waiting.forEach(each -> assertEquals(List.of(RUN), each.decided));
        assertEquals(4, lane.counts().granted());
    }

    @Test
    void disconnectedClientNeverTakesAConnection() {
        var holder = live();
        size = 1;
        holder.request();
        var cancelled = live();
        var next = live();
        cancelled.request();
        next.request();
        assertTrue(cancelled.permit.cancel());
        assertFalse(cancelled.permit.cancel(), "once");
        holder.permit.close(now);
        assertEquals(List.of(), cancelled.decided);
        assertEquals(List.of(RUN), next.decided);
        assertEquals(1, lane.counts().cancelled());
    }

    @Test
    void databaseThatIsDownRejectsAllAtOnce() {
        live().request();
        live().request();
        var waiting = live();
        waiting.request();
        lane.setDown(true);
        assertEquals(
                Reason.NO_DATABASE,
                assertInstanceOf(Decision.Reject.class, waiting.decided.getFirst()).reason());
        assertInstanceOf(Decision.Reject.class, live().request());
        lane.setDown(false);
        size = 3;
        assertEquals(RUN, live().request());
    }

    @Test
    void permitThatIsNotUsedGoesToTheNextRequest() {
        size = 1;
        var useful = live();
        useful.request();
        useful.permit.use(now);
        useful.permit.close(now);
        assertTrue(route.isLikely());
        var idle = live();
        var next = live();
        idle.request();
        next.request();
        idle.permit.releaseUnused();
        assertEquals(List.of(RUN), next.decided);
        assertFalse(route.isLikely());
        assertFalse(idle.permit.use(now), "it is another's");
    }

    @Test
    void closingTwiceReleasesOnce() {
        var first = live();
        first.request();
        live().request();
        first.permit.close(now);
        first.permit.close(now);
        first.permit.releaseUnused();
        assertEquals(1, lane.counts().granted());
    }

    @Test
    void requestThatWaitsTooLongIsRejectedNewSessionsSooner() {
        size = 1;
        live().request();
        var first = new Requester(route, DatabasePermit.Kind.NEW_SESSION);
        var live = live();
        var running = new Requester(route, DatabasePermit.Kind.RUNNING);
        first.request();
        live.request();
        running.request();
        later(1_100);
        assertEquals(1, first.decided.size());
        assertEquals(0, live.decided.size());
        later(1_000);
        assertEquals(
                Reason.EXPIRED,
                assertInstanceOf(Decision.Reject.class, live.decided.getFirst()).reason());
        assertInstanceOf(Decision.Reject.class, running.decided.getFirst());
        assertEquals(3, lane.counts().rejected());
    }

    @Test
    void requestWithThreadGoesFirstAndLiveSessionsBeforeNew() {
        size = 1;
        var holder = live();
        holder.request();
        var first = new Requester(route, DatabasePermit.Kind.NEW_SESSION);
        var live = live();
        var running = new Requester(route, DatabasePermit.Kind.RUNNING);
        first.request();
        live.request();
        running.request();
        holder.permit.close(now);
        assertEquals(List.of(RUN), running.decided);
        running.permit.close(now);
        assertEquals(List.of(RUN), live.decided);
        live.permit.close(now);
        assertEquals(List.of(RUN), first.decided);
    }

    /// Sorts the routes of eight connections: `route` is quick, and the returned one is lengthy.
    private DatabaseRoute lengthyRoute() {
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

    private List<Requester> requesting(DatabaseRoute of, int count, Decision expected) {
        var all = new ArrayList<Requester>();
        for (int i = 0; i < count; i++) {
            var requester = new Requester(of, DatabasePermit.Kind.LIVE_SESSION);
            assertEquals(expected, requester.request(), "no. " + i);
            all.add(requester);
        }
        return all;
    }

    @Test
    void noConnectionIsIdleWhileARequestWaitsAndQuickRequestsGoFirst() {
        DatabaseRoute slow = lengthyRoute();
        List<Requester> running = requesting(slow, 8, RUN);
        Requester lengthy = requesting(slow, 1, WAIT).getFirst();
        Requester quick = requesting(route, 1, WAIT).getFirst();
        running.get(0).permit.close(now);
        assertEquals(List.of(RUN), quick.decided, "though it was requested later");
        assertEquals(List.of(), lengthy.decided);
        running.get(1).permit.close(now);
        assertEquals(List.of(RUN), lengthy.decided);
    }

    @Test
    void muchShorterRequestGoesFirstUntilTheOldestHasWaitedForLong() {
        DatabaseRoute slow = lengthyRoute();
        DatabaseRoute shorter = lane.route("POST /cart");
        for (int i = 0; i < 3; i++) {
            hold(shorter, 80);
        }
        lane.tick(now);
        List<Requester> running = requesting(slow, 8, RUN);
        Requester oldest = requesting(slow, 1, WAIT).getFirst();
        List<Requester> shorterOnes = requesting(shorter, 2, WAIT);
        running.get(0).permit.close(now);
        assertEquals(List.of(RUN), shorterOnes.get(0).decided);
        assertEquals(List.of(), oldest.decided);
        later(1_600);
        running.get(1).permit.close(now);
        assertEquals(List.of(RUN), oldest.decided, "it no longer waits");
        assertEquals(List.of(), shorterOnes.get(1).decided);
    }

    @Test
    void lengthyRequestsHaveAQuarterBeforeAllOthers() {
        DatabaseRoute slow = lengthyRoute();
        List<Requester> running = requesting(route, 8, RUN);
        List<Requester> quick = requesting(route, 3, WAIT);
        List<Requester> lengthy = requesting(slow, 3, WAIT);
        for (int i = 0; i < 3; i++) {
            running.get(i).permit.close(now);
        }
        assertEquals(List.of(RUN), lengthy.get(0).decided);
        assertEquals(List.of(RUN), lengthy.get(1).decided);
        assertEquals(List.of(), lengthy.get(2).decided);
        assertEquals(List.of(RUN), quick.get(0).decided);
    }

    @Test
    void noMoreConnectionsAreGrantedThanThereAre() {
        var random = new Random(7);
        size = 3;
        var all = new ArrayList<Requester>();
        for (int i = 0; i < 5_000; i++) {
            now += random.nextInt(5) * MILLI;
            switch (random.nextInt(6)) {
                case 0, 1 -> {
                    var kinds = DatabasePermit.Kind.values();
                    var requester = new Requester(route, kinds[random.nextInt(kinds.length)]);
                    requester.request();
                    all.add(requester);
                }
                case 2 -> lane.tick(now);
                default -> {
                    if (!all.isEmpty()) {
                        act(random.nextInt(4), all.remove(random.nextInt(all.size())));
                    }
                }
            }
            assertTrue(lane.counts().granted() <= 3, "step " + i);
        }
        all.forEach(each -> act(3, each));
        all.forEach(each -> act(2, each));
        assertEquals(0, lane.counts().granted());
        assertFalse(lane.isBusy());
    }

    private void act(int what, Requester requester) {
        switch (what) {
            case 0 -> requester.permit.use(now);
            case 1 -> requester.permit.releaseUnused();
            case 2 -> requester.permit.close(now);
            default -> requester.permit.cancel();
        }
        requester.permit.cancel();
        requester.permit.close(now);
    }

    private void hold(DatabaseRoute of, int millis) {
        var requester = new Requester(of, DatabasePermit.Kind.LIVE_SESSION);
        requester.request();
        requester.permit.use(now);
        now += millis * MILLI;
        requester.permit.close(now);
    }

    private void later(int millis) {
        for (int i = 0; i < millis; i += 100) {
            now += 100 * MILLI;
            lane.tick(now);
        }
    }
}
