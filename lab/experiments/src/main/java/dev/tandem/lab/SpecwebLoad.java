package dev.tandem.lab;

import dev.tandem.lab.shops.Quality;
import dev.tandem.lab.shops.SpecwebClients;
import dev.tandem.lab.shops.SpecwebClients.Site;
import dev.tandem.load.Arrivals;
import dev.tandem.load.Client;
import dev.tandem.load.Load;
import dev.tandem.load.LoadException;
import dev.tandem.load.LoadReport;
import dev.tandem.load.LoadRun;
import dev.tandem.load.TimeLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Runs a constant number of clients of one of SPECweb2005's sites against a server. Immutable.
record SpecwebLoad(SpecwebSite site, AppliedLoad.Timing timing, Duration patience) {
    static final String PAGES = "good pages/s";
    static final String GOOD = "good share";

    /// Read from a slow disk, ramp included; only where memory is limited.
    static final String DISK = "disk MB/s";

    static final String TOLERABLE = "tolerable share";

    /// Figures of the server, the process or all clients: not summed over their parts.
    private static final Set<String> WHOLE =
            Set.of(
                    AppliedLoad.RESPONSE_P99,
                    AppliedLoad.SERVER,
                    AppliedLoad.GENERATOR,
                    AppliedLoad.LIFE,
                    AppliedLoad.CONNECTING,
                    AppliedLoad.HANDSHAKING,
                    AppliedLoad.AWAITING,
                    AppliedLoad.RECEIVING,
                    AppliedLoad.IDLE,
                    AppliedLoad.HANDSHAKE_SHARE);

    /// @throws LabException if the server ends, or the generator fails
    Reading measure(RunningRival server, Site of, int clients, long seed)
            throws LabException, InterruptedException {
        long now = System.nanoTime();
        long from = now + nanos(timing.rampSeconds());
        var quality = new Quality(site.limits(of), from, now + nanos(timing.totalSeconds()));
        var runs = new ArrayList<LoadRun>();
        try {
            start(runs, server, of, clients, seed, quality);
            return reading(server, runs, quality);
        } catch (LoadException e) {
            server.needsLife();
            throw new LabException(String.valueOf(e.getMessage()));
        } finally {
            runs.forEach(LoadRun::close);
        }
    }

    /// Loads a server until it is warm.
    ///
    /// @param name of the server
    /// @param secondsMax over 0
    void warm(Run run, String name, RunningRival server, Site of, int clients, double secondsMax)
            throws LabException, InterruptedException {
        var quality = new Quality(site.limits(of), Long.MAX_VALUE, Long.MAX_VALUE);
        var timing = new AppliedLoad.Timing(0, secondsMax + 2); // ends later than the warm-up
        var runs = new ArrayList<LoadRun>();
        try {
            new SpecwebLoad(site, timing, patience)
                    .start(runs, server, of, clients, run.seed(), quality);
            WarmUp.await(run, name, server, runs, secondsMax);
        } catch (LoadException e) {
            server.needsLife();
            throw new LabException(String.valueOf(e.getMessage()));
        } finally {
            runs.forEach(LoadRun::close);
        }
    }

    /// Starts the loads of a site's parts.
    ///
    /// @param runs receives them, those also that had begun when another failed
    private void start(
            List<LoadRun> runs,
            RunningRival server,
            Site of,
            int clients,
            long seed,
            Quality quality)
            throws LoadException {
        for (SpecwebSite.Part part : SpecwebSite.parts(of)) {
            String address = part.isSecure() ? server.address() : server.plain().address();
            int its = Math.max(1, (int) Math.round(clients * part.share()));
            var workload = new SpecwebClients(of, part.model(), site.set(), site.pace(), quality);
            runs.add(load(address, its, seed).start(workload));
        }
    }

    private Load load(String address, int clients, long seed) {
        Client client =
                Client.DEFAULT
                        .withCookies(true)
                        .withConnectionsMax(2)
                        .withReceiveRate(site.lineBytesPerSecond())
                        .withContinuingAfterFailure(true)
                        .withTls(BoringClients.TLS);
        return Load.of(address)
                .withArrivals(Arrivals.closed(clients))
                .withTime(Duration.ofNanos(nanos(timing.totalSeconds())))
                .withWarmup(Duration.ofNanos(nanos(timing.rampSeconds())))
                .withDrain(Duration.ZERO)
                .withClient(client)
                .withTimeLimits(TimeLimits.of(patience))
                .withSeed(seed);
    }

    private Reading reading(RunningRival server, List<LoadRun> runs, Quality quality)
            throws LabException, LoadException, InterruptedException {
        Thread.sleep(Duration.ofNanos(nanos(timing.rampSeconds())));
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
        figures.put(PAGES, quality.goodPages() / timing.seconds());
        figures.put(GOOD, quality.goodShare());
        figures.put(TOLERABLE, quality.tolerableShare());
        double weighted = 0;
        for (LoadReport report : reports) {
            Map<String, Double> its = AppliedLoad.reading(report, used).figures();
            its.forEach(
                    (name, value) ->
                            figures.merge(
                                    name, value, WHOLE.contains(name) ? Math::max : Double::sum));
            weighted += report.measured().averageMillis() * report.replies().count();
        }
        long replies = reports.stream().mapToLong(report -> report.replies().count()).sum();
        figures.put(AppliedLoad.RESPONSE, replies == 0 ? Double.NaN : weighted / replies);
        return new Reading(figures, figures.getOrDefault(AppliedLoad.GENERATOR, Double.NaN));
    }

    private static long nanos(double seconds) {
        return Math.round(seconds * 1e9);
    }
}
