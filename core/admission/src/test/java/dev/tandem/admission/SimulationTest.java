package dev.tandem.admission;

import static dev.tandem.admission.VirtualServer.MILLI;
import static dev.tandem.admission.VirtualServer.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.Latencies;
import dev.tandem.testkit.Simulation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The purposes of admission, in virtual time: four processors, and more clients than they can
/// serve.
class SimulationTest {
    private static final int PROCESSORS = 4;

    /// Four processors can do 400 of these a second.
    private static final Plan COMPUTE = Plan.computing("GET /compute", 10);

    private static final double CAPACITY = 400;

    /// One processor can do 1,000 of these a second.
    private static final Plan COMPUTE_LITTLE = Plan.computing("GET /little", 1);

    private final Simulation simulation = new Simulation(7);
    private final VirtualServer server =
            new VirtualServer(simulation, PROCESSORS, Limits.of(PROCESSORS));

    @Test
    void overloadCostsNoGoodput() {
        double[] goodput = new double[3];
        double[] loads = {1, 2, 4};
        for (int i = 0; i < loads.length; i++) {
            double load = loads[i];
            var world = new Simulation(7);
            var one = new VirtualServer(world, PROCESSORS, Limits.of(PROCESSORS));
            one.countFrom = 5 * SECOND;
            one.tickUntil(25 * SECOND);
            world.poisson(
                    nanos -> load * CAPACITY,
                    25 * SECOND,
                    () -> one.send(COMPUTE, one.nextSession(), isCompleted -> {}));
            world.runUntil(25 * SECOND);
            goodput[i] = one.completed / 20.0;
            assertTrue(one.latencies.millis(0.99) <= 500, "p99 " + one.latencies.millis(0.99));
        }
        double peak = Math.max(goodput[0], Math.max(goodput[1], goodput[2]));
        assertTrue(goodput[2] >= 0.95 * peak, goodput[2] + " of " + peak);
        assertTrue(peak >= 0.95 * CAPACITY, "peak " + peak);
    }

    @Test
    void thousandsOfNewConnectionsCostNoGoodput() {
        server.countFrom = 5 * SECOND;
        server.tickUntil(25 * SECOND);
        simulation.poisson(
                nanos -> 4 * CAPACITY,
                25 * SECOND,
                () ->
                        server.connect(
                                () -> {
                                    var once = new Session();
                                    server.send(
                                            COMPUTE,
                                            once,
                                            isCompleted -> server.admission.closeSession(once));
                                }));
        simulation.runUntil(25 * SECOND);
        assertTrue(server.completed / 20.0 >= 0.95 * CAPACITY, "" + server.completed / 20.0);
        assertTrue(server.admission.counters().acceptPauses() > 0);
    }

    @ParameterizedTest
    @ValueSource(doubles = {1.5, 2, 4})
    void startedSessionsAreFinished(double load) {
        server.countFrom = 40 * SECOND;
        server.tickUntil(140 * SECOND);
        var crowd = new SessionClients(server, COMPUTE, 20, SECOND);
        simulation.poisson(nanos -> load * CAPACITY / 20, 140 * SECOND, crowd::connect);
        simulation.runUntil(140 * SECOND);
        double completed = crowd.completed / 100.0;
        assertTrue(completed >= 0.92 * CAPACITY / 20, completed + " sessions a second");
        assertTrue(crowd.abandoned <= crowd.completed / 100, crowd.abandoned + " abandoned");
    }

