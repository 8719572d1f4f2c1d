package dev.tandem.lab;

import dev.tandem.lab.shops.AuctionClients;
import dev.tandem.load.Arrivals;
import dev.tandem.load.Client;
import dev.tandem.load.Load;
import dev.tandem.load.LoadException;
import dev.tandem.load.LoadRun;
import dev.tandem.workloads.Published;
import java.io.IOException;
import java.time.Duration;

/// RUBiS' clients in a shop of this machine, so that a person sees it at work: they browse, bid,
/// buy and sell, with the published think times (7 s in the mean), and each session that ends is
/// followed by another.
public final class ShopClients implements AutoCloseable {
    /// 10,000: each has a connection.
    public static final int MOST = 10_000;

    /// Longer than any demo lasts.
    private static final Duration TIME = Duration.ofDays(30);

    private final LoadRun run;

    private ShopClients(LoadRun run) {
        this.run = run;
    }

    /// Starts the clients.
    ///
    /// @param uri of the shop, on the loopback
    /// @param clients concurrent clients, 1 to [#MOST]
    /// @param users known to the shop, as in `auction.users`
    /// @throws IOException if they cannot be started
    public static ShopClients start(String uri, int clients, int users) throws IOException {
        Load load =
                Load.of(uri)
                        .withArrivals(Arrivals.closed(clients))
                        .withTime(TIME)
                        .withClient(Client.DEFAULT.withCookies(true));
        try {
            return new ShopClients(
                    load.start(new AuctionClients(Published.rubisBidding(), users, 1)));
        } catch (LoadException e) {
            throw new IOException("cannot start the clients: " + e.getMessage(), e);
        }
    }

    /// Stops the clients.
    @Override
    public void close() {
        run.close();
    }
}
