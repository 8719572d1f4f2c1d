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

/// A thousand connections without think time, and other clients; in virtual time.
class FairShareTest {
    private static final int CROWD = 1_000;
    private static final long PAUSE = 100 * MILLI;
    private static final long FROM = 10 * SECOND;
    private static final long UNTIL = 25 * SECOND;

    /// One processor can do 1,000 divided by this in a second.
    private static final double PAGE_MILLIS = 2;

    private static final Plan PAGE = Plan.computing("GET /page", PAGE_MILLIS);

    private static final class World {
        final Simulation simulation;
        final VirtualServer server;
        final SessionClients sessions;
        long singles;

        World(long seed) {
            simulation = new Simulation(seed);
            server = new VirtualServer(simulation, 1, Limits.of(1));
            sessions = new SessionClients(server, PAGE, 20, SECOND);
        }

        /// Two sessions start each second, and fifty clients send a single request; from the fifth
        /// second on there is the crowd as well.
        World run(Supplier<Session> crowd) {
            server.countFrom = FROM;
            server.tickUntil(UNTIL);
            simulation.poisson(_ -> 2, UNTIL, sessions::connect);
            simulation.poisson(_ -> 50, UNTIL, () -> sendOnce(new Session()));
            for (int i = 0; i < CROWD; i++) {
                long begin = 5 * SECOND + (long) (simulation.uniform() * PAUSE);
                simulation.after(begin, () -> sendAgain(crowd));
            }
            simulation.runUntil(UNTIL);
            return this;
        }

        private void sendOnce(Session session) {
            server.send(
                    PAGE,
                    session,
                    isCompleted -> {
                        server.admission.closeSession(session);
                        singles += isCompleted && simulation.nanos() > FROM ? 1 : 0;
                    });
        }

        /// Sends a request of the crowd, the next as soon as there is a response, and a tenth of a
        /// second after a rejection.
        private void sendAgain(Supplier<Session> session) {
            Consumer<Boolean> then = a -> simulation.after(a ? 0 : PAUSE, () -> sendAgain(session));
            server.send(PAGE, session.get(), then);
        }

        Session proven() {
            var session = new Session();
            server.send(PAGE, session, _ -> {});
            return session;
        }
    }

    /// All with one session's cookie: other clients are served as well as if these were a thousand
    /// new sessions, and live sessions are finished.
    @Test
    void oneCookieOnAThousandConnectionsHasNoAdvantage() {
        long asNewSessions = 0;
        long byCookie = 0;
        long finished = 0;
        for (long seed = 7; seed < 10; seed++) {
            asNewSessions += new World(seed).run(Session::new).singles;
            var world = new World(seed);
            Session one = world.proven();
            byCookie += world.run(() -> one).singles;
            finished += world.sessions.completed;
            assertEquals(0, world.sessions.abandoned);
        }
        assertTrue(finished > 0);
        assertTrue(byCookie >= 0.9 * asNewSessions, byCookie + " and " + asNewSessions);
    }

    /// So many sessions that never end use all that the server can do, each within its share. A new
    /// session is admitted all the same, after some time.
    @ParameterizedTest
    @ValueSource(ints = {10, 30, 1_000})
    void newSessionsAreAdmittedDespiteManyThatNeverEnd(int cookies) {
        var world = new World(7);
        var proven = new ArrayList<Session>();
        for (int i = 0; i < cookies; i++) {
            world.simulation.after(i * 3 * MILLI, () -> proven.add(world.proven()));
        }
        world.simulation.runUntil(4 * SECOND);
        var next = new AtomicInteger();
        world.run(() -> proven.get(next.getAndIncrement() % cookies));
        assertTrue(world.singles >= 10, world.singles + " new sessions");
    }

    /// The server can do five pages a second, and each client requests one a second: a sixteenth of
    /// that is less than a session needs.
    @Test
    void sessionsOfASlowServerAreFinished() {
        Plan slow = Plan.computing("GET /slow", 200);
        long abandoned = 0;
        long completed = 0;
        for (long seed = 7; seed < 12; seed++) {
            var simulation = new Simulation(seed);
            var server = new VirtualServer(simulation, 1, Limits.of(1));
            var sessions = new SessionClients(server, slow, 20, SECOND);
            server.tickUntil(200 * SECOND);
            simulation.poisson(_ -> 0.5, 200 * SECOND, sessions::connect);
            simulation.runUntil(200 * SECOND);
            completed += sessions.completed;
            abandoned += sessions.abandoned;
        }
        assertTrue(abandoned < completed / 8, abandoned + " of " + completed);
    }
}
