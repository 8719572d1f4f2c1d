package dev.tandem.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LearningTest {
    private static final long MILLI = 1_000_000;

    private final Routes routes = new Routes(true);

    @Test
    void unknownRouteIsLengthy() {
        assertEquals(Lane.LENGTHY, routes.find("a", false).lane());
    }

    @Test
    void routesOfOneSpeedAreAllQuick() {
        learn("a", 200, 10);
        learn("b", 300, 10);
        routes.second();
        assertEquals(Lane.QUICK, routes.find("a", false).lane());
        assertEquals(Lane.QUICK, routes.find("b", false).lane());
    }

    @ParameterizedTest
    @CsvSource({"5, 100, 9, 1", "1, 1000, 999, 1", "2, 20, 1, 9", "200, 2000, 5, 5"})
    void slowOfTwoGroupsIsLengthy(int quick, int slow, int quickCount, int slowCount) {
        learn("quick", quick, 3 * quickCount);
        learn("slow", slow, 3 * slowCount);
        routes.second();
        assertEquals(Lane.QUICK, routes.find("quick", false).lane());
        assertEquals(Lane.LENGTHY, routes.find("slow", false).lane());
    }

    @Test
    void routeThatBecomesFastBecomesQuick() {
        learn("a", 5, 100);
        learn("b", 100, 100);
        routes.second();
        learn("a", 5, 100);
        learn("b", 5, 500);
        routes.second();
        assertEquals(Lane.QUICK, routes.find("b", false).lane());
    }

    @Test
    void longRunMakesItsRouteLengthyBeforeItEnds() {
        learn("a", 5, 100);
        routes.second();
        RouteLoad route = routes.find("a", false);
        route.runsFor(1000 * MILLI);
        assertEquals(Lane.LENGTHY, route.lane());
    }

    @Test
    void tailIsAboutThe95thPercentile() {
        var random = new Random(1);
        RouteLoad route = routes.find("a", false);
        double sum = 0;
        for (int i = 0; i < 20_000; i++) {
            route.ran((long) (-Math.log(1 - random.nextDouble()) * 10 * MILLI));
            sum += i < 10_000 ? 0 : route.tailNanos();
        }
        // Of an exponential distribution it is three times the mean.
        assertEquals(30, sum / 10_000 / MILLI, 6);
    }

    @Test
    void standingQueueIsOverloadAndABurstIsNot() {
        var queue = new StandingQueue();
        queue.started(300 * MILLI);
        queue.started(0);
        queue.tick(300 * MILLI);
        assertFalse(queue.isStanding());
        queue.started(30 * MILLI);
        queue.tick(40 * MILLI);
        assertTrue(queue.isStanding());
        queue.tick(0);
        assertFalse(queue.isStanding());
    }

    @Test
    void queueThatDoesNotMoveIsOverload() {
        var queue = new StandingQueue();
        queue.tick(50 * MILLI);
        assertTrue(queue.isStanding());
    }

    @Test
    void endedSessionIsNoDemand() {
        var sessionAdmission = new SessionAdmission();
        for (int tick = 0; tick < 100; tick++) {
            for (int i = 0; i < 40; i++) {
                sessionAdmission.admitted(false, 1);
            }
            sessionAdmission.tick(0.1, 40, 0);
        }
        assertEquals(360, sessionAdmission.demand(), 1, "all but each session's last of ten");
        for (int i = 0; i < 300; i++) {
            sessionAdmission.disconnected(had(5), 0);
        }
        sessionAdmission.tick(0.1, 0, 0);
        assertTrue(sessionAdmission.demand() < 100, "" + sessionAdmission.demand());
    }

    @Test
    void sessionOfOneRequestIsNoDemand() {
        var sessionAdmission = new SessionAdmission();
        for (int tick = 0; tick < 100; tick++) {
            for (int i = 0; i < 40; i++) {
                var once = new Session();
                request(sessionAdmission, once, 1, 0);
                once.cost = 1;
                sessionAdmission.disconnected(once, 0);
            }
            assertEquals(0, sessionAdmission.demand(), 1e-9, "tick " + tick);
            sessionAdmission.tick(0.1, 40, 0);
            assertEquals(0, sessionAdmission.liveSessions(), 1e-9, "tick " + tick);
        }
    }

    @Test
    void sessionCountsOnceHoweverManyRequestsItSends() {
        var sessionAdmission = new SessionAdmission();
        var bots = Stream.generate(Session::new).limit(10).toList();
        var readers = Stream.generate(Session::new).limit(1_000).toList();
        for (int i = 0; i < 1_000; i++) {
            sessionAdmission.sessionFinished(100);
        }
        for (int millis = 1; millis <= 10_000; millis++) {
            long now = millis * MILLI;
            bots.forEach(bot -> request(sessionAdmission, bot, 1, now));
            request(sessionAdmission, readers.get(millis % 1_000), 50, now);
            if (millis % 100 == 0) {
                sessionAdmission.tick(0.1, 1_000 + 100 * 50, 0);
            }
        }
        // With one request a second, the next one is half a second away, on average.
        assertEquals(0.5, sessionAdmission.gapSeconds(), 0.1);
        assertEquals(1_010, sessionAdmission.liveSessions(), 0.6 * 1_010);
        assertEquals(60_000, sessionAdmission.capacity(), 1, "in costs of a picture");
        assertTrue(sessionAdmission.isHoldingBack(), "a page for each takes nearly a second");
    }

    /// Each step up was taken for so many times the capacity, though each was followed by one down.
    @Test
    void workersThatAreTriedAndGivenUpAreNoHigherCapacity() {
        var sessionAdmission = new SessionAdmission();
        sessionAdmission.workers(8);
        for (int i = 0; i < 10; i++) {
            sessionAdmission.tick(0.1, 100, 0);
        }
        for (int i = 0; i < 5; i++) {
            sessionAdmission.workers(32);
            assertEquals(4_000, sessionAdmission.capacity(), 1, "as long as nothing else is known");
            sessionAdmission.workers(8);
            assertEquals(1_000, sessionAdmission.capacity(), 1);
        }
        sessionAdmission.workers(32);
        for (int i = 0; i < 10; i++) {
            sessionAdmission.tick(0.1, 110, 0);
        }
        assertEquals(1_100, sessionAdmission.capacity(), 1);
    }

    @Test
    void timeOfRejectionsBeginsTwoPausesBeforeTheFirst() {
        var rejecting = new RejectingTime();
        rejecting.tick(0, 10_000 * MILLI, 0.5);
        assertFalse(rejecting.has(10_000 * MILLI));
        rejecting.tick(1, 20_000 * MILLI, 0.5);
        rejecting.tick(2, 25_000 * MILLI, 0.5);
        rejecting.tick(2, 26_000 * MILLI, 0.5);
        assertFalse(rejecting.has(18_999 * MILLI));
        assertTrue(rejecting.has(19_000 * MILLI));
        assertTrue(rejecting.has(25_000 * MILLI));
        assertFalse(rejecting.has(25_001 * MILLI));
        rejecting.tick(3, 60_000 * MILLI, 0.5);
        assertFalse(rejecting.has(25_000 * MILLI), "sessions of that time have long been ended");
    }

    private static void request(
            SessionAdmission sessionAdmission, Session session, double cost, long now) {
        sessionAdmission.countSession(session, cost, now);
        sessionAdmission.admitted(session.requests == 0, cost);
        session.requests++;
        session.lastAt = now;
    }

    private static Session had(int requests) {
        var session = new Session();
        session.requests = requests;
        session.cost = requests;
        return session;
    }

    @Test
    void routeUsesWorkersForSomeSecondsAfterItsLastRun() {
        RouteLoad route = routes.find("a", false);
        for (int i = 0; i < 900; i++) {
            route.started(0);
            route.ran(10_000_000);
        }
        route.second();
        assertEquals(9, route.workers(), 0.1);
        route.second();
        assertEquals(4.5, route.workers(), 0.1);
        for (int i = 0; i < 9; i++) {
            route.second();
        }
        assertTrue(route.workers() < 0.01);
    }

    @Test
    void reserveIsWhatQuickRequestsUseAndMoreIfTheyWait() {
        var reserve = new WorkerReserve();
        reserve(reserve, 1, 0, true);
        assertEquals(12, reserve.size(64), "9 used, and the margin");
        reserve(reserve, 12, 100, true);
        assertEquals(9 + 3 * 4, reserve.size(64));
        reserve(reserve, 60, 0, true);
        assertEquals(9, reserve.size(64));
    }

    @Test
    void reserveLeavesAQuarterToLengthyRequests() {
        var reserve = new WorkerReserve();
        reserve(reserve, 20, 900, true);
        assertEquals(15, reserve.size(20));
        assertEquals(0, reserve.size(1));
    }

    @Test
    void reserveDoesNotGrowWhenQuickRequestsWaitForEachOther() {
        var reserve = new WorkerReserve();
        reserve(reserve, 20, 100, false);
        assertEquals(12, reserve.size(64));
    }

    @Test
    void reserveIsEmptyWithoutQuickRequests() {
        var reserve = new WorkerReserve();
        reserve(reserve, 1, 0, true);
        reserve.second(0.009, true);
        assertEquals(0, reserve.size(64));
    }

    /// Simulates seconds with 900 quick requests of 10 ms each.
    private static void reserve(WorkerReserve reserve, int seconds, int waited, boolean isTaken) {
        for (int second = 0; second < seconds; second++) {
            for (int i = 0; i < 900; i++) {
                reserve.quickStarted(i < waited, 1);
            }
            reserve.second(9, isTaken);
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 10, processors", "4, 3, workersMax", "4, 65537, workersMax"})
    void limitOutOfRangeIsRejectedByName(int processors, int workersMax, String name) {
        var failure =
                assertThrows(
                        IllegalArgumentException.class, () -> new Limits(processors, workersMax));
        assertTrue(String.valueOf(failure.getMessage()).startsWith(name), failure.toString());
    }

    /// Two requests in a hundred hash a password, and take nine tenths of all time: the others must
    /// not queue behind them.
    @Test
    void rareRouteIsLengthyIfItTakesMostOfTheTime() {
        learn("GET /picture", 1, 50);
        learn("GET /page", 4, 48);
        learn("POST /register", 700, 4);
        routes.second();
        assertEquals(Lane.QUICK, routes.find("GET /page", false).lane());
        assertEquals(Lane.LENGTHY, routes.find("POST /register", false).lane());
    }

    /// As for connections, where few lengthy requests are no reason to reserve any for the others.
    @Test
    void weightedByRequestsARareRouteMakesNoGroup() {
        var byRequests = new Routes(false);
        learn(byRequests, "GET /picture", 1, 50);
        learn(byRequests, "GET /page", 30, 48);
        learn(byRequests, "POST /register", 700, 4);
        byRequests.second();
        assertEquals(Lane.LENGTHY, byRequests.find("GET /page", false).lane());
    }

    private void learn(String id, int millis, int times) {
        learn(routes, id, millis, times);
    }

    private static void learn(Routes routes, String id, int millis, int times) {
        RouteLoad route = routes.find(id, false);
        for (int i = 0; i < times; i++) {
            route.ran(millis * MILLI);
            route.recent++;
        }
    }
}
