package dev.tandem.lab.shops;

import dev.tandem.load.Session;
import dev.tandem.workloads.PageView;
import dev.tandem.workloads.Visits;
import java.time.Duration;
import java.util.Iterator;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/// The visitors of RUBiS on our auction (`docs/auction.md`). They are who they say they are, ask
/// for what the pages show, and fill in the forms they were given. Immutable.
///
/// Each visitor wants cookies, so a [dev.tandem.load.Client] must keep them.
///
/// @param visits over the states of RUBiS
/// @param users how many the auction has; the password of `userN` is `passwordN`
/// @param pace how many times faster than real ones these visitors think; over 0
/// @param ended is told of each who has seen all that it came for, with what [#offered] says of
///     it; by the generator's threads
public record AuctionVisitors(Visits visits, int users, double pace, Consumer<Duration> ended)
        implements Shoppers {

    /// Whose end nobody is told of.
    public AuctionVisitors(Visits visits, int users, double pace) {
        this(visits, users, pace, _ -> {});
    }

    @Override
    public String name() {
        return "auction, " + visits.name();
    }

    @Override
    public Session begin(long number, RandomGenerator random) {
        return new AuctionVisit(this, number, random);
    }

    @Override
    public Duration offered(long number, RandomGenerator random) {
        Duration all = Duration.ZERO;
        for (Iterator<PageView> way = way(number, random); way.hasNext(); ) {
            all = all.plus(think(way.next()));
        }
        return all;
    }

    /// The pages, drawn apart from all else that a visitor draws: they depend on no answer.
    Iterator<PageView> way(long number, RandomGenerator random) {
        return visits.begin(number, new SplittableRandom(random.nextLong()));
    }

    Duration think(PageView view) {
        return Duration.ofNanos(Math.round(view.think().toNanos() / pace));
    }
}
