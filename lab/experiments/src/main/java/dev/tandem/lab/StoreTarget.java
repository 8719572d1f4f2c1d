package dev.tandem.lab;

import dev.tandem.Gauge;
import dev.tandem.Tandem;
import dev.tandem.bookstore.Bookstore;
import dev.tandem.bookstore.Serving;
import dev.tandem.bookstore.Settings;
import dev.tandem.http.Exchange;
import dev.tandem.http.Handler;
import dev.tandem.lab.store.ServingModes;
import dev.tandem.lab.store.SimulatedDelays;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/// The bookstore of TPC-W, served in one of four ways. `/hello` responds when it is ready to be
/// measured; `/lab-stats` reports how many pages it rendered, and how many connections were held
/// meanwhile. Closing it closes its pool; stop the server first.
public final class StoreTarget implements AutoCloseable {
    /// 30 s: Hikari's default time-out of requests for a connection.
    private static final long POOL_WAIT_MILLIS = TimeUnit.SECONDS.toMillis(30);

    private final ServingMode way;
    private final Bookstore store;
    private final ServingModes ways;

    private StoreTarget(
            ServingMode way, Bookstore store, SimulatedDelays delays, boolean isInterpreted) {
        this.way = way;
        this.store = store;
        this.ways = new ServingModes(store, delays, isInterpreted);
    }

    /// What a store adds to its database and its templates.
    ///
    /// @param statement delay of each statement, as if the database were far away
    /// @param list additional delay of each statement that reads or sorts much
    /// @param view delay of a view for each KiB of output
    /// @param isInterpreted whether templates are interpreted (FreeMarker), and not compiled (JTE)
    public record Costs(Duration statement, Duration list, Duration view, boolean isInterpreted) {}

    /// @throws IOException if the database cannot be used; names it
    public static StoreTarget open(ServingMode way, Settings settings, Costs costs)
            throws IOException {
        Bookstore store = Bookstore.open(settings);
        if (way != ServingMode.TANDEM) {
            store.pool().setConnectionTimeout(POOL_WAIT_MILLIS);
        }
        var delays = new SimulatedDelays(costs.statement, costs.list, costs.view);
        return new StoreTarget(way, store, delays, costs.isInterpreted);
    }

    /// Adds the routes, and configures the way of serving.
    ///
    /// @return `server`
    public Tandem addTo(Tandem server) {
        Serving serving =
                switch (way) {
                    case THREADS, VIRTUAL -> ways.holding();
                    case FIVE_POOLS -> ways.fivePools();
                    case TANDEM -> ways.staged();
                };
        store.addTo(server::route, serving);
        if (way == ServingMode.TANDEM) {
            server.filter(store.database().unavailable());
            for (Gauge gauge : ways.gauges()) {
                server.gauge(gauge);
            }
        }
        return server.options(way.options())
                .tuning(way.tuning())
                .get("/hello", Handler.nonBlocking(Target::hello))
                .get("/lab-stats", Handler.nonBlocking(this::stats));
    }

    private void stats(Exchange x) throws IOException {
        x.contentType("text/plain").send(ways.pages() + " " + ways.held());
    }

    @Override
    public void close() {
        ways.close();
        store.close();
    }
}
