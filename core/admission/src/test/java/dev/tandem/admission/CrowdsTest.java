package dev.tandem.admission;

import static dev.tandem.admission.VirtualServer.MILLI;
import static dev.tandem.admission.VirtualServer.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.Simulation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Effects that a few clients, or other processes on the machine, must not have on other clients;
/// in virtual time.
class CrowdsTest {
    private static final double PAGE_MILLIS = 0.9;
    private static final double PICTURE_MILLIS = 0.02;
    private static final Plan PAGE = Plan.computing("GET /page", PAGE_MILLIS);
    private static final Plan PICTURE = Plan.computing("GET /picture", PICTURE_MILLIS);

    /// Requests a second: one and a half times what 64 workers can do of nine quick requests for
    /// one lengthy one.
    private static final double MIX_RATE = 1.5 * 64 / 0.058;

    private static final int PAGE_PARTS = 20;
    private static final int SESSION_PARTS = 6 * PAGE_PARTS;

    private static final long FROM = 15 * SECOND;
    private static final long UNTIL = 30 * SECOND;

    private final Simulation simulation = new Simulation(7);
    private final VirtualServer server = new VirtualServer(simulation, 1, Limits.of(1));
    private int finished;
    private int abandoned;

    /// A page is a request and those of its parts; then there is think time.
    @Test
    void newSessionsAreHeldBackThoughPagesHaveManyParts() {
        server.tickUntil(UNTIL);
        double pages = 1_000 / (PAGE_MILLIS + (PAGE_PARTS - 1) * PICTURE_MILLIS);
        simulation.poisson(
                nanos -> 4 * pages / 6, UNTIL, () -> request(new Session(), SESSION_PARTS));
        simulation.runUntil(UNTIL);
        assertTrue(heldBack() > 0, "held back " + heldBack());
        assertTrue(abandoned <= finished / 20, abandoned + " abandoned, " + finished + " finished");
    }

    private void request(Session session, int parts) {
        server.send(
                parts % PAGE_PARTS == 0 ? PAGE : PICTURE,
                session,
                isCompleted -> {
                    if (isCompleted && parts > 1) {
                        boolean isPageOver = parts % PAGE_PARTS == 1;
                        long think = isPageOver ? simulation.exponential(SECOND) : 0;
                        simulation.after(think, () -> request(session, parts - 1));
                        return;
                    }
                    server.admission.closeSession(session);
                    if (simulation.nanos() > FROM) {
                        finished += isCompleted ? 1 : 0;
                        abandoned += !isCompleted && parts < SESSION_PARTS ? 1 : 0;
                    }
                });
    }

    /// With clients of a long think time, windows become long. When those have disconnected,
    /// sessions that are shorter than such a window must be learned from all the same.
    @Test
    void thinkTimeIsForgottenWhenItsUsersHaveDisconnected() {
        long disconnectAt = 120 * SECOND;
        long end = disconnectAt + 40 * SECOND;
        server.tickUntil(end);
        var slow = new SessionClients(server, PAGE, Integer.MAX_VALUE, 50 * SECOND);
        for (int i = 0; i < 1_000; i++) {
            simulation.after(i * 50 * MILLI, slow::connect);
        }
        simulation.runUntil(disconnectAt);
        slow.disconnectAll();
        double before = server.admission.sessionAdmission.gapSeconds();
        assertTrue(before > 8, before + " s");
        var brisk = new SessionClients(server, PAGE, 5, SECOND);
        simulation.poisson(nanos -> 40, end, brisk::connect);
        simulation.runUntil(end);
        double after = server.admission.sessionAdmission.gapSeconds();
        assertTrue(after < 2, after + " s after " + before);
    }

    /// The thread that ticks may be late by seconds, as any thread; the requests that were
    /// completed meanwhile are then the capacity of that time.
    @Test
    void lateTickDoesNotMakeTheCapacityNegative() {
        var sessionAdmission = new SessionAdmission();
        for (int i = 0; i < 50; i++) {
            sessionAdmission.tick(0.1, 10, 0);
        }
        sessionAdmission.tick(10, 50, 0);
        assertEquals(5, sessionAdmission.capacity(), 1e-9);
    }

    /// On a server that has just started pages are slow, and 32 clients without think time are more
    /// than it can serve within 150 ms: that is no overload yet.
    @Test
    void noSessionIsHeldBackOnAServerThatHasJustStarted() {
        server.tickUntil(10 * SECOND);
        for (int i = 0; i < 32; i++) {
            simulation.after(i * 50 * MILLI, () -> sendAgain(new Session()));
        }
        simulation.runUntil(10 * SECOND);
        assertEquals(0, heldBack());
        assertEquals(0, server.rejected);
    }

    private void sendAgain(Session session) {
        double millis = Math.max(1, 40 * Math.exp(-simulation.nanos() / 0.5e9));
        Plan page = Plan.computing("GET /page", millis);
        server.send(page, session, _ -> simulation.after(0, () -> sendAgain(session)));
    }