    /// A server that gets more than it can do from its first second on, while it searches for its
    /// number of workers: with ten times as many, each run takes ten times as long, and all that
    /// was measured of sessions so far says nothing of the next second. Sessions that were admitted
    /// before the capacity was known are too many; the others are finished.
    @ParameterizedTest
    @CsvSource({"4, false, 2, 1.5", "4, false, 4, 10", "2, true, 2, 2", "4, true, 4, 11"})
    void floodFromTheFirstSecondEndsFewSessions(
            int processors, boolean isWaiting, int load, double percent) {
        Plan page =
                isWaiting
                        ? new Plan("GET /page", 2 * MILLI, 10 * MILLI, true)
                        : Plan.computing("GET /page", 2);
        long completed = 0;
        long abandoned = 0;
        long abandonedLate = 0;
        for (int seed = 1; seed <= 6; seed++) {
            var world = new Simulation(seed);
            var one = new VirtualServer(world, processors, Limits.of(processors));
            one.tickUntil(60 * SECOND);
            var crowd = new SessionClients(one, page, 20, SECOND);
            double sessions = load * processors * 500 / 20.0;
            world.poisson(_ -> sessions, 60 * SECOND, crowd::connect);
            world.runUntil(30 * SECOND);
            abandonedLate -= crowd.abandoned;
            world.runUntil(60 * SECOND);
            abandonedLate += crowd.abandoned;
            abandoned += crowd.abandoned;
            completed += crowd.completed;
        }
        String figures = completed + " completed, " + abandoned + " ended, " + abandonedLate;
        assertTrue(abandoned <= percent / 100 * (completed + abandoned), figures);
        assertTrue(abandonedLate <= completed / 200, figures);
    }

    @Test
    void noRequestIsRejectedBelowSaturation() {
        server.tickUntil(60 * SECOND);
        var crowd = new SessionClients(server, COMPUTE, 20, SECOND);
        simulation.poisson(nanos -> 0.6 * CAPACITY / 20, 60 * SECOND, crowd::connect);
        simulation.runUntil(60 * SECOND);
        assertEquals(0, crowd.rejectedFirst + crowd.abandoned);
    }

    /// Clients on persistent connections close all of them. Then others send a single request each,
    /// for a route that is ten times as quick, nine tenths of what the server can do of it: from
    /// the second second on none is held back, though what was learned is of the first clients.
    @Test
    void noSessionIsHeldBackForClientsThatHaveDisconnected() {
        long end = 20 * SECOND;
        Plan slow = Plan.computing("GET /slow", 80);
        Plan quick = Plan.computing("GET /quick", 8);
        server.tickUntil(end + 10 * SECOND);
        var crowd = new SessionClients(server, slow, Integer.MAX_VALUE, SECOND);
        for (int i = 0; i < 80; i++) {
            simulation.after(i * SECOND / 80, crowd::connect);
        }
        simulation.runUntil(end);
        crowd.disconnectAll();
        var once = new SessionClients(server, quick, 1, SECOND);
        simulation.poisson(nanos -> nanos < end ? 0 : 450, end + 10 * SECOND, once::connect);
        simulation.runUntil(end + SECOND);
        long heldBack = heldBack();
        simulation.runUntil(end + 10 * SECOND);
        assertEquals(heldBack, heldBack());
        assertTrue(once.completed > 8 * 450, once.completed + " completed");
    }

    /// Requests that are proxied need no worker: that those which do are at full load says little
    /// of how many the server can do of the others. Were the capacity bounded by the workers' time
    /// alone, 448 sessions were completed.
    @Test
    void sessionsThatNeedNoWorkerAreHardlyHeldBack() {
        long end = 60 * SECOND;
        server.detachedRoute = "* /proxied";
        server.tickUntil(end);
        Plan local = Plan.computing("GET /local", 10);
        var busy = new SessionClients(server, local, Integer.MAX_VALUE, 1);
        for (int i = 0; i < 20; i++) {
            busy.connect();
        }
        var proxied = new SessionClients(server, Plan.waiting("* /proxied", 20), 10, SECOND);
        simulation.poisson(_ -> 20, end, proxied::connect);
        simulation.runUntil(end);
        assertTrue(proxied.completed > 800, proxied.completed + " completed");
        assertEquals(0, proxied.abandoned);
    }

    /// Clients that send a request as soon as they have a response, as a load generator does, use
    /// all that a server can do, however few they are. One more than 31 of them is no risk to
    /// others.
    @Test
    void fewClientsWithoutThinkTimeAreAllServed() {
        var world = new Simulation(7);
        var one = new VirtualServer(world, 1, Limits.of(1));
        one.tickUntil(30 * SECOND);
        for (int round = 0; round < 3; round++) {
            var crowd = new SessionClients(one, COMPUTE_LITTLE, Integer.MAX_VALUE, 1);
            for (int i = 0; i < 32; i++) {
                crowd.connect();
            }
            world.runUntil((10 * round + 9) * SECOND);
            assertEquals(
                    0,
                    crowd.rejectedFirst + crowd.abandoned,
                    "in round " + round + ": " + one.admission.explain());
            crowd.disconnectAll();
            world.runUntil((10 * round + 10) * SECOND);
        }
        assertEquals(0, one.rejected);
        assertTrue(one.completed > 25 * 1_000, one.completed + " completed");
    }

