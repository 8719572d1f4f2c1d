package dev.tandem.lab;

import dev.tandem.lab.shops.AuctionVisitors;
import dev.tandem.load.Arrivals;
import dev.tandem.load.Client;
import dev.tandem.load.Load;
import dev.tandem.load.LoadException;
import dev.tandem.load.LoadRun;
import dev.tandem.workloads.Published;
import java.io.IOException;
import java.time.Duration;

/// The visitors of RUBiS in a shop of this machine, so that a person sees it at work: they look
/// around, bid, buy and sell, with the published think times (7 s in the mean), and whoever leaves
/// is followed by another.
public final class ShopVisitors implements AutoCloseable {
    /// 10,000: each has a connection.
    public static final int MOST = 10_000;

    /// Longer than anybody looks on.
    private static final Duration TIME = Duration.ofDays(30);

    private final LoadRun run;

    private ShopVisitors(LoadRun run) {
        this.run = run;
    }

    /// Has them come.
    ///
    /// @param uri of the shop, on the loopback
    /// @param visitors at once, 1 to [#MOST]
    /// @param users whom the shop knows, as `auction.users` has it
    /// @throws IOException if they cannot come
    public static ShopVisitors start(String uri, int visitors, int users) throws IOException {
        Load load =
                Load.of(uri)
                        .withArrivals(Arrivals.closed(visitors))
                        .withTime(TIME)
                        .withClient(Client.DEFAULT.withCookies(true));
        try {
            return new ShopVisitors(
                    load.start(new AuctionVisitors(Published.rubisBidding(), users, 1)));
        } catch (LoadException e) {
            throw new IOException("no visitors can come: " + e.getMessage(), e);
        }
    }

    /// Has them leave.
    @Override
    public void close() {
        run.close();
    }
}
