package dev.tandem.lab;

import dev.tandem.lab.shops.AuctionClients;
import dev.tandem.load.Arrivals;
import dev.tandem.load.Client;
import dev.tandem.load.Load;
import dev.tandem.load.LoadException;
import dev.tandem.load.LoadReport;
import dev.tandem.load.LoadRun;
import dev.tandem.load.Period;
import dev.tandem.load.TimeLimits;
import dev.tandem.workloads.Published;
import dev.tandem.workloads.SessionEnd;
import dev.tandem.workloads.SiteModel;
import java.time.Duration;
import java.util.List;

/// RUBiS' clients by way of the balancer. Immutable.
///
/// @param pace how many times faster time passes for clients
record FleetLoad(SiteModel model, double pace, long seed) {
    /// A client gives up after 10 s, as in the papers.
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    static FleetLoad of(int pagesMax, double pace, long seed) {
        SiteModel of = Published.rubisBidding();
        var model =
                new SiteModel(
                        of.name(),
                        of.graph(),
                        of.think(),
                        of.pages(),
                        new SessionEnd(pagesMax, of.end().stay()),
                        of.mix());
        return new FleetLoad(model, pace, seed);
    }

    /// Starts sessions in an open loop; nothing is counted in the ramp.
    ///
    /// @param rate new sessions per second
    LoadRun start(FleetSite site, FleetProxy.Way way, double rate, double ramp, double seconds)
            throws LabException {
        return start(site, way, rate, ramp, seconds, Duration.ZERO);
    }

    private LoadRun start(
            FleetSite site,
            FleetProxy.Way way,
            double rate,
            double ramp,
            double seconds,
            Duration drain)
            throws LabException {
        Load load =
                Load.of("http://127.0.0.1:" + site.proxy().port(way))
                        .withArrivals(Arrivals.open(Period.poisson(rate)))
                        .withTime(duration(ramp + seconds))
                        .withWarmup(duration(ramp))
                        .withDrain(drain)
                        .withClient(Client.DEFAULT.withCookies(true))
                        .withTimeLimits(TimeLimits.of(PATIENCE))
                        .withSeed(seed);
        try {
            return load.start(new AuctionClients(model, FleetSite.users(), pace));
        } catch (LoadException e) {
            throw new LabException(String.valueOf(e.getMessage()));
        }
    }

    /// Warms instances up. All sessions end by themselves: those that are cut off would seem short.
    LoadReport warm(FleetSite site, FleetProxy.Way way, double rate, double seconds)
            throws LabException, InterruptedException {
        try (LoadRun run = start(site, way, rate, 0, seconds, PATIENCE)) {
            return report(site, run);
        }
    }

    LoadReport measure(FleetSite site, FleetProxy.Way way, double rate, double ramp, double seconds)
            throws LabException, InterruptedException {
        try (LoadRun run = start(site, way, rate, ramp, seconds)) {
            return report(site, run);
        }
    }

    /// Waits for the end.
    static LoadReport report(FleetSite site, LoadRun run)
            throws LabException, InterruptedException {
        try {
            LoadReport report = run.await();
            site.proxy().needsLife();
            return report;
        } catch (LoadException e) {
            throw new LabException(String.valueOf(e.getMessage()));
        }
    }

    private static Duration duration(double seconds) {
        return Duration.ofNanos(Math.round(seconds * 1e9));
    }

    /// Returns the quantile of good responses' times; NaN without any.
    ///
    /// @param share over 0 to 1
    static double millis(List<FleetProxy.Line> lines, double share) {
        long[] sorted =
                lines.stream()
                        .filter(FleetProxy.Line::isGood)
                        .mapToLong(FleetProxy.Line::millis)
                        .sorted()
                        .toArray();
        int rank = (int) Math.ceil(share * sorted.length);
        return sorted.length == 0 ? Double.NaN : sorted[Math.max(rank, 1) - 1];
    }

    /// Returns the part of the good responses that one server gave; NaN without any.
    static double share(List<FleetProxy.Line> lines, String server) {
        long good = lines.stream().filter(FleetProxy.Line::isGood).count();
        long its =
                lines.stream()
                        .filter(line -> line.isGood() && line.server().equals(server))
                        .count();
        return good == 0 ? Double.NaN : (double) its / good;
    }

    /// Returns the causes of responses that were not good: status and HAProxy's state, with counts.
    static String causes(List<FleetProxy.Line> lines) {
        var counts = new java.util.TreeMap<String, Integer>();
        lines.stream()
                .filter(line -> !line.isGood())
                .forEach(
                        line ->
                                counts.merge(
                                        line.status()
                                                + " "
                                                + line.state()
                                                + " "
                                                + (line.server().isEmpty()
                                                        ? "balancer"
                                                        : line.server()),
                                        1,
                                        Integer::sum));
        return counts.isEmpty()
                ? "none"
                : String.join(
                        ", ",
                        counts.entrySet().stream()
                                .map(e -> e.getValue() + "x " + e.getKey())
                                .toList());
    }
}
