package dev.tandem.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Repeated calls of a user with several connections, while the generator is behind its schedule.
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RepeatedCallsTest {
    /// As many as start in a turn of the generator.
    private static final int TURN = 64;

    private static final int SESSIONS = 100_000;

    /// One connection fails. The other makes the failed call again, before the failed one asks for
    /// it: the step ends, and the failed one asks while the user thinks.
    @Test
    void nothingIsSentWhileTheUserThinks() throws Exception {
        var closed = new CountDownLatch(1);
        var isNoticed = new CountDownLatch(1);
        try (var server =
                new ScriptedServer(
                        connection -> {
                            String first = connection.request();
                            if (first.startsWith("GET /fails ") && closed.getCount() > 0) {
                                connection.socket().close();
                                closed.countDown();
                                return;
                            }
                            isNoticed.await(10, TimeUnit.SECONDS);
                            for (String r = first; !r.isEmpty(); r = connection.request()) {
                                connection.send(ScriptedServer.OK);
                            }
                        })) {
            List<Call> both = List.of(Call.get("/fails"), Call.get("/fine"));
            var session =
                    List.of(
                                    Step.parallel(Duration.ZERO, both),
                                    Step.inTurn(Duration.ofMillis(1), List.of(Call.get("/last"))))
                            .iterator();
            var period = new Period.Fixed(Duration.ofNanos(1));
            LoadReport report =
                    server.load()
                            .withArrivals(new Arrivals.Open(period, SESSIONS))
                            .withTime(Duration.ZERO)
                            .withClient(Client.DEFAULT.withRetriesMax(1))
                            .run(new Behind(session, closed, isNoticed));
            assertEquals(Map.of(Outcome.CLOSED_EARLY, 1L), report.errors());
            assertEquals(SESSIONS, report.sessions().completed());
            assertEquals(4, server.requests().size());
            assertTrue(server.requests().getLast().startsWith("GET /last "));
        }
    }

    /// A user, and others without any call, who are due at once: their starts keep the generator
    /// behind until the user's first step has ended.
    private static final class Behind implements Workload {
        private final Iterator<Step> steps;
        private final CountDownLatch closed;
        private final CountDownLatch isNoticed;
        private int turnsAfterClose;
        private boolean isFirstDone;

        Behind(Iterator<Step> steps, CountDownLatch closed, CountDownLatch isNoticed) {
            this.steps = steps;
            this.closed = closed;
            this.isNoticed = isNoticed;
        }

        @Override
        public String name() {
            return "behind";
        }

        @Override
        public Session begin(long number, RandomGenerator random) {
            if (number == 0) {
                return last -> {
                    isFirstDone |= !last.isEmpty();
                    return steps.hasNext() ? steps.next() : null;
                };
            }
            if (number % TURN == 0 && !isFirstDone) {
                turn();
            }
            return _ -> null;
        }

        private void turn() {
            turnsAfterClose += closed.getCount() == 0 ? 1 : 0;
            if (turnsAfterClose > 1) {
                isNoticed.countDown();
            }
            try {
                Thread.sleep(1);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
