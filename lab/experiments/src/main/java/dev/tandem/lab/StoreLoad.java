package dev.tandem.lab;

import dev.tandem.lab.shops.BookstoreClients;
import dev.tandem.load.Arrivals;
import dev.tandem.load.Client;
import dev.tandem.load.Load;
import dev.tandem.load.LoadException;
import dev.tandem.load.LoadReport;
import dev.tandem.load.LoadRun;
import dev.tandem.load.TimeLimits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;

/// A constant number of browsers in the bookstore, and their results. Immutable.
///
/// @param clients of TPC-W
/// @param seed the same gives the same sessions
record StoreLoad(BookstoreClients clients, long seed) {
    /// A minute: clients wait for as long as it takes.
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /// Pause before a retry, as of TPC-W's browsers.
    private static final Duration PAUSE = Duration.ofSeconds(1);

    /// Connections of a browser, for the pictures.
    private static final int CONNECTIONS = 4;

    /// Contents of a store's `/lab-stats`.
    private record Stats(long pages, long held) {}

    /// Result of a measurement.
    ///
    /// @param from when counting began, by [System#nanoTime()]
    /// @param held connections that were held when rendering began, of `pages`
    /// @param processors of the server that it used
    record Result(
            PageLog log,
            long from,
            long to,
            long pages,
            long held,
            double processors,
            LoadReport report) {
        double seconds() {
            return (to - from) / 1e9;
        }

        /// The larger of the shares of the generator's busiest thread and of its process.
        double generatorShare() {
            LoadReport.Generator own = report.generator();
            double used = (own.userSeconds() + own.systemSeconds()) / report.seconds();
            return Math.max(own.busyShare(), Math.min(1, used));
        }
    }

    /// @param pace how many times faster than TPC-W's they think
    StoreLoad withPace(double pace) {
        var others =
                new BookstoreClients(
                        clients.model(),
                        clients.customers(),
                        clients.items(),
                        pace,
                        clients.withPictures());
        return new StoreLoad(others, seed);
    }

    /// @param count of concurrent clients
    /// @param stagger over which the first ones begin
    /// @param ramp the time before counting begins
    Result play(RunningRival server, int count, Duration stagger, Duration ramp, Duration time)
            throws LabException, InterruptedException {
        var log = new PageLog();
        Load load =
                Load.of(server.address())
                        .withArrivals(Arrivals.closed(count))
                        .withTime(ramp.plus(time))
                        .withWarmup(ramp)
                        .withDrain(Duration.ZERO)
                        .withClient(
                                Client.DEFAULT
                                        .withCookies(true)
                                        .withContinuingAfterFailure(true)
                                        .withConnectionsMax(CONNECTIONS)
                                        .withFailingStatuses(Set.of()))
                        .withTimeLimits(TimeLimits.of(PATIENCE))
                        .withSeed(seed);
        try (LoadRun run = load.start(new StoreClients(clients, log, stagger, PAUSE))) {
            Thread.sleep(ramp);
            long from = System.nanoTime();
            double cpu = server.cpuSeconds();
            Stats before = stats(server);
            LoadReport report = run.await();
            long to = System.nanoTime();
            double used = server.cpuSeconds() - cpu;
            server.needsLife();
            Stats after = stats(server);
            return new Result(
                    log,
                    from,
                    to,
                    after.pages - before.pages,
                    after.held - before.held,
                    used / ((to - from) / 1e9),
                    report);
        } catch (LoadException e) {
            server.needsLife();
            throw new LabException(String.valueOf(e.getMessage()));
        }
    }

    private static Stats stats(RunningRival server) throws LabException {
        try (var caller = Caller.connect(server.port())) {
            String text = new String(caller.get("/lab-stats").body(), StandardCharsets.US_ASCII);
            String[] words = text.split(" ");
            return new Stats(Long.parseLong(words[0]), Long.parseLong(words[1]));
        } catch (IOException e) {
            throw new LabException("the store does not report its figures: " + e.getMessage());
        }
    }
}
