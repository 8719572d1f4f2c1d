package dev.tandem.lab.shops;

import dev.tandem.load.Session;
import dev.tandem.workloads.PageView;
import dev.tandem.workloads.SessionSource;
import java.time.Duration;
import java.util.Iterator;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/// The clients of RUBiS on our auction (`docs/auction.md`). They use the identities of its members,
/// request what the pages show, and fill in the forms that they received. Immutable.
///
/// The sessions need cookies, so a [dev.tandem.load.Client] must keep them.
///
/// @param model over the states of RUBiS
/// @param users how many the auction has; the password of `userN` is `passwordN`
/// @param pace how many times faster than real ones these clients think; over 0
/// @param ended receives the result of [#offered] for each completed session; called by the
///     generator's threads
public record AuctionClients(SessionSource model, int users, double pace, Consumer<Duration> ended)
        implements PlannedWorkload {

    /// Clients without a callback for completed sessions.
    public AuctionClients(SessionSource model, int users, double pace) {
        this(model, users, pace, _ -> {});
    }

    @Override
    public String name() {
        return "auction, " + model.name();
    }

    @Override
    public Session begin(long number, RandomGenerator random) {
        return new AuctionSession(this, number, random);
    }

    @Override
    public Duration offered(long number, RandomGenerator random) {
        Duration all = Duration.ZERO;
        for (Iterator<PageView> way = way(number, random); way.hasNext(); ) {
            all = all.plus(think(way.next()));
        }
        return all;
    }

    /// Returns the pages, drawn independently of the session's other random choices: they depend on
    /// no response.
    Iterator<PageView> way(long number, RandomGenerator random) {
        return model.begin(number, new SplittableRandom(random.nextLong()));
    }

    Duration think(PageView view) {
        return Duration.ofNanos(Math.round(view.think().toNanos() / pace));
    }
}
