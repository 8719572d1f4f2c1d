package dev.tandem.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// A data lane with lengthy requests always waiting, and quick ones now and then; in virtual time.
class ConnectionReserveTest {
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int QUICK_EVERY = 20;
    private static final int QUICK_MILLIS = 5;

    private final List<Run> running = new ArrayList<>();
    private final Random random = new Random(3);
    private long millis;
    private int quickBegan;
    private long quickWaited;
    private long lengthyMillis;

    private record Run(DatabasePermit place, long end, Runnable then) {}

    /// One lane in its time.
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
                askLengthy();
            }
        }

        void askLengthy() {
            ask(
                    lengthy,
                    place -> {
                        int takes = lengthyTakes / 2 + random.nextInt(lengthyTakes);
                        lengthyMillis += takes;
                        run(place, takes, this::askLengthy);
                    });
        }

        void askQuick() {
            long asked = millis;
            ask(
                    quick,
                    place -> {
                        quickBegan++;
                        quickWaited += millis - asked;
                        run(place, QUICK_MILLIS, () -> {});
                    });
        }

        /// Lets some seconds pass.
        void seconds(int seconds, boolean hasQuick) {
            quickBegan = 0;
            quickWaited = 0;
            lengthyMillis = 0;
            for (long end = millis + 1_000L * seconds; millis < end; millis++) {
                if (hasQuick && millis % QUICK_EVERY == 0) {
                    askQuick();
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

    private void ask(DatabaseRoute route, Consumer<DatabasePermit> then) {
        var place = new DatabasePermit[1];
        place[0] =
                new DatabasePermit(
                        route,
                        DatabasePermit.Kind.LIVE,
                        AdmissionTask.of(_ -> then.accept(place[0])));
        if (place[0].ask(millis * MILLI) instanceof Decision.Run) {
            then.accept(place[0]);
        }
    }

    private void run(DatabasePermit place, int takes, Runnable then) {
        place.used(millis * MILLI);
        running.add(new Run(place, millis + takes, then));
    }

    private void endRuns() {
        List<Run> ended = running.stream().filter(run -> run.end <= millis).toList();
        running.removeAll(ended);
        for (Run run : ended) {
            run.place.close(millis * MILLI);
            run.then.run();
        }
    }

    @Test
    void noneIsKeptWhereQuickOnesSoonGetOne() {
        var shop = new Shop(10, 40);
        shop.seconds(60, true);
        assertEquals(0, shop.lane.counts().reserve());
        assertTrue(quickWaited < 10L * quickBegan, quickWaited + " ms of " + quickBegan);
    }

    @Test
    void oneIsKeptWhereTheyWouldWaitForLong() {
        var shop = new Shop(10, 800);
        shop.seconds(20, true);
        assertTrue(shop.lane.counts().reserve() > 0);
        shop.seconds(60, true);
        assertTrue(quickWaited < 10L * quickBegan, quickWaited + " ms of " + quickBegan);
        assertTrue(shop.lengthyShare(60) > 0.85, "lengthy ones have " + shop.lengthyShare(60));
        shop.seconds(60, false);
        assertTrue(shop.lengthyShare(60) > 0.97, "lengthy ones have " + shop.lengthyShare(60));
    }

    @Test
    void itIsGivenUpWhereItCostsTooMuch() {
        var shop = new Shop(3, 800);
        shop.seconds(200, true);
        assertTrue(shop.lengthyShare(200) > 0.85, "lengthy ones have " + shop.lengthyShare(200));
    }
}
