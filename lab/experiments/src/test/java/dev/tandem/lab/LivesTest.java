package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.lab.shops.AuctionVisitors;
import dev.tandem.lab.shops.Shoppers;
import dev.tandem.load.Session;
import dev.tandem.load.SessionRandom;
import dev.tandem.workloads.PageView;
import dev.tandem.workloads.Published;
import java.time.Duration;
import java.util.Iterator;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class LivesTest {

    /// Sessions of 1 s and 10 s in turn.
    private record InTurn() implements Shoppers {
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
    void whatATakeCannotShow_isNotExpectedOfIt() {
        var shortTake = new Play.Lasting(0, 5);
        assertEquals(1, Lives.offered(new InTurn(), 10, shortTake, 1));
        var longTake = new Play.Lasting(100, 1_000);
        assertEquals(5.5, Lives.offered(new InTurn(), 10, longTake, 1), 0.1);
        assertTrue(Double.isNaN(Lives.offered(new InTurn(), 10, new Play.Lasting(0, 0.5), 1)));
    }

    @Test
    void onlyWhoEndsInTheTake_counts() {
        var lives = new Lives(new Play.Lasting(0, 3_600));
        assertTrue(Double.isNaN(lives.mean()));
        lives.ended(Duration.ofSeconds(2));
        lives.ended(Duration.ofSeconds(4));
        assertEquals(3, lives.mean());
        var later = new Lives(new Play.Lasting(3_600, 1));
        later.ended(Duration.ofSeconds(2));
        assertTrue(Double.isNaN(later.mean()));
    }

    /// The way of a visitor is drawn apart from what it types: so it is known beforehand.
    @Test
    void auctionsVisitors_meanToStayAsLongAsTheirPagesSay() {
        var visitors = new AuctionVisitors(Published.rubisBidding(), 10, 2);
        for (long number = 0; number < 20; number++) {
            RandomGenerator random = SessionRandom.of(7, number);
            Iterator<PageView> way =
                    Published.rubisBidding().begin(number, new SplittableRandom(random.nextLong()));
            double seconds = 0;
            while (way.hasNext()) {
                seconds += way.next().think().toNanos() / 1e9;
            }
            Duration offered = visitors.offered(number, SessionRandom.of(7, number));
            assertEquals(seconds / 2, offered.toNanos() / 1e9, 1e-3);
        }
    }
}
