package dev.tandem.admission;

import static dev.tandem.admission.VirtualServer.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.Latencies;
import dev.tandem.testkit.Simulation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What admission is for, in virtual time: four processors that are shared, and more clients
/// than they can serve.
class SimulationTest {
    private static final int PROCESSORS = 4;

    /// 400 of these a second are what four processors can do.
    private static final Plan COMPUTE = Plan.computing("GET /compute", 10);

    private static final double CAPACITY = 400;

    /// 1,000 of these a second are what one processor can do.
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
                    () -> one.ask(COMPUTE, one.anybody(), isAnswered -> {}));
            world.runUntil(25 * SECOND);
            goodput[i] = one.answered / 20.0;
            assertTrue(one.latencies.millis(0.99) <= 500, "p99 " + one.latencies.millis(0.99));
        }
        double peak = Math.max(goodput[0], Math.max(goodput[1], goodput[2]));
        assertTrue(goodput[2] >= 0.95 * peak, goodput[2] + " of " + peak);
        assertTrue(peak >= 0.95 * CAPACITY, "peak " + peak);
    }

    @Test
    void newConnectionsByTheThousandsCostNoGoodput() {
        server.countFrom = 5 * SECOND;
        server.tickUntil(25 * SECOND);
        simulation.poisson(
                nanos -> 4 * CAPACITY,
                25 * SECOND,
                () ->
                        server.connect(
                                () -> {
                                    var once = new Session();
                                    server.ask(
                                            COMPUTE,
                                            once,
                                            isAnswered -> server.admission.end(once));
                                }));
        simulation.runUntil(25 * SECOND);
        assertTrue(server.answered / 20.0 >= 0.95 * CAPACITY, "" + server.answered / 20.0);
        assertTrue(server.admission.counters().gateShuts() > 0);
    }

    @ParameterizedTest
    @ValueSource(doubles = {1.5, 2, 4})
    void sessionsThatBeginAreFinished(double load) {
        server.countFrom = 40 * SECOND;
        server.tickUntil(140 * SECOND);
        var crowd = new SessionCrowd(server, COMPUTE, 20, SECOND);
        simulation.poisson(nanos -> load * CAPACITY / 20, 140 * SECOND, crowd::come);
        simulation.runUntil(140 * SECOND);
        double completed = crowd.completed / 100.0;
        assertTrue(completed >= 0.92 * CAPACITY / 20, completed + " sessions a second");
        assertTrue(crowd.abandoned <= crowd.completed / 100, crowd.abandoned + " abandoned");
    }

    @Test
    void noRequestIsRejectedBelowSaturation() {
        server.tickUntil(60 * SECOND);
        var crowd = new SessionCrowd(server, COMPUTE, 20, SECOND);
        simulation.poisson(nanos -> 0.6 * CAPACITY / 20, 60 * SECOND, crowd::come);
        simulation.runUntil(60 * SECOND);
        assertEquals(0, crowd.turnedAway + crowd.abandoned);
    }

    /// A crowd on kept connections closes them all. Those who come next ask once, for something
    /// ten times quicker, at nine tenths of what the server can do of it: from the second second on
    /// none is held back, though what was learned is of the crowd.
    @Test
    void crowdThatHasLeftHoldsNoSessionBack() {
        long end = 20 * SECOND;
        Plan slow = Plan.computing("GET /slow", 80);
        Plan quick = Plan.computing("GET /quick", 8);
        server.tickUntil(end + 10 * SECOND);
        var crowd = new SessionCrowd(server, slow, Integer.MAX_VALUE, SECOND);
        for (int i = 0; i < 80; i++) {
            simulation.after(i * SECOND / 80, crowd::come);
        }
        simulation.runUntil(end);
        crowd.leave();
        var once = new SessionCrowd(server, quick, 1, SECOND);
        simulation.poisson(nanos -> nanos < end ? 0 : 450, end + 10 * SECOND, once::come);
        simulation.runUntil(end + SECOND);
        long heldBack = heldBack();
        simulation.runUntil(end + 10 * SECOND);
        assertEquals(heldBack, heldBack());
        assertTrue(once.completed > 8 * 450, once.completed + " answered");
    }

    /// Clients that ask again as soon as they have their answer, as a load generator does, fill any
    /// server, however few they are. One who finds 31 of them inside is no danger to anybody.
    @Test
    void fewClientsWithoutPausesAreAllServed() {
        var world = new Simulation(7);
        var one = new VirtualServer(world, 1, Limits.of(1));
        one.tickUntil(30 * SECOND);
        for (int turn = 0; turn < 3; turn++) {
            var crowd = new SessionCrowd(one, COMPUTE_LITTLE, Integer.MAX_VALUE, 1);
            for (int i = 0; i < 32; i++) {
                crowd.come();
            }
            world.runUntil((10 * turn + 9) * SECOND);
            assertEquals(
                    0,
                    crowd.turnedAway + crowd.abandoned,
                    "in turn " + turn + ": " + one.admission.explain());
            crowd.leave();
            world.runUntil((10 * turn + 10) * SECOND);
        }
        assertEquals(0, one.refused);
        assertTrue(one.answered > 25 * 1_000, one.answered + " answered");
    }

    /// One processor of a shop: a page takes 2 ms of it, a picture 0.2, and five clients a second
    /// register, which hashes their password for 100 ms. Three quarters of it are enough for all.
    @Test
    void pagesDoNotQueueBehindAFewThatHashPasswords() {
        var world = new Simulation(7);
        var one = new VirtualServer(world, 1, Limits.of(1));
        Plan page = Plan.computing("GET /page", 2);
        Plan picture = Plan.computing("GET /picture", 0.2);
        Plan register = Plan.computing("POST /register", 100);
        var pages = new Latencies();
        one.tickUntil(40 * SECOND);
        world.poisson(nanos -> 100, 40 * SECOND, () -> one.ask(picture, one.anybody(), a -> {}));
        world.poisson(nanos -> 5, 40 * SECOND, () -> one.ask(register, one.anybody(), a -> {}));
        world.poisson(
                nanos -> 100,
                40 * SECOND,
                () -> {
                    long begun = world.nanos();
                    one.ask(
                            page,
                            one.anybody(),
                            isAnswered -> {
                                assertTrue(isAnswered || begun < 10 * SECOND, "refused");
                                if (begun > 10 * SECOND) {
                                    pages.add(world.nanos() - begun);
                                }
                            });
                });
        world.runUntil(41 * SECOND);
        assertTrue(pages.count() > 2_500, pages.count() + " pages");
        assertTrue(pages.millis(0.99) < 100, "p99 " + pages.millis(0.99));
    }

    private long heldBack() {
        return server.admission.counters().refused().getOrDefault(Reason.HELD_BACK, 0L);
    }

    /// By clients that come again, and by such as come once, each by a connection of its own.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void quickOnesAreNotHeldUpByLengthyOnes(boolean isOnce) {
        Plan quick = Plan.waiting("GET /quick", 5);
        Plan lengthy = Plan.waiting("GET /lengthy", 100);
        // 200 workers at most; a request takes 14.5 ms of one on average.
        double rate = 1.5 * 200 / 0.0145;
        var mix = new Mix(server, quick, lengthy, isOnce);
        mix.countFrom = 10 * SECOND;
        server.tickUntil(30 * SECOND);
        simulation.poisson(nanos -> rate, 30 * SECOND, mix::come);
        simulation.runUntil(30 * SECOND);
        assertTrue(mix.quicks.millis(0.99) <= 2 * 5.05, "p99 " + mix.quicks.millis(0.99));
        // Its part is what the quick ones leave: they use 5.05 ms of a worker each.
        double part = (200 - 0.9 * rate * 0.00505) / 0.10005;
        assertTrue(mix.lengthyDone / 20.0 >= 0.8 * part, mix.lengthyDone / 20.0 + " of " + part);
    }

    /// The best of fixed numbers, by a sweep, against the one that is found.
    @ParameterizedTest
    @CsvSource({"compute, 10, 0, 1600", "mixed, 1, 5, 12000", "wait, 0.05, 200, 3000"})
    void numberOfWorkersIsAsGoodAsTheBestFixedOne(
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
                nanos -> rate, 20 * SECOND, () -> one.ask(plan, one.anybody(), isAnswered -> {}));
        world.runUntil(20 * SECOND);
        return one.answered / 10.0;
    }

    /// Whether it is a route whose handler changes, or another route that is asked for.
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
                    server.ask(isWaiting ? wait : compute, server.anybody(), isAnswered -> {});
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
    void afterALongOverloadAllIsWellWithinTwoSeconds() {
        long calmFrom = 60 * SECOND;
        long end = 75 * SECOND;
        var before = new Latencies();
        var after = new Latencies();
        server.tickUntil(end);
        simulation.poisson(
                nanos -> nanos < 10 * SECOND || nanos > calmFrom ? 0.5 * CAPACITY : 4 * CAPACITY,
                end,
                () -> {
                    long begun = simulation.nanos();
                    server.ask(
                            COMPUTE,
                            server.anybody(),
                            isAnswered -> {
                                if (begun < 10 * SECOND) {
                                    before.add(simulation.nanos() - begun);
                                } else if (begun > calmFrom + 2 * SECOND) {
                                    assertTrue(isAnswered, "refused at " + begun);
                                    after.add(simulation.nanos() - begun);
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
    void handlersThatNeverReturnLeaveTheRestAlive() {
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
                    server.ask(
                            isHanging ? hangs : quick,
                            server.anybody(),
                            isAnswered -> count[1] += isAnswered && isLate && !isHanging ? 1 : 0);
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
            Decision decision =
                    server.admission.decide(permit, route, new Session(), simulation.nanos());
            assertEquals(Decision.Run.RUN, decision);
            permit.longLived();
        }
        server.tickUntil(10 * SECOND);
        simulation.poisson(
                nanos -> 0.5 * CAPACITY,
                10 * SECOND,
                () -> server.ask(COMPUTE, server.anybody(), isAnswered -> assertTrue(isAnswered)));
        simulation.runUntil(11 * SECOND);
        assertTrue(server.latencies.millis(0.5) < 15, "" + server.latencies.millis(0.5));
        assertEquals(10_000, server.admission.counters().apart());
    }

    @Test
    void simulationOfOneSeedIsAlwaysTheSame() {
        assertEquals(
                throughput(COMPUTE, 800, Limits.of(PROCESSORS)),
                throughput(COMPUTE, 800, Limits.of(PROCESSORS)));
    }
}
