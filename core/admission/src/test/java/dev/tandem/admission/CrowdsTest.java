package dev.tandem.admission;

import static dev.tandem.admission.VirtualServer.MILLI;
import static dev.tandem.admission.VirtualServer.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.Simulation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a few clients, or what else runs on the machine, must not be able to do to the others; in
/// virtual time.
class CrowdsTest {
    private static final double PAGE_MILLIS = 0.9;
    private static final double PICTURE_MILLIS = 0.02;
    private static final Plan PAGE = Plan.computing("GET /page", PAGE_MILLIS);
    private static final Plan PICTURE = Plan.computing("GET /picture", PICTURE_MILLIS);

    /// One and a half times what 64 workers do of nine quick requests and a lengthy one.
    private static final double MIX_RATE = 1.5 * 64 / 0.058;

    private static final int PAGE_PARTS = 20;
    private static final int SESSION_PARTS = 6 * PAGE_PARTS;

    private static final long FROM = 15 * SECOND;
    private static final long UNTIL = 30 * SECOND;

    private final Simulation simulation = new Simulation(7);
    private final VirtualServer server = new VirtualServer(simulation, 1, Limits.of(1));
    private int read;
    private int left;

    /// A page is a request and its parts, all at once; then it is read.
    @Test
    void pagesOfManyPartsDoNotSwitchHoldingBackOff() {
        server.tickUntil(UNTIL);
        double pages = 1_000 / (PAGE_MILLIS + (PAGE_PARTS - 1) * PICTURE_MILLIS);
        simulation.poisson(nanos -> 4 * pages / 6, UNTIL, () -> read(new Session(), SESSION_PARTS));
        simulation.runUntil(UNTIL);
        assertTrue(heldBack() > 0, "held back " + heldBack());
        assertTrue(left <= read / 20, left + " left on their way, " + read + " have read all");
    }

    private void read(Session session, int parts) {
        server.ask(
                parts % PAGE_PARTS == 0 ? PAGE : PICTURE,
                session,
                isAnswered -> {
                    if (isAnswered && parts > 1) {
                        boolean isPageOver = parts % PAGE_PARTS == 1;
                        long think = isPageOver ? simulation.exponential(SECOND) : 0;
                        simulation.after(think, () -> read(session, parts - 1));
                        return;
                    }
                    server.admission.end(session);
                    if (simulation.nanos() > FROM) {
                        read += isAnswered ? 1 : 0;
                        left += !isAnswered && parts < SESSION_PARTS ? 1 : 0;
                    }
                });
    }

    /// Of clients that think for long, windows become long. When those have left, others who stay
    /// for less than such a window must be heard all the same.
    @Test
    void thinkTimeIsForgottenWhenItsUsersHaveLeft() {
        long gone = 120 * SECOND;
        long end = gone + 40 * SECOND;
        server.tickUntil(end);
        var slow = new SessionCrowd(server, PAGE, Integer.MAX_VALUE, 50 * SECOND);
        for (int i = 0; i < 1_000; i++) {
            simulation.after(i * 50 * MILLI, slow::come);
        }
        simulation.runUntil(gone);
        slow.leave();
        double before = server.admission.newSessions.gapSeconds();
        assertTrue(before > 8, before + " s");
        var brisk = new SessionCrowd(server, PAGE, 5, SECOND);
        simulation.poisson(nanos -> 40, end, brisk::come);
        simulation.runUntil(end);
        double after = server.admission.newSessions.gapSeconds();
        assertTrue(after < 2, after + " s after " + before);
    }

    /// The heartbeat may be late by seconds, as any thread; what was answered meanwhile is then the
    /// capacity, and not some times as much less.
    @Test
    void lateHeartbeatMakesNoCapacityBelowNothing() {
        var newSessions = new SessionAdmission();
        for (int i = 0; i < 50; i++) {
            newSessions.tick(0.1, 10);
        }
        newSessions.tick(10, 50);
        assertEquals(5, newSessions.capacity(), 1e-9);
    }

    /// On a server that has just started pages are slow, and 32 clients that ask again at once are
    /// more than it can do within 150 ms: that is no overload yet.
    @Test
    void noSessionIsHeldBackOnAServerThatHasJustStarted() {
        server.tickUntil(10 * SECOND);
        for (int i = 0; i < 32; i++) {
            simulation.after(i * 50 * MILLI, () -> warming(new Session()));
        }
        simulation.runUntil(10 * SECOND);
        assertEquals(0, heldBack());
        assertEquals(0, server.refused);
    }

    private void warming(Session session) {
        double millis = Math.max(1, 40 * Math.exp(-simulation.nanos() / 0.5e9));
        Plan page = Plan.computing("GET /page", millis);
        server.ask(page, session, _ -> simulation.after(0, () -> warming(session)));
    }