    /// Lengthy requests wait for a limit of their own while workers are idle: the requests that are
    /// completed then are not all that the server can do.
    @Test
    void capacityIsLearnedOnlyWhileWorkersAreFull() {
        var waits = new VirtualServer(simulation, 4, new Limits(4, 16));
        Plan quick = Plan.waiting("GET /quick", 5);
        Plan lengthy = Plan.waiting("GET /lengthy", 500);
        waits.tickUntil(30 * SECOND);
        simulation.poisson(
                nanos -> 200, 30 * SECOND, () -> waits.send(quick, waits.nextSession(), _ -> {}));
        simulation.poisson(
                nanos -> 60, 30 * SECOND, () -> waits.send(lengthy, waits.nextSession(), _ -> {}));
        simulation.runUntil(30 * SECOND);
        assertEquals(0, waits.admission.counters().rejected().get(Reason.HELD_BACK));
        SessionAdmission sessionAdmission = waits.admission.sessionAdmission;
        double capacity = sessionAdmission.asRequests(sessionAdmission.capacity());
        assertTrue(Double.isInfinite(capacity) || capacity > 250, capacity + " a second");
    }

    /// Sixteen threads of other processes leave a computing route little of the processor, so that
    /// it takes longer than a route that was requested before. Its limit must not be one worker for
    /// that reason; and it is fast at once when they have ended.
    @ParameterizedTest
    @ValueSource(ints = {1, 40})
    void onlyRouteHasAllWorkers(int restSeconds) {
        var eight = new VirtualServer(simulation, 1, new Limits(1, 8));
        Plan block = Plan.waiting("GET /block", 5);
        Plan compute = Plan.computing("GET /cpu", 2);
        long blockEnd = 10 * SECOND;
        eight.tickUntil(blockEnd + Math.min(restSeconds, 11) * SECOND);
        simulation.poisson(
                nanos -> 1_500, blockEnd, () -> eight.send(block, eight.nextSession(), _ -> {}));
        simulation.poisson(
                nanos -> 5, SECOND, () -> eight.send(compute, eight.nextSession(), _ -> {}));
        long begin = blockEnd + restSeconds * SECOND;
        simulation.runUntil(begin);
        long others = begin + 8 * SECOND;
        for (int i = 0; i < 16; i++) {
            otherProcess(eight, others);
        }
        long end = others + 3 * SECOND;
        eight.tickUntil(end);
        simulation.poisson(
                nanos -> 500, end, () -> eight.send(compute, eight.nextSession(), _ -> {}));
        double withOthers = completedBetween(eight, begin + 5 * SECOND, others);
        double alone = completedBetween(eight, others + SECOND, end);
        assertTrue(withOthers > 55, withOthers + " a second with others");
        assertTrue(alone > 400, alone + " a second without others");
    }

    /// The host takes the processor away for up to 30 ms at a time, so that all requests wait. A
    /// larger reserve would not help quick requests, and lengthy ones keep their share.
    @Test
    void stallsOfTheMachineTakeNoWorkersFromLengthyRequests() {
        double share = 0;
        double slower = 0;
        for (long seed = 1; seed <= 3; seed++) {
            MixedClients mix = mixWithStalls(new Simulation(seed));
            double free = 64 - 0.9 * MIX_RATE * 0.02005;
            share += mix.lengthyCompleted / 12.0 * 0.40005 / free / 3;
            slower += mix.quickLatencies.millis(0.99) / 20.05 / 3;
        }
        assertTrue(share > 0.76, share + " of its share");
        assertTrue(slower < 2.2, slower + " times as slow");
    }

    private static MixedClients mixWithStalls(Simulation world) {
        Plan quick = Plan.waiting("GET /quick", 20);
        Plan lengthy = Plan.waiting("GET /lengthy", 400);
        long end = 22 * SECOND;
        var server = new VirtualServer(world, 1, new Limits(1, 64));
        var mix = new MixedClients(server, quick, lengthy, true);
        mix.countFrom = 10 * SECOND;
        server.tickUntil(end);
        world.poisson(_ -> MIX_RATE, end, mix::send);
        world.every(
                400 * MILLI,
                end,
                () -> {
                    server.processors.taken(0.97);
                    long back = (long) (world.uniform() * 30 * MILLI);
                    world.after(back, () -> server.processors.taken(0));
                });
        world.runUntil(end);
        return mix;
    }

    private double completedBetween(VirtualServer one, long from, long to) {
        simulation.runUntil(from);
        long before = one.completed;
        simulation.runUntil(to);
        return (one.completed - before) * (double) SECOND / (to - from);
    }

    private void otherProcess(VirtualServer server, long until) {
        if (simulation.nanos() < until) {
            server.processors.compute(2 * MILLI, () -> otherProcess(server, until));
        }
    }

    private long heldBack() {
        return server.admission.counters().rejected().getOrDefault(Reason.HELD_BACK, 0L);
    }
}
