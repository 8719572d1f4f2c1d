package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.lab.shops.AuctionClients;
import dev.tandem.lab.shops.PlannedWorkload;
import dev.tandem.load.Session;
import dev.tandem.load.SessionRandom;
import dev.tandem.workloads.PageView;
import dev.tandem.workloads.Published;
import java.time.Duration;
import java.util.Iterator;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class SessionLengthsTest {

    /// Sessions of 1 s and 10 s, alternating.
    private record InTurn() implements PlannedWorkload {
        @Override
        public String name() {
            return "in turn";
        }

        @Override
        public Session begin(long number, RandomGenerator random) {
            return _ -> null;
        }

        @Override
        public Duration offered(long number, RandomGenerator random) {
            return Duration.ofSeconds(number % 2 == 0 ? 1 : 10);
        }
    }

    /// In 5 s without a ramp no long one ends; in 1,000 s hardly any is cut.
    @Test
    void sessionsLongerThanTheMeasurementAreNotExpected() {
        var shortTake = new AppliedLoad.Timing(0, 5);
        assertEquals(1, SessionLengths.offered(new InTurn(), 10, shortTake, 1));
        var longTake = new AppliedLoad.Timing(100, 1_000);
        assertEquals(5.5, SessionLengths.offered(new InTurn(), 10, longTake, 1), 0.1);
        assertTrue(
                Double.isNaN(
                        SessionLengths.offered(
                                new InTurn(), 10, new AppliedLoad.Timing(0, 0.5), 1)));
    }

    @Test
    void onlySessionsThatEndInTheMeasurementCount() {
        var lives = new SessionLengths(new AppliedLoad.Timing(0, 3_600));
        assertTrue(Double.isNaN(lives.mean()));
        lives.ended(Duration.ofSeconds(2));
        lives.ended(Duration.ofSeconds(4));
        assertEquals(3, lives.mean());
        var later = new SessionLengths(new AppliedLoad.Timing(3_600, 1));
        later.ended(Duration.ofSeconds(2));
        assertTrue(Double.isNaN(later.mean()));
    }

    /// The pages of a session are drawn independently of its input, so they are known beforehand.
    @Test
    void lengthOfAuctionSessionsIsThatOfTheirPages() {
        var clients = new AuctionClients(Published.rubisBidding(), 10, 2);
        for (long number = 0; number < 20; number++) {
            RandomGenerator random = SessionRandom.of(7, number);
            Iterator<PageView> way =
                    Published.rubisBidding().begin(number, new SplittableRandom(random.nextLong()));
            double seconds = 0;
            while (way.hasNext()) {
                seconds += way.next().think().toNanos() / 1e9;
            }
            Duration offered = clients.offered(number, SessionRandom.of(7, number));
            assertEquals(seconds / 2, offered.toNanos() / 1e9, 1e-3);
        }
    }
}
