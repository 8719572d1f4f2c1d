package dev.tandem.admission;

import static dev.tandem.admission.VirtualServer.MILLI;
import static dev.tandem.admission.VirtualServer.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.Simulation;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A thousand connections that ask again and again, beside clients that come one by one; in virtual
/// time.
class FairShareTest {
    private static final int CROWD = 1_000;
    private static final long PAUSE = 100 * MILLI;
    private static final long FROM = 10 * SECOND;
    private static final long UNTIL = 25 * SECOND;

    /// What one processor can do in a second is 1,000 divided by this.
    private static final double PAGE_MILLIS = 2;

    private static final Plan PAGE = Plan.computing("GET /page", PAGE_MILLIS);

    private static final class World {
        final Simulation simulation;
        final VirtualServer server;
        final SessionCrowd sessions;
        long once;

        World(long seed) {
            simulation = new Simulation(seed);
            server = new VirtualServer(simulation, 1, Limits.of(1));
            sessions = new SessionCrowd(server, PAGE, 20, SECOND);
        }

        /// Two sessions begin each second and fifty clients come once; from the fifth second on
        /// there is the crowd beside them.
        World run(Supplier<Session> crowd) {
            server.countFrom = FROM;
            server.tickUntil(UNTIL);
            simulation.poisson(_ -> 2, UNTIL, sessions::come);
            simulation.poisson(_ -> 50, UNTIL, () -> once(new Session()));
            for (int i = 0; i < CROWD; i++) {
                long begin = 5 * SECOND + (long) (simulation.uniform() * PAUSE);
                simulation.after(begin, () -> again(crowd));
            }
            simulation.runUntil(UNTIL);
            return this;
        }

        private void once(Session session) {
            server.ask(
                    PAGE,
                    session,
                    isAnswered -> {
                        server.admission.end(session);
                        once += isAnswered && simulation.nanos() > FROM ? 1 : 0;
                    });
        }

        /// One of the crowd: asks again as soon as it has its answer, and a tenth of a second after
        /// a refusal.
        private void again(Supplier<Session> whose) {
            Consumer<Boolean> then = a -> simulation.after(a ? 0 : PAUSE, () -> again(whose));
            server.ask(PAGE, whose.get(), then);
        }

        Session proven() {
            var session = new Session();
            server.ask(PAGE, session, _ -> {});
            return session;
        }
    }

    /// All with one session's cookie: others fare as well as if they were a thousand who come for
    /// the first time, and all that is inside is let finish.
    @Test
    void oneCookieOnAThousandConnectionsGainsNothing() {
        long asFirst = 0;
        long byCookie = 0;
        for (long seed = 7; seed < 10; seed++) {
            asFirst += new World(seed).run(Session::new).once;
            var world = new World(seed);
            Session one = world.proven();
            byCookie += world.run(() -> one).once;
            assertTrue(world.sessions.completed > 0);
            assertEquals(0, world.sessions.abandoned);
        }
        assertTrue(byCookie >= 0.9 * asFirst, byCookie + " and " + asFirst);
    }

    /// So many sessions that never end fill the server by right. One who comes then gets in all the
    /// same, by and by.
    @ParameterizedTest
    @ValueSource(ints = {10, 30, 1_000})
    void newSessionsAreAdmittedBesideManyThatNeverEnd(int cookies) {
        var world = new World(7);
        var proven = new ArrayList<Session>();
        for (int i = 0; i < cookies; i++) {
            world.simulation.after(i * 3 * MILLI, () -> proven.add(world.proven()));
        }
        world.simulation.runUntil(4 * SECOND);
        var turn = new AtomicInteger();
        world.run(() -> proven.get(turn.getAndIncrement() % cookies));
        assertTrue(world.once >= 10, world.once + " new sessions");
    }

    /// Five pages a second are all that it can do, and each client asks for one of them: less than
    /// a client's due would be a sixteenth.
    @Test
    void sessionsOfASlowServerAreFinished() {
        Plan slow = Plan.computing("GET /slow", 200);
        long abandoned = 0;
        long completed = 0;
        for (long seed = 7; seed < 12; seed++) {
            var simulation = new Simulation(seed);
            var server = new VirtualServer(simulation, 1, Limits.of(1));
            var sessions = new SessionCrowd(server, slow, 20, SECOND);
            server.tickUntil(200 * SECOND);
            simulation.poisson(_ -> 0.5, 200 * SECOND, sessions::come);
            simulation.runUntil(200 * SECOND);
            completed += sessions.completed;
            abandoned += sessions.abandoned;
        }
        assertTrue(abandoned < completed / 8, abandoned + " of " + completed);
    }
}
