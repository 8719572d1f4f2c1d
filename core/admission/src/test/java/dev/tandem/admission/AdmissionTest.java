package dev.tandem.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AdmissionTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1000 * MILLI;

    private final Admission admission = new Admission(new Limits(2, 2));
    private long now = 77 * SECOND;

    @Test
    void stopClosesQueuedRequests() {
        List<Permit> running = fill("a");
        int[] closed = {0};
        var task =
                new AdmissionTask() {
                    @Override
                    public void run() {
                        closed[0] = -1_000;
                    }

                    @Override
                    public void reject(Decision.Reject rejection) {
                        closed[0] = -1_000;
                    }

                    @Override
                    public void close() {
                        closed[0]++;
                    }
                };
        for (int i = 0; i < 3; i++) {
            decide(admission.newPermit(task), "a", new Session());
        }
        admission.stop();
        assertEquals(3, closed[0]);
        assertEquals(0, admission.waitingCount());
        finish(running.getFirst());
        admission.startQueued(now);
        assertEquals(3, closed[0]);
    }

    @Test
    void runsWhileAWorkerIsFree() {
        assertInstanceOf(Decision.Run.class, decide(permit(), "a", new Session()));
        assertInstanceOf(Decision.Run.class, decide(permit(), "a", new Session()));
        assertInstanceOf(Decision.Wait.class, decide(permit(), "a", new Session()));
        assertEquals(2, admission.counters().running());
    }

    @Test
    void queuedRequestRunsWhenAPermitIsClosed() {
        List<Permit> running = fill("a");
        Permit waiting = permit();
        decide(waiting, "a", new Session());
        assertNull(admission.next(now), "none has left");
        finish(running.getFirst());
        assertSame(waiting, admission.next(now));
        assertInstanceOf(Decision.Run.class, waiting.decision());
        assertNull(admission.next(now));
    }

    @Test
    void liveSessionsGoBeforeNewOnes() {
        Session known = visited();
        List<Permit> running = fill("a");
        Permit first = permit();
        Permit live = permit();
        decide(first, "a", new Session());
        decide(live, "a", known);
        finish(running.get(0));
        assertSame(live, admission.next(now));
        finish(running.get(1));
        assertSame(first, admission.next(now));
    }

    @Test
    void resumedTlsSessionGoesBeforeNewSessions() {
        List<Permit> running = fill("a");
        Permit first = permit();
        Permit live = permit();
        decide(first, "a", new Session());
        decide(live, "a", new Session().resumed());
        finish(running.getFirst());
        assertSame(live, admission.next(now));
    }

    @Test
    void resumedTlsSessionIsAsOldAsItsFirstRequestHere() {
        for (int i = 0; i < 3700; i++) {
            now += SECOND;
            admission.tick(now);
        }
        Session resumed = new Session().resumed();
        visit(resumed);
        assertTrue(resumed.begunAt > 3600 * SECOND, "begun just now");
        assertEquals(1, admission.counters().sessionsBegun());
        admission.end(resumed);
        assertEquals(1, admission.counters().sessionsFinished());
    }

    @Test
    void sessionThatIsTooOldComesInAgain() {
        Session known = visited();
        for (int i = 0; i < 3700; i++) { // seconds, one by one: the clock must not seem to leap
            now += SECOND;
            admission.tick(now);
        }
        List<Permit> running = fill("a");
        Permit first = permit();
        Permit old = permit();
        decide(first, "a", new Session());
        decide(old, "a", known);
        finish(running.getFirst());
        assertSame(first, admission.next(now));
    }

    @Test
    void sessionWithTooManyRequestsComesInAgain() {
        var session = new Session();
        for (int i = 0; i < Session.REQUESTS_MAX + 5; i++) {
            visit(session);
        }
        assertEquals(2, admission.counters().sessionsBegun());
    }

    @Test
    void someNewSessionsRunWhateverLiveOnesAsk() {
        Session known = visited();
        List<Permit> running = fill("a");
        Permit first = permit();
        decide(first, "a", new Session());
        int turns = 0;
        Permit next = null;
        while (next != first && turns++ < 64) {
            decide(permit(), "a", known);
            finish(running.removeFirst());
            next = admission.next(now);
            running.add(next);
        }
        assertSame(first, next);
    }

    @Test
    void cookieThatIsNotKnownCountsForNothing() {
        assertNull(admission.session(0x1234_5678_9abcL));
    }

    @Test
    void cookieOfASessionIsKnownOnAnotherConnection() {
        Session known = visited();
        admission.remember(42, known);
        admission.end(known);
        assertSame(known, admission.session(42));
        assertEquals(0, admission.counters().sessionsFinished(), "the cookie carries it on");
    }

    @Test
    void cookieOfASessionThatWasNeverAdmittedIsNotRemembered() {
        admission.remember(42, new Session());
        assertNull(admission.session(42));
    }

    @Test
    void requestOfDisconnectedClientIsNeverStarted() {
        List<Permit> running = fill("a");
        Permit waiting = permit();
        decide(waiting, "a", new Session());
        assertTrue(admission.leave(waiting));
        assertFalse(admission.leave(waiting), "it does not wait any more");
        finish(running.getFirst());
        assertNull(admission.next(now));
        assertEquals(1, admission.counters().left());
    }

    @Test
    void requestThatHasWaitedTooLongIsRejected() {
        fill("a");
        Permit waiting = permit();
        decide(waiting, "a", new Session());
        for (long waited = 0; waited < RequestLane.WAIT_COLD; waited += RequestLane.WAIT_CALM) {
            assertNull(admission.next(now), "it may wait for so long");
            now += RequestLane.WAIT_CALM;
        }
        now += MILLI;
        assertSame(waiting, admission.next(now));
        assertEquals(
                Reason.EXPIRED,
                assertInstanceOf(Decision.Reject.class, waiting.decision()).reason());
        assertInstanceOf(Decision.Wait.class, decide(waiting, "a", new Session()), "free again");
    }

    /// Two seconds at full load are no burst: from then on, the short waits count.
    @Test
    void waitIsShortInALongPeakThoughTheSearchGoesOn() {
        Session known = visited();
        fill("a");
        decide(permit(), "a", new Session());
        for (int i = 0; i < 25; i++) {
            now += 100 * MILLI;
            admission.tick(now);
        }
        while (admission.next(now) != null) {
            // Those before have waited for too long.
        }
        Permit waiting = permit();
        decide(waiting, "a", known);
        now += RequestLane.WAIT_CALM + MILLI;
        assertSame(waiting, admission.next(now));
        assertInstanceOf(Decision.Reject.class, waiting.decision());
    }

    /// The code of a page that is asked for first on a warm server is compiled no more than that of
    /// a server that has just started.
    @Test
    void routeThatIsNewOnAWarmServerIsCold() {
        waitIsShortInALongPeakThoughTheSearchGoesOn();
        Permit waiting = permit();
        decide(waiting, "new", new Session());
        now += RequestLane.WAIT_CALM + MILLI;
        admission.next(now);
        assertTrue(admission.leave(waiting), "it still waits");
    }

    /// As one does that was stopped, or moved to another host: what ran meanwhile took no time.
    @Test
    void machineThatStoodStillSaysNothingOfRoutes() {
        visit(new Session());
        visit(new Session());
        double before = admission.route("a").meanNanos();
        Permit permit = permit();
        decide(permit, "a", new Session());
        now += 4000 * MILLI;
        finish(permit);
        assertEquals(before, admission.route("a").meanNanos());
        assertEquals(0, admission.counters().running());
        visit(new Session());
        assertTrue(admission.route("a").isKnown(), "what comes after is learned");
    }

    @Test
    void fullQueueRejectsAtOnce() {
        fill("a");
        Decision last = Decision.Wait.WAIT;
        for (int i = 0; i < 100_000 && last instanceof Decision.Wait; i++) {
            last = decide(permit(), "a", new Session());
        }
        var shed = assertInstanceOf(Decision.Reject.class, last);
        assertEquals(Reason.QUEUE_FULL, shed.reason());
        assertTrue(shed.retryAfterSeconds() >= 1);
        assertEquals(1, admission.counters().refused().get(Reason.QUEUE_FULL));
    }

    @Test
    void probeRunsWhateverElseDoes() {
        fill("a");
        decide(permit(), "a", new Session());
        Permit probe = permit();
        RouteLoad health = admission.probe("GET /health");
        assertInstanceOf(Decision.Run.class, admission.decide(probe, health, new Session(), now));
        assertEquals(2, admission.counters().running(), "it takes no worker's place");
        finish(probe);
    }

    @Test
    void longLivedExchangeIsNoLoad() {
        List<Permit> running = fill("a");
        Permit waiting = permit();
        decide(waiting, "a", new Session());
        running.getFirst().longLived();
        assertSame(waiting, admission.next(now));
        assertEquals(1, admission.counters().apart());
        finish(running.getFirst());
        assertEquals(0, admission.counters().apart());
    }

    @Test
    void permitClosedTwiceIsTheCallersBug() {
        Permit permit = permit();
        decide(permit, "a", new Session());
        finish(permit);
        assertThrows(IllegalStateException.class, permit::close);
        assertEquals(0, admission.counters().running());
    }

    @Test
    void permitThatWaitsCannotBeClosedNorAskedWith() {
        fill("a");
        Permit waiting = permit();
        decide(waiting, "a", new Session());
        assertThrows(IllegalStateException.class, waiting::close);
        assertThrows(IllegalStateException.class, () -> decide(waiting, "a", new Session()));
    }

    @Test
    void errorsTeachNothing() {
        for (int i = 0; i < 10; i++) {
            Permit permit = permit();
            decide(permit, "a", new Session());
            permit.ended(Outcome.FAILED, now);
            permit.close();
        }
        assertFalse(admission.route("a").isKnown());
    }

    @Test
    void handlerThatDoesNotReturnIsReplacedAndReportedByName() {
        for (int i = 0; i < 5; i++) {
            visit(new Session(), "GET /hangs");
        }
        fill("GET /hangs");
        for (int i = 0; i < 130; i++) {
            now += 100 * MILLI;
            admission.tick(now);
        }
        assertEquals(2, admission.counters().apart());
        assertEquals(0, admission.counters().running());
        assertTrue(
                admission.explain().stream()
                        .anyMatch(
                                e ->
                                        e.name().equals("GET /hangs")
                                                && e.value().equals("2 overdue")),
                admission.explain().toString());
        OverdueRoute overdue = admission.overdue().getFirst();
        assertEquals(2, overdue.runs());
        assertEquals(RouteLoad.OVERDUE_NANOS, overdue.afterNanos());
        assertInstanceOf(Decision.Run.class, decide(permit(), "b", new Session()));
    }

    @Test
    void routeWhoseRunsDoNotReturnGetsFewer() {
        RouteLoad route = admission.route("GET /hangs");
        route.overdue = 1;
        route.running = 1;
        assertTrue(route.isStuck(2), "half of two run already");
        route.running = 0;
        assertFalse(route.isStuck(2));
        route.overdue = RouteLoad.OVERDUE_MAX;
        assertTrue(route.isStuck(1000));
    }

    @Test
    void unknownRoutesShareABucket() {
        for (int i = 0; i < Routes.MAX; i++) {
            admission.route("GET /" + i);
        }
        assertSame(admission.otherRoutes(), admission.route("GET /one-more"));
        assertNotNull(admission.route("GET /7"));
    }

    @Test
    void nothingIsOverdueThatIsOnlyLongLived() {
        List<Permit> running = fill("a");
        assertTrue(admission.isRunning());
        running.forEach(Permit::longLived);
        assertEquals(List.of(), admission.overdue());
        assertFalse(admission.isRunning());
    }

    @Test
    void everyNumberIsExplained() {
        visit(new Session());
        for (Explanation line : admission.explain()) {
            assertFalse(line.why().isBlank(), line.name());
            assertFalse(line.value().isBlank(), line.name());
        }
        assertTrue(admission.explain().size() >= 14);
    }

    private Permit permit() {
        return admission.newPermit(AdmissionTask.of(_ -> {}));
    }

    private Decision decide(Permit permit, String route, Session session) {
        return admission.decide(permit, admission.route(route), session, now);
    }

    private List<Permit> fill(String route) {
        var running = new ArrayList<Permit>();
        for (int i = 0; i < 2; i++) {
            Permit permit = permit();
            assertInstanceOf(Decision.Run.class, decide(permit, route, new Session()));
            running.add(permit);
        }
        return running;
    }

    private void finish(Permit permit) {
        now += MILLI;
        permit.ended(Outcome.ANSWERED, now);
        permit.close();
    }

    private Session visited() {
        var session = new Session();
        visit(session);
        return session;
    }

    private void visit(Session session) {
        visit(session, "a");
    }

    private void visit(Session session, String route) {
        Permit permit = permit();
        assertInstanceOf(Decision.Run.class, decide(permit, route, session));
        finish(permit);
    }
}
