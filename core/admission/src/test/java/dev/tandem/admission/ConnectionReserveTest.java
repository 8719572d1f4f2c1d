package dev.tandem.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// A database lane with lengthy requests always waiting, and quick ones now and then; in virtual
/// time.
class ConnectionReserveTest {
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int QUICK_EVERY = 20;
    private static final int QUICK_MILLIS = 5;

    private final List<Run> running = new ArrayList<>();
    private final Random random = new Random(3);
    private long millis;
    private int quickStarted;
    private long quickWaited;
    private long lengthyMillis;

    private record Run(DatabasePermit permit, long end, Runnable then) {}

    /// A site with quick and lengthy requests.
    private final class Shop {
        final int connections;
        final int lengthyTakes;
        final DatabaseLane lane;
        final DatabaseRoute quick;
        final DatabaseRoute lengthy;

        Shop(int connections, int lengthyTakes) {
            var patient = new DatabaseWaits(3_600_000 * MILLI, 3_600_000 * MILLI);
            this.connections = connections;
            this.lengthyTakes = lengthyTakes;
            lane = new DatabaseLane("test", () -> connections, () -> {}, patient);
            quick = lane.route("GET /product");
            lengthy = lane.route("GET /best-sellers");
            for (int i = 0; i < 2 * connections; i++) {
                requestLengthy();
            }
        }

        void requestLengthy() {
            request(
                    lengthy,
                    permit -> {
                        int takes = lengthyTakes / 2 + random.nextInt(lengthyTakes);
                        lengthyMillis += takes;
                        run(permit, takes, this::requestLengthy);
                    });
        }

        void requestQuick() {
            long requestedAt = millis;
            request(
                    quick,
                    permit -> {
                        quickStarted++;
                        quickWaited += millis - requestedAt;
                        run(permit, QUICK_MILLIS, () -> {});
                    });
        }

        /// Simulates some seconds.
        void seconds(int seconds, boolean hasQuick) {
            quickStarted = 0;
            quickWaited = 0;
            lengthyMillis = 0;
            for (long end = millis + 1_000L * seconds; millis < end; millis++) {
                if (hasQuick && millis % QUICK_EVERY == 0) {
                    requestQuick();
                }
                if (millis % 100 == 0) {
                    lane.tick(millis * MILLI);
                }
                endRuns();
            }
        }

        double lengthyShare(int seconds) {
            return lengthyMillis / (1_000.0 * seconds * connections);
        }
    }

    private void request(DatabaseRoute route, Consumer<DatabasePermit> then) {
        var permit = new DatabasePermit[1];
        permit[0] =
                new DatabasePermit(
                        route,
                        DatabasePermit.Kind.LIVE_SESSION,
                        AdmissionTask.of(_ -> then.accept(permit[0])));
        if (permit[0].request(millis * MILLI) instanceof Decision.Run) {
            then.accept(permit[0]);
        }
    }

    private void run(DatabasePermit permit, int takes, Runnable then) {
        permit.use(millis * MILLI);
        running.add(new Run(permit, millis + takes, then));
    }

    private void endRuns() {
        List<Run> ended = running.stream().filter(run -> run.end <= millis).toList();
        running.removeAll(ended);
        for (Run run : ended) {
            run.permit.close(millis * MILLI);
            run.then.run();
        }
    }

    @Test
    void noneIsReservedWhereQuickRequestsSoonGetOne() {
        var shop = new Shop(10, 40);
        shop.seconds(60, true);
        assertEquals(0, shop.lane.counts().reserve());
        assertTrue(quickWaited < 10L * quickStarted, quickWaited + " ms of " + quickStarted);
    }

    @Test
    void someAreReservedWhereQuickRequestsWouldWaitForLong() {
        var shop = new Shop(10, 800);
        shop.seconds(20, true);
        assertTrue(shop.lane.counts().reserve() > 0);
        shop.seconds(60, true);
        assertTrue(quickWaited < 10L * quickStarted, quickWaited + " ms of " + quickStarted);
        assertTrue(shop.lengthyShare(60) > 0.85, "lengthy requests have " + shop.lengthyShare(60));
        shop.seconds(60, false);
        assertTrue(shop.lengthyShare(60) > 0.97, "lengthy requests have " + shop.lengthyShare(60));
    }

    @Test
    void reserveIsGivenUpWhereItCostsTooMuch() {
        var shop = new Shop(3, 800);
        shop.seconds(200, true);
        assertTrue(
                shop.lengthyShare(200) > 0.85, "lengthy requests have " + shop.lengthyShare(200));
    }
}
