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
        assertNull(admission.next(now), "none has ended");
        finish(running.getFirst());
        assertSame(waiting, admission.next(now));
        assertInstanceOf(Decision.Run.class, waiting.decision());
        assertNull(admission.next(now));
    }

    @Test
    void liveSessionsGoBeforeNewOnes() {
        Session known = liveSession();
        List<Permit> running = fill("a");
        Permit newOne = permit();
        Permit live = permit();
        decide(newOne, "a", new Session());
        decide(live, "a", known);
        finish(running.get(0));
        assertSame(live, admission.next(now));
        finish(running.get(1));
        assertSame(newOne, admission.next(now));
    }

    @Test
    void resumedTlsSessionGoesBeforeNewSessions() {
        List<Permit> running = fill("a");
        Permit newOne = permit();
        Permit live = permit();
        decide(newOne, "a", new Session());
        decide(live, "a", Session.ofResumedTls());
        finish(running.getFirst());
        assertSame(live, admission.next(now));
    }

    @Test
    void resumedTlsSessionIsAsOldAsItsFirstRequestHere() {
        for (int i = 0; i < 3700; i++) {
            now += SECOND;
            admission.tick(now);
        }
        Session resumed = Session.ofResumedTls();
        runOne(resumed);
        assertTrue(resumed.startedAt > 3600 * SECOND, "started just now");
        assertEquals(1, admission.counters().sessionsStarted());
        admission.closeSession(resumed);
        assertEquals(1, admission.counters().sessionsFinished());
    }

    @Test
    void sessionThatIsTooOldIsANewSession() {
        Session known = liveSession();
        for (int i = 0; i < 3700; i++) { // seconds, one by one: the clock must not seem to jump
            now += SECOND;
            admission.tick(now);
        }
        List<Permit> running = fill("a");
        Permit newOne = permit();
        Permit old = permit();
        decide(newOne, "a", new Session());
        decide(old, "a", known);
        finish(running.getFirst());
        assertSame(newOne, admission.next(now));
    }

    @Test
    void sessionWithTooManyRequestsIsANewSession() {
        var session = new Session();
        for (int i = 0; i < Session.REQUESTS_MAX + 5; i++) {
            runOne(session);
        }
        assertEquals(2, admission.counters().sessionsStarted());
    }

    @Test
    void someNewSessionsRunWhateverLiveOnesRequest() {
        Session known = liveSession();
        List<Permit> running = fill("a");
        Permit newOne = permit();
        decide(newOne, "a", new Session());
        int starts = 0;
        Permit next = null;
        while (next != newOne && starts++ < 64) {
            decide(permit(), "a", known);
            finish(running.removeFirst());
            next = admission.next(now);
            running.add(next);
        }
        assertSame(newOne, next);
    }

    /// Its client disconnects while it waits: the next new session is admitted in its place, and
    /// not
    /// after as many requests again.
    @Test
    void newSessionThatDoesNotStartUsesUpNoQuota() {
        Session known = liveSession();
        Session live = liveSession();
        for (int i = 0; i < 40 * 40; i++) {
            runOne(known);
            if (i % 40 == 0) {
                now += SECOND;
                admission.tick(now);
            }
        }
        var running = new ArrayList<Permit>();
        Permit waiting = permit();
        while (decide(waiting, "a", known) instanceof Decision.Run) {
            running.add(waiting);
            waiting = permit();
        }
        decide(permit(), "a", live);
        Permit first = permit();
        decide(first, "a", new Session());
        assertTrue(first.hasPriority, "admitted by the quota");
        assertTrue(first.cancel());
        Permit second = permit();
        decide(second, "a", new Session());
        finish(running.getFirst());
        assertSame(second, admission.next(now));
    }

    @Test
    void unknownCookieGivesNoSession() {
        assertNull(admission.session(0x1234_5678_9abcL));
    }

    @Test
    void cookieOfASessionIsKnownOnAnotherConnection() {
        Session known = liveSession();
        admission.remember(42, known);
        admission.closeSession(known);
        assertSame(known, admission.session(42));
        assertEquals(
                0, admission.counters().sessionsFinished(), "other connections may continue it");
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
        assertTrue(waiting.cancel());
        assertFalse(waiting.cancel(), "it does not wait any longer");
        finish(running.getFirst());
        assertNull(admission.next(now));
        assertEquals(1, admission.counters().cancelled());
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
        Session known = liveSession();
        fill("a");
        decide(permit(), "a", new Session());
        for (int i = 0; i < 25; i++) {
            now += 100 * MILLI;
            admission.tick(now);
        }
        while (admission.next(now) != null) {
            // The earlier ones have waited for too long.
        }
        Permit waiting = permit();
        decide(waiting, "a", known);
        now += RequestLane.WAIT_CALM + MILLI;
        assertSame(waiting, admission.next(now));
        assertInstanceOf(Decision.Reject.class, waiting.decision());
    }

    /// The code of a page that is first requested on a warm server is not compiled yet either.
    @Test
    void routeThatIsNewOnAWarmServerIsCold() {
        waitIsShortInALongPeakThoughTheSearchGoesOn();
        Permit waiting = permit();
        decide(waiting, "new", new Session());
        now += RequestLane.WAIT_CALM + MILLI;
        admission.next(now);
        assertTrue(waiting.cancel(), "it still waits");
    }

    /// As a virtual machine that was stopped, or moved to another host.
    @Test
    void runDuringAStallOfTheMachineTeachesNothing() {
        runOne(new Session());
        runOne(new Session());
        double before = admission.route("a").meanNanos();
        Permit permit = permit();
        decide(permit, "a", new Session());
        now += 4000 * MILLI;
        finish(permit);
        assertEquals(before, admission.route("a").meanNanos());
        assertEquals(0, admission.counters().running());
        runOne(new Session());
        assertTrue(admission.route("a").isKnown(), "later runs are learned from");
    }

    @Test
    void fullQueueRejectsAtOnce() {
        fill("a");
        Decision last = Decision.Wait.WAIT;
        for (int i = 0; i < 100_000 && last instanceof Decision.Wait; i++) {
            last = decide(permit(), "a", new Session());
        }
        var rejection = assertInstanceOf(Decision.Reject.class, last);
        assertEquals(Reason.QUEUE_FULL, rejection.reason());
        assertTrue(rejection.retryAfterSeconds() >= 1);
        assertEquals(1, admission.counters().rejected().get(Reason.QUEUE_FULL));
    }

    /// Another instance may have rejected them, in the middle.
    @Test
    void lengthOfSharedSessionsIsNotLearnedWhileRequestsAreRejected() {
        for (int key = 0; key < 200; key++) {
            rememberSession(key, Session.shared(false));
        }
        fullQueueRejectsAtOnce();
        admission.tick(now += 100 * MILLI);
        endAllSessions();
        assertEquals(10, admission.sessionAdmission.length(), "as assumed");
        for (int key = 0; key < 200; key++) {
            rememberSession(key, new Session());
        }
        endAllSessions();
        assertEquals(1, admission.sessionAdmission.length(), 0.2, "they were finished here");
    }

    /// Of ten requests of a session, as is assumed, nine are followed by another one.
    @Test
    void sessionsThatOtherServersBeganAreExpectedToContinueHere() {
        for (int tick = 0; tick < 50; tick++) {
            for (int i = 0; i < 10; i++) {
                Permit permit = permit();
                decide(permit, "b", Session.shared(true));
                finish(permit);
            }
            admission.tick(now += 100 * MILLI);
        }
        SessionAdmission sessions = admission.sessionAdmission;
        double demand = sessions.asRequests(sessions.demand());
        assertEquals(0.9 * (100 + 100), demand, 20, "twice as many as of sessions in the middle");
    }

    private void rememberSession(int key, Session session) {
        Permit permit = permit();
        decide(permit, "b", session);
        finish(permit);
        admission.remember(key, session);
    }

    private void endAllSessions() {
        for (int i = 0; i < 40; i++) { // seconds, one by one: the clock must not seem to jump
            now += SECOND;
            admission.tick(now);
        }
    }

    @Test
    void probeRunsThoughAllWorkersAreBusy() {
        fill("a");
        decide(permit(), "a", new Session());
        Permit probe = permit();
        RouteLoad health = admission.probe("GET /health");
        assertInstanceOf(Decision.Run.class, probe.decide(health, null, new Session(), now));
        assertEquals(2, admission.counters().running(), "it takes no worker slot");
        finish(probe);
    }

    private Decision probe(Permit permit, long client) {
        permit.client(client);
        return permit.decide(admission.probe("GET /health"), null, new Session(), now);
    }

    /// Else one client could keep out a balancer's checks, where they are slow.
    @Test
    void clientWithManyProbesLeavesSomeToOthers() {
        fill("a");
        List<Permit> first = new ArrayList<>();
        for (int i = 0; i < 14; i++) {
            first.add(permit());
            assertInstanceOf(Decision.Run.class, probe(first.getLast(), 1));
        }
        assertInstanceOf(Decision.Wait.class, probe(permit(), 1), "as other requests do");
        Permit other = permit();
        assertInstanceOf(Decision.Run.class, probe(other, 2));
        assertInstanceOf(Decision.Run.class, probe(permit(), 3));
        finish(other);
        assertInstanceOf(Decision.Wait.class, probe(permit(), 1));
        assertInstanceOf(Decision.Run.class, probe(permit(), 2));
        first.forEach(this::finish);
        assertInstanceOf(Decision.Run.class, probe(permit(), 1));
    }

    /// Where all clients have the address of a balancer, its check is only one of them.
    @Test
    void probesBeyondTheLimitAreRequestsAsOthers() {
        for (int client = 0; client < 16; client++) {
            assertInstanceOf(Decision.Run.class, probe(permit(), client));
        }
        assertEquals(0, admission.counters().running());
        assertInstanceOf(Decision.Run.class, probe(permit(), 99));
        assertInstanceOf(Decision.Run.class, probe(permit(), 99));
        assertEquals(2, admission.counters().running());
        assertInstanceOf(Decision.Wait.class, probe(permit(), 99));
    }

    @Test
    void longLivedExchangeIsNoLoad() {
        List<Permit> running = fill("a");
        Permit waiting = permit();
        decide(waiting, "a", new Session());
        running.getFirst().detach();
        assertSame(waiting, admission.next(now));
        assertEquals(1, admission.counters().detached());
        finish(running.getFirst());
        assertEquals(0, admission.counters().detached());
    }

    @Test
    void closingAPermitTwiceThrows() {
        Permit permit = permit();
        decide(permit, "a", new Session());
        finish(permit);
        assertThrows(IllegalStateException.class, permit::close);
        assertEquals(0, admission.counters().running());
    }

    @Test
    void waitingPermitCanNeitherBeClosedNorUsed() {
        fill("a");
        Permit waiting = permit();
        decide(waiting, "a", new Session());
        assertThrows(IllegalStateException.class, waiting::close);
        assertThrows(IllegalStateException.class, () -> decide(waiting, "a", new Session()));
    }

    @Test
    void failedRunTeachesNothing() {
        for (int i = 0; i < 10; i++) {
            Permit permit = permit();
            decide(permit, "a", new Session());
            permit.close();
        }
        assertFalse(admission.route("a").isKnown());
    }

    /// Such as requests that are proxied, of which there may be more than workers.
    @Test
    void detachedRunsOfOthersKeepNoneThatHangsFromBeingDetached() {
        for (int i = 0; i < 300; i++) {
            Permit proxied = permit();
            if (decide(proxied, "* /proxied", new Session()) instanceof Decision.Run) {
                proxied.detach();
            }
        }
        int before = admission.counters().detached();
        fill("GET /hangs");
        for (int i = 0; i < 130; i++) {
            now += 100 * MILLI;
            admission.tick(now);
        }
        assertEquals(before + 2, admission.counters().detached());
    }

    @Test
    void runThatDoesNotReturnIsDetachedAndReportedByItsRoute() {
        for (int i = 0; i < 5; i++) {
            runOne(new Session(), "GET /hangs");
        }
        fill("GET /hangs");
        for (int i = 0; i < 130; i++) {
            now += 100 * MILLI;
            admission.tick(now);
        }
        assertEquals(2, admission.counters().detached());
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
    void runsThatDoNotReturnLowerTheirRoutesLimit() {
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
    void routesBeyondTheLimitShareAnEntry() {
        for (int i = 0; i < Routes.MAX; i++) {
            admission.route("GET /" + i);
        }
        assertSame(admission.otherRoutes(), admission.route("GET /one-more"));
        assertNotNull(admission.route("GET /7"));
    }

    @Test
    void longLivedRunIsNotOverdue() {
        List<Permit> running = fill("a");
        assertTrue(admission.isRunning());
        running.forEach(Permit::detach);
        assertEquals(List.of(), admission.overdue());
        assertFalse(admission.isRunning());
    }

    @Test
    void everyNumberHasAnExplanation() {
        runOne(new Session());
        for (Explanation line : admission.explain()) {
            assertFalse(line.why().isBlank(), line.name());
            assertFalse(line.value().isBlank(), line.name());
        }
        assertTrue(admission.explain().size() >= 14);
    }

    // ---- Runs that follow each other.

    @Test
    void nextRunBeginsAtOnceWhileNothingWaits() {
        Permit permit = permit();
        decide(permit, "a", new Session());
        now += MILLI;
        assertTrue(permit.completeAndRepeat(now));
        assertEquals(1, admission.counters().running());
        finish(permit);
        assertEquals(0, admission.counters().running());
    }

    @Test
    void nextRunDoesNotBeginBeforeOneThatWaits() {
        List<Permit> running = fill("a");
        Permit waiting = permit();
        decide(waiting, "a", new Session());
        now += MILLI;
        assertFalse(running.getFirst().completeAndRepeat(now));
        assertEquals(1, admission.counters().running());
        assertSame(waiting, admission.next(now));
        assertInstanceOf(Decision.Run.class, decide(finished(waiting), "a", new Session()));
    }

    private Permit finished(Permit permit) {
        finish(permit);
        return permit;
    }

    @Test
    void nextRunDoesNotBeginBehindOneThatWasDetached() {
        Permit permit = permit();
        decide(permit, "a", new Session());
        permit.detach();
        now += MILLI;
        assertTrue(permit.completeAndRepeat(now), "it has a place again");
        assertEquals(1, admission.counters().running());
        assertEquals(0, admission.counters().detached());
        finish(permit);
    }

    /// An open WebSocket session may last for a day.
    @Test
    void whatContinuesASessionIsLiveWhateverItsAge() {
        Session old = liveSession();
        now += 2 * Session.AGE_MAX;
        List<Permit> running = fill("a");
        Permit newOne = permit();
        Permit message = permit();
        message.continuesSession();
        assertInstanceOf(Decision.Wait.class, decide(newOne, "a", new Session()));
        assertInstanceOf(Decision.Wait.class, decide(message, "a", old));
        finish(running.getFirst());
        assertSame(message, admission.next(now));
    }

    private Permit permit() {
        return admission.newPermit(AdmissionTask.of(_ -> {}));
    }

    private Decision decide(Permit permit, String route, Session session) {
        return permit.decide(admission.route(route), null, session, now);
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
        permit.complete(now);
    }

    private Session liveSession() {
        var session = new Session();
        runOne(session);
        return session;
    }

    private void runOne(Session session) {
        runOne(session, "a");
    }

    private void runOne(Session session, String route) {
        Permit permit = permit();
        assertInstanceOf(Decision.Run.class, decide(permit, route, session));
        finish(permit);
    }
}