    /// A load generator that opens a thousand connections at once, each of which sends a request as
    /// soon as it has a response. A queue of all of them takes an eighth of a second at most: no
    /// reason to reject one, though those that were served come back before others had their turn.
    @ParameterizedTest
    @ValueSource(doubles = {0.03, 0.08, 0.12})
    void crowdThatComesAtOnceIsServedIfItsQueueIsShort(double millis) {
        var world = new Simulation(7);
        var one = new VirtualServer(world, 1, Limits.of(1));
        Plan plan = new Plan("GET /block", millis * 1e6, 5 * 1e6, true);
        one.tickUntil(30 * SECOND);
        for (int round = 0; round < 6; round++) {
            var crowd = new SessionClients(one, plan, Integer.MAX_VALUE, 1);
            for (int i = 0; i < 1_000; i++) {
                crowd.connect();
            }
            world.runUntil((5 * round + 4) * SECOND);
            assertEquals(
                    0,
                    crowd.rejectedFirst + crowd.abandoned,
                    "in round " + round + ": " + one.admission.explain());
            crowd.disconnectAll();
            world.runUntil((5 * round + 5) * SECOND);
        }
    }

    /// A few clients that begin a session with each request, the next as soon as they have a
    /// response, want more than the server can do, and none of them is rejected: their queue is
    /// short. Sessions that have begun are finished all the same.
    @ParameterizedTest
    @ValueSource(ints = {40, 60, 100})
    void clientsThatBeginASessionWithEachRequestEndNoOthers(int clients) {
        var world = new Simulation(7);
        var one = new VirtualServer(world, 1, Limits.of(1));
        Plan page = Plan.computing("GET /page", 2);
        one.tickUntil(40 * SECOND);
        one.countFrom = 10 * SECOND;
        var sessions = new SessionClients(one, page, 20, SECOND);
        world.poisson(_ -> 8, 40 * SECOND, sessions::connect);
        for (int i = 0; i < clients; i++) {
            world.after(5 * SECOND + (long) (world.uniform() * MILLI), () -> sendAnew(one, page));
        }
        world.runUntil(40 * SECOND);
        assertEquals(0, sessions.abandoned, one.admission.explain().toString());
        assertTrue(sessions.completed > 100, sessions.completed + " completed");
    }

    private static void sendAnew(VirtualServer server, Plan plan) {
        var session = new Session();
        server.send(
                plan,
                session,
                isCompleted -> {
                    server.admission.closeSession(session);
                    long pause = isCompleted ? 0 : 100 * MILLI;
                    server.simulation.after(pause, () -> sendAnew(server, plan));
                });
    }

    /// One processor of a shop: a page takes 2 ms of it, a picture 0.2 ms, and five clients a
    /// second register, which hashes their password for 100 ms. Three quarters of it are enough for
    /// all.
    @Test
    void pagesDoNotQueueBehindFewRequestsThatHashPasswords() {
        var world = new Simulation(7);
        var one = new VirtualServer(world, 1, Limits.of(1));
        Plan page = Plan.computing("GET /page", 2);
        Plan picture = Plan.computing("GET /picture", 0.2);
        Plan register = Plan.computing("POST /register", 100);
        var pages = new Latencies();
        one.tickUntil(40 * SECOND);
        world.poisson(
                nanos -> 100, 40 * SECOND, () -> one.send(picture, one.nextSession(), a -> {}));
        world.poisson(
                nanos -> 5, 40 * SECOND, () -> one.send(register, one.nextSession(), a -> {}));
        world.poisson(
                nanos -> 100,
                40 * SECOND,
                () -> {
                    long sentAt = world.nanos();
                    one.send(
                            page,
                            one.nextSession(),
                            isCompleted -> {
                                assertTrue(isCompleted || sentAt < 10 * SECOND, "rejected");
                                if (sentAt > 10 * SECOND) {
                                    pages.add(world.nanos() - sentAt);
                                }
                            });
                });
        world.runUntil(41 * SECOND);
        assertTrue(pages.count() > 2_500, pages.count() + " pages");
        assertTrue(pages.millis(0.99) < 100, "p99 " + pages.millis(0.99));
    }

