package dev.tandem.lab;

import dev.tandem.lab.Certificate.Kind;
import dev.tandem.lab.shops.SpecwebClients.Site;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;

/// The servers of SPECweb2005's sites, and their loads. Confined to one thread.
///
/// @param load of a measurement
/// @param certificate of all servers
record SpecwebServers(
        Run run, Bench bench, SpecwebSite site, SpecwebLoad load, Certificate certificate) {

    /// @param patience of clients, in seconds
    static SpecwebServers of(
            Run run, Bench bench, SpecwebSite site, AppliedLoad.Timing timing, double patience)
            throws LabException, InterruptedException {
        var load = new SpecwebLoad(site, timing, Duration.ofNanos(Math.round(patience * 1e9)));
        Certificate certificate = Certificate.make(bench.workFolder().folder(), Kind.RSA);
        return new SpecwebServers(run, bench, site, load, certificate);
    }

    /// The same servers, with other times of a measurement.
    SpecwebServers timing(AppliedLoad.Timing timing) {
        var other = new SpecwebLoad(load.site(), timing, load.patience());
        return new SpecwebServers(run, bench, site, other, certificate);
    }

    /// A scenario's contender: a server and a site.
    static String name(String server, Site site) {
        return server + ", " + site.name().toLowerCase(Locale.ROOT);
    }

    /// @param keepAlive idle time-out, in seconds, before the pace
    void add(String name, Rival rival, RivalSettings settings, double keepAlive) {
        RivalSettings its =
                settings.withKeepAlive(site.faster(keepAlive)).withCertificate(certificate);
        bench.lineup().add(name, site.entry(rival, its, bench.pinning().serverList()));
    }

    void warm(String server, Site of, double clients, double seconds)
            throws LabException, InterruptedException {
        if (seconds <= 0) {
            return;
        }
        RunningRival running = bench.lineup().running(server);
        load.warm(run, name(server, of), running, of, (int) clients, seconds);
        bench.lineup().calm(server);
    }

    Reading measure(String server, Site of, double clients, int repetition)
            throws LabException, InterruptedException {
        RunningRival running = bench.lineup().running(server);
        double before = site.diskBytes();
        Reading reading = load.measure(running, of, (int) clients, run.seed() + repetition);
        double read = (site.diskBytes() - before) / load.timing().totalSeconds();
        bench.lineup().calm(server);
        if (!site.isCaged()) {
            return reading;
        }
        var figures = new LinkedHashMap<>(reading.figures());
        figures.put(SpecwebLoad.DISK, read / 1e6);
        return new Reading(figures, reading.generatorShare());
    }
}
