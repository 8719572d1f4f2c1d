package dev.tandem.lab;

import dev.tandem.lab.shops.Quality;
import dev.tandem.lab.shops.SpecwebVisitors;
import dev.tandem.lab.shops.SpecwebVisitors.Site;
import dev.tandem.load.Arrivals;
import dev.tandem.load.Client;
import dev.tandem.load.Load;
import dev.tandem.load.LoadException;
import dev.tandem.load.LoadReport;
import dev.tandem.load.LoadRun;
import dev.tandem.load.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Plays so many visitors of one of SPECweb2005's sites at a time against a server, each followed
/// by the next. Immutable.
record SpecwebPlay(SpecwebSite site, Play.Lasting lasting, Duration patience) {
    static final String PAGES = "good pages/s";
    static final String GOOD = "good share";
    static final String TOLERABLE = "tolerable share";

    /// Figures that are of the server, the process or all visitors: not summed over their parts.
    private static final Set<String> WHOLE =
            Set.of(Play.RESPONSE_P99, Play.SERVER, Play.GENERATOR, Play.LIFE);

    /// @throws LabException if the server ends, or the generator fails
    Reading take(RunningRival server, Site of, int visitors, long seed)
            throws LabException, InterruptedException {
        long now = System.nanoTime();
        long from = now + nanos(lasting.rampSeconds());
        var quality = new Quality(site.limits(of), from, now + nanos(lasting.inAll()));
        var runs = new ArrayList<LoadRun>();
        try {
            for (SpecwebSite.Part part : SpecwebSite.parts(of)) {
                String address = part.isSecure() ? server.address() : server.plain().address();
                int its = Math.max(1, (int) Math.round(visitors * part.share()));
                var workload =
                        new SpecwebVisitors(of, part.model(), site.set(), site.pace(), quality);
                runs.add(load(address, its, seed).start(workload));
            }
            return reading(server, runs, quality);
        } catch (LoadException e) {
            server.needsLife();
            throw new LabException(String.valueOf(e.getMessage()));
        } finally {
            runs.forEach(LoadRun::close);
        }
    }

    private Load load(String address, int visitors, long seed) {
        Client client =
                Client.DEFAULT
                        .withCookies(true)
                        .withConnectionsMax(2)
                        .withReceiveRate(site.lineRate())
                        .withGoingOn(true)
                        .withTls(BoringClients.TLS);
        return Load.of(address)
                .withArrivals(Arrivals.closed(visitors))
                .withTime(Duration.ofNanos(nanos(lasting.inAll())))
                .withWarmup(Duration.ofNanos(nanos(lasting.rampSeconds())))
                .withDrain(Duration.ZERO)
                .withClient(client)
                .withPatience(Patience.of(patience))
                .withSeed(seed);
    }

    private Reading reading(RunningRival server, List<LoadRun> runs, Quality quality)
            throws LabException, LoadException, InterruptedException {
        Thread.sleep(Duration.ofNanos(nanos(lasting.rampSeconds())));
        long from = System.nanoTime();
        double before = server.cpuSeconds();
        var reports = new ArrayList<LoadReport>();
        for (LoadRun run : runs) {
            reports.add(run.await());
        }
        double wall = (System.nanoTime() - from) / 1e9;
        double used = (server.cpuSeconds() - before) / wall;
        server.needsLife();
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put(PAGES, quality.goodPages() / lasting.seconds());
        figures.put(GOOD, quality.goodShare());
        figures.put(TOLERABLE, quality.tolerableShare());
        double weighted = 0;
        for (LoadReport report : reports) {
            Map<String, Double> its = Play.reading(report, used).figures();
            its.forEach(
                    (name, value) ->
                            figures.merge(
                                    name, value, WHOLE.contains(name) ? Math::max : Double::sum));
            weighted += report.measured().averageMillis() * report.replies().count();
        }
        long replies = reports.stream().mapToLong(report -> report.replies().count()).sum();
        figures.put(Play.RESPONSE, replies == 0 ? Double.NaN : weighted / replies);
        return new Reading(figures, figures.getOrDefault(Play.GENERATOR, Double.NaN));
    }

    private static long nanos(double seconds) {
        return Math.round(seconds * 1e9);
    }
}