    private long heldBack() {
        return server.admission.counters().rejected().getOrDefault(Reason.HELD_BACK, 0L);
    }

    /// By live sessions, and by new sessions on a connection each.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void lengthyRequestsDoNotDelayQuickOnes(boolean areNewSessions) {
        Plan quick = Plan.waiting("GET /quick", 5);
        Plan lengthy = Plan.waiting("GET /lengthy", 100);
        // 200 workers at most; a request takes 14.5 ms of one on average.
        double rate = 1.5 * 200 / 0.0145;
        var mix = new MixedClients(server, quick, lengthy, areNewSessions);
        mix.countFrom = 10 * SECOND;
        server.tickUntil(30 * SECOND);
        simulation.poisson(nanos -> rate, 30 * SECOND, mix::send);
        simulation.runUntil(30 * SECOND);
        assertTrue(
                mix.quickLatencies.millis(0.99) <= 2 * 5.05,
                "p99 " + mix.quickLatencies.millis(0.99));
        // Their part is what quick requests do not use: these use 5.05 ms of a worker each.
        double part = (200 - 0.9 * rate * 0.00505) / 0.10005;
        assertTrue(
                mix.lengthyCompleted / 20.0 >= 0.8 * part,
                mix.lengthyCompleted / 20.0 + " of " + part);
    }

    /// All routes take 25 ms, so all are quick. Then one of them takes 1 ms; the other is lengthy
    /// from then on, and needs 38 of the 64 workers. Those that it used as a quick one are not
    /// kept from it.
    @Test
    void workersAreNotKeptForRoutesThatAreNoLongerQuick() {
        var world = new Simulation(7);
        var one = new VirtualServer(world, 64, new Limits(64, 64));
        Plan page = Plan.waiting("GET /page", 25);
        Plan slow = Plan.waiting("GET /picture", 25);
        Plan fast = Plan.waiting("GET /picture", 1);
        one.countFrom = 5 * SECOND;
        one.tickUntil(20 * SECOND);
        world.poisson(
                _ -> 1_500,
                20 * SECOND,
                () -> one.send(page, one.nextSession(), isCompleted -> {}));
        world.poisson(
                _ -> 500,
                20 * SECOND,
                () ->
                        one.send(
                                world.nanos() < 10 * SECOND ? slow : fast,
                                one.nextSession(),
                                isCompleted -> {}));
        world.runUntil(20 * SECOND);
        assertEquals(0, one.rejected, one.admission.explain().toString());
        assertTrue(one.latencies.millis(0.99) < 2 * 25, "p99 " + one.latencies.millis(0.99));
    }

    /// Compares the best of several fixed numbers with the one that is found.
    @ParameterizedTest
    @CsvSource({"compute, 10, 0, 1600", "mixed, 1, 5, 12000", "wait, 0.05, 200, 3000"})
    void throughputIsThatOfTheBestFixedNumberOfWorkers(
            String name, double compute, double wait, double rate) {
        Plan plan = Plan.mixed(name, compute, Math.max(wait, 1e-6));
        double best = 0;
        for (int workers : new int[] {4, 8, 16, 32, 64, 128, 200}) {
            best = Math.max(best, throughput(plan, rate, new Limits(workers, workers)));
        }
        double own = throughput(plan, rate, Limits.of(PROCESSORS));
        assertTrue(own >= 0.9 * best, own + " of " + best);
    }

    private double throughput(Plan plan, double rate, Limits limits) {
        var world = new Simulation(3);
        var one = new VirtualServer(world, PROCESSORS, limits);
        one.countFrom = 10 * SECOND;
        one.tickUntil(20 * SECOND);
        world.poisson(
                nanos -> rate,
                20 * SECOND,
                () -> one.send(plan, one.nextSession(), isCompleted -> {}));
        world.runUntil(20 * SECOND);
        return one.completed / 10.0;
    }

    /// Whether a route's handler changes, or another route is requested.
    @ParameterizedTest
    @ValueSource(strings = {"GET /", "GET /other"})
    void numberOfWorkersFollowsAChangedWorkload(String route) {
        Plan compute = Plan.computing("GET /", 10);
        Plan wait = Plan.waiting(route, 200);
        server.tickUntil(45 * SECOND);
        simulation.poisson(
                nanos -> 3000,
                45 * SECOND,
                () -> {
                    boolean isWaiting = simulation.nanos() / (15 * SECOND) == 1;
                    server.send(
                            isWaiting ? wait : compute, server.nextSession(), isCompleted -> {});
                });
        simulation.runUntil(14 * SECOND);
        assertTrue(server.admission.counters().workers() <= 3 * PROCESSORS, workers());
        simulation.runUntil(21 * SECOND);
        assertTrue(server.admission.counters().workers() >= 150, workers());
        simulation.runUntil(37 * SECOND);
        assertTrue(server.admission.counters().workers() <= 3 * PROCESSORS, workers());
    }

    private String workers() {
        return server.admission.counters().workers() + " workers";
    }

    @Test
    void latencyRecoversWithinTwoSecondsOfALongOverload() {
        long calmFrom = 60 * SECOND;
        long end = 75 * SECOND;
        var before = new Latencies();
        var after = new Latencies();
        server.tickUntil(end);
        simulation.poisson(
                nanos -> nanos < 10 * SECOND || nanos > calmFrom ? 0.5 * CAPACITY : 4 * CAPACITY,
                end,
                () -> {
                    long sentAt = simulation.nanos();
                    server.send(
                            COMPUTE,
                            server.nextSession(),
                            isCompleted -> {
                                if (sentAt < 10 * SECOND) {
                                    before.add(simulation.nanos() - sentAt);
                                } else if (sentAt > calmFrom + 2 * SECOND) {
                                    assertTrue(isCompleted, "rejected at " + sentAt);
                                    after.add(simulation.nanos() - sentAt);
                                }
                            });
                });
        simulation.runUntil(end);
        assertTrue(after.count() > 1000);
        assertTrue(
                after.millis(0.5) <= 1.5 * before.millis(0.5),
                after.millis(0.5) + " after " + before.millis(0.5));
    }

    @Test
    void handlersThatNeverReturnDoNotStopOthers() {
        Plan quick = Plan.waiting("GET /quick", 5);
        Plan hangs = Plan.waiting("GET /hangs", 100_000_000);
        long[] count = new long[2];
        server.tickUntil(60 * SECOND);
        simulation.poisson(
                nanos -> 500,
                60 * SECOND,
                () -> {
                    boolean isHanging = simulation.uniform() < 0.05;
                    boolean isLate = simulation.nanos() > 30 * SECOND;
                    if (!isHanging && isLate) {
                        count[0]++;
                    }
                    server.send(
                            isHanging ? hangs : quick,
                            server.nextSession(),
                            isCompleted -> count[1] += isCompleted && isLate && !isHanging ? 1 : 0);
                });
        simulation.runUntil(61 * SECOND);
        assertTrue(count[1] >= 0.99 * count[0], count[1] + " of " + count[0]);
        assertTrue(
                server.admission.explain().stream()
                        .anyMatch(
                                e ->
                                        e.name().equals(hangs.route())
                                                && e.value().contains("overdue")));
    }

    @Test
    void longLivedExchangesAreNoLoad() {
        for (int i = 0; i < 10_000; i++) {
            var permit = server.admission.newPermit(AdmissionTask.of(_ -> {}));
            RouteLoad route = server.admission.route("GET /events");
            Decision decision = permit.decide(route, null, new Session(), simulation.nanos());
            assertEquals(Decision.Run.RUN, decision);
            permit.detach();
        }
        server.tickUntil(10 * SECOND);
        simulation.poisson(
                nanos -> 0.5 * CAPACITY,
                10 * SECOND,
                () ->
                        server.send(
                                COMPUTE,
                                server.nextSession(),
                                isCompleted -> assertTrue(isCompleted)));
        simulation.runUntil(11 * SECOND);
        assertTrue(server.latencies.millis(0.5) < 15, "" + server.latencies.millis(0.5));
        assertEquals(10_000, server.admission.counters().detached());
    }

    @Test
    void simulationOfOneSeedIsAlwaysTheSame() {
        assertEquals(
                throughput(COMPUTE, 800, Limits.of(PROCESSORS)),
                throughput(COMPUTE, 800, Limits.of(PROCESSORS)));
    }
}
