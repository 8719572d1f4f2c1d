package dev.tandem.lab.shops;

import dev.tandem.load.Session;
import dev.tandem.load.Workload;
import dev.tandem.workloads.Visits;
import java.util.random.RandomGenerator;

/// The visitors of RUBiS on our auction (`docs/auction.md`). They are who they say they are, ask
/// for what the pages show, and fill in the forms they were given. Immutable.
///
/// Each visitor wants cookies, so a [dev.tandem.load.Client] must keep them.
///
/// @param visits over the states of RUBiS
/// @param users how many the auction has; the password of `userN` is `passwordN`
/// @param pace how many times faster than real ones these visitors think; over 0
public record AuctionVisitors(Visits visits, int users, double pace) implements Workload {

    @Override
    public String name() {
        return "auction, " + visits.name();
    }

    @Override
    public Session begin(long number, RandomGenerator random) {
        return new AuctionVisit(this, number, random);
    }
}