    /// Lengthy requests wait for a limit of their own while workers are idle: what is answered then
    /// is not what the server can do.
    @Test
    void onlyFullWorkersTeachWhatTheServerCanDo() {
        var waits = new VirtualServer(simulation, 4, new Limits(4, 16));
        Plan quick = Plan.waiting("GET /quick", 5);
        Plan lengthy = Plan.waiting("GET /lengthy", 500);
        waits.tickUntil(30 * SECOND);
        simulation.poisson(
                nanos -> 200, 30 * SECOND, () -> waits.ask(quick, waits.anybody(), _ -> {}));
        simulation.poisson(
                nanos -> 60, 30 * SECOND, () -> waits.ask(lengthy, waits.anybody(), _ -> {}));
        simulation.runUntil(30 * SECOND);
        assertEquals(0, waits.admission.counters().refused().get(Reason.HELD_BACK));
        SessionAdmission newSessions = waits.admission.newSessions;
        double capacity = newSessions.asRequests(newSessions.capacity());
        assertTrue(Double.isInfinite(capacity) || capacity > 250, capacity + " a second");
    }

    /// Others on the processor, in sixteen threads, leave a computing route few turns, so that it
    /// takes long beside what was asked for before. It must not be left one worker for that; and
    /// when they have gone all is well at once.
    @ParameterizedTest
    @ValueSource(ints = {1, 40})
    void oneRouteAloneHasAllWorkersThatThereAre(int restSeconds) {
        var eight = new VirtualServer(simulation, 1, new Limits(1, 8));
        Plan block = Plan.waiting("GET /block", 5);
        Plan compute = Plan.computing("GET /cpu", 2);
        long blockEnd = 10 * SECOND;
        eight.tickUntil(blockEnd + Math.min(restSeconds, 11) * SECOND);
        simulation.poisson(
                nanos -> 1_500, blockEnd, () -> eight.ask(block, eight.anybody(), _ -> {}));
        simulation.poisson(nanos -> 5, SECOND, () -> eight.ask(compute, eight.anybody(), _ -> {}));
        long begin = blockEnd + restSeconds * SECOND;
        simulation.runUntil(begin);
        long others = begin + 8 * SECOND;
        for (int i = 0; i < 16; i++) {
            foreign(eight, others);
        }
        long end = others + 3 * SECOND;
        eight.tickUntil(end);
        simulation.poisson(nanos -> 500, end, () -> eight.ask(compute, eight.anybody(), _ -> {}));
        double beside = answeredBetween(eight, begin + 5 * SECOND, others);
        double alone = answeredBetween(eight, others + SECOND, end);
        assertTrue(beside > 55, beside + " a second beside others");
        assertTrue(alone > 400, alone + " a second when they have gone");
    }

    /// The host takes the processor for up to 30 ms at a time, so that all wait. More workers kept
    /// for quick requests would not help those, and lengthy ones keep their share.
    @Test
    void stallsOfTheMachineTakeNoWorkersFromLengthyOnes() {
        double share = 0;
        double slower = 0;
        for (long seed = 1; seed <= 3; seed++) {
            Mix mix = mixBesideStalls(new Simulation(seed));
            double free = 64 - 0.9 * MIX_RATE * 0.02005;
            share += mix.lengthyDone / 12.0 * 0.40005 / free / 3;
            slower += mix.quicks.millis(0.99) / 20.05 / 3;
        }
        assertTrue(share > 0.76, share + " of its share");
        assertTrue(slower < 2.2, slower + " times as slow");
    }

    private static Mix mixBesideStalls(Simulation world) {
        Plan quick = Plan.waiting("GET /quick", 20);
        Plan lengthy = Plan.waiting("GET /lengthy", 400);
        long end = 22 * SECOND;
        var server = new VirtualServer(world, 1, new Limits(1, 64));
        var mix = new Mix(server, quick, lengthy, true);
        mix.countFrom = 10 * SECOND;
        server.tickUntil(end);
        world.poisson(_ -> MIX_RATE, end, mix::come);
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

    private double answeredBetween(VirtualServer one, long from, long to) {
        simulation.runUntil(from);
        long before = one.answered;
        simulation.runUntil(to);
        return (one.answered - before) * (double) SECOND / (to - from);
    }

    private void foreign(VirtualServer beside, long until) {
        if (simulation.nanos() < until) {
            beside.processors.compute(2 * MILLI, () -> foreign(beside, until));
        }
    }

    private long heldBack() {
        return server.admission.counters().refused().getOrDefault(Reason.HELD_BACK, 0L);
    }
}
