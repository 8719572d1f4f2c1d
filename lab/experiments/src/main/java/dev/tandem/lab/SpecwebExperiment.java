package dev.tandem.lab;

import dev.tandem.lab.shops.SpecwebClients.Site;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// SPECweb2005's three workloads as in chapter 4.3 of Beltran's thesis (2008), figures 4.14 to
/// 4.19: the multi-threaded rival over threads and keep-alive time-outs, then the best of those
/// against Tandem and Tomcat by the number of clients.
final class SpecwebExperiment {
    static final String TANDEM = "tandem";
    static final String THREADED = "multi-threaded";
    static final String SWEPT = "swept";

    // Parameters of scenarios.
    static final String CLIENTS = "clients";
    static final String THREADS = "threads";
    static final String KEEP_ALIVE = "keep-alive s";

    private static final Setting SITES =
            new Setting("sites", "NAMES", "banking,ecommerce,support", "sites");
    private static final Setting CONTENDERS =
            new Setting(
                    "contenders",
                    "NAMES",
                    "tandem,multi-threaded,tomcat,tomcat-virtual",
                    "contenders, where they are installed");
    private static final Setting LOADS =
            new Setting(
                    "clients",
                    "LIST",
                    "250,500,1000,1500,2000,3000",
                    "400,1200",
                    "concurrent clients");
    private static final Setting SWEPT_AT =
            new Setting("swept-clients", "N", "2000", "1200", "the same in the sweep");
    private static final Setting THREADS_SWEPT =
            new Setting("threads", "LIST", "64,256,1024,2048,4096,8192", "256,4096", "the rival's");
    private static final Setting KEEP_ALIVE_SWEPT =
            new Setting(
                    "keep-alive",
                    "LIST",
                    "1,8,32,128",
                    "4,64",
                    "the rival's time-outs, in seconds, before --pace");
    private static final Setting TOMCAT_THREADS =
            new Setting(
                    "tomcat-threads", "N", "200", "maximum of Tandem's workers, and of Tomcat's");
    private static final Setting PATIENCE =
            new Setting("patience", "S", "10", "that of clients, in unscaled seconds");
    private static final Setting RAMP =
            new Setting("ramp", "S", "8", "2", "uncounted time at a measurement's beginning");
    private static final Setting SECS =
            new Setting("secs", "S", "20", "2.5", "counted time of a measurement");
    private static final Setting SWEPT_SECS =
            new Setting("swept-secs", "S", "15", "2.5", "the same in the sweep");
    private static final Setting REPETITIONS =
            new Setting(
                    "repetitions", "N", "3", "1", "how often each is compared; the sweep is once");
    private static final Setting WARM =
            new Setting(
                    "warm", "S", "20", "1.5", "load before, for each site, until warm, at most");

    private static final int THREADS_MAX = 16_384;

    /// Approximate times until a server responds, and until it is calm again.
    private static final double START_SECONDS = 3;

    private static final double CALM_SECONDS = 1;
    private static final int QUICK_SECONDS = 290;

    /// Of three sites; one takes a third.
    private static final int FULL_SECONDS = 9_600;

    static final Experiment EXPERIMENT =
            new Experiment(
                    "specweb",
                    "sweeps and compares on SPECweb2005: a bank, a shop, support",
                    List.of("A page is good if it is complete, in the benchmark's time."),
                    new Experiment.Terms(
                            Processors.after(
                                    List.of(
                                            SITES,
                                            CONTENDERS,
                                            LOADS,
                                            SWEPT_AT,
                                            THREADS_SWEPT,
                                            KEEP_ALIVE_SWEPT,
                                            TOMCAT_THREADS,
                                            PATIENCE,
                                            SpecwebSite.PACE,
                                            SpecwebSite.SESSIONS,
                                            SpecwebSite.ALPHA,
                                            SpecwebSite.MEMORY,
                                            SpecwebSite.DISK,
                                            REPETITIONS,
                                            SECS,
                                            SWEPT_SECS,
                                            RAMP,
                                            WARM)),
                            List.of(Need.descriptors(16_384)),
                            QUICK_SECONDS,
                            FULL_SECONDS),
                    OwnNetwork.of(SpecwebExperiment::run));

    private final Run run;
    private final Bench bench;
    private final SpecwebSite site;
    private final List<Site> sites = new ArrayList<>();
    private final SpecwebServers servers;

    /// The same, with the sweep's counted time.
    private final SpecwebServers swept;

    private final Set<String> warmed = new HashSet<>();

    private SpecwebExperiment(Run run, Bench bench, SpecwebSite site)
            throws LabException, InterruptedException {
        this.run = run;
        this.bench = bench;
        this.site = site;
        Settings settings = run.settings();
        for (String name : settings.words(SITES, List.of("banking", "ecommerce", "support"))) {
            sites.add(Site.valueOf(name.toUpperCase(Locale.ROOT)));
        }
        var timing =
                new AppliedLoad.Timing(
                        settings.decimal(RAMP, 0, 600), settings.decimal(SECS, 0.1, 600));
        double patience = settings.decimal(PATIENCE, 0.1, 600);
        this.servers = SpecwebServers.of(run, bench, site, timing, patience);
        this.swept =
                servers.timing(
                        new AppliedLoad.Timing(
                                timing.rampSeconds(), settings.decimal(SWEPT_SECS, 0.1, 600)));
    }

    private static void run(Run run) throws LabException, InterruptedException {
        try (Bench bench = Bench.open(run, Processors.pinning(run, 1));
                SpecwebSite site = SpecwebSite.open(run, bench)) {
            new SpecwebExperiment(run, bench, site).measure();
        }
    }

    /// A scenario's contender: a server and a site.
    static String name(String server, Site site) {
        return SpecwebServers.name(server, site);
    }

    private void measure() throws LabException, InterruptedException {
        Settings settings = run.settings();
        List<Double> threads = settings.decimals(THREADS_SWEPT, 1, THREADS_MAX);
        List<Double> times = settings.decimals(KEEP_ALIVE_SWEPT, 0.01, 3_600);
        double clients = settings.number(SWEPT_AT, 1, 9_000);
        var scenarios = new ArrayList<Scenario>();
        for (double its : threads) {
            for (double time : times) {
                for (Site of : sites) {
                    Scenario scenario = Scenario.of(name(SWEPT, of), CLIENTS, clients);
                    scenarios.add(scenario.with(THREADS, Math.rint(its)).with(KEEP_ALIVE, time));
                }
            }
        }
        var findings = new SpecwebFindings(sites, site.note());
        Samples sweep =
                repetitions(scenarios, 1, this.swept).measure(this::sweep, findings::ofSweep);
        List<String> names = fill(sweep);
        var compared = new ArrayList<Scenario>();
        for (String server : names) {
            for (Site of : sites) {
                for (double load : settings.decimals(LOADS, 1, 9_000)) {
                    compared.add(Scenario.of(name(server, of), CLIENTS, Math.rint(load)));
                }
            }
        }
        repetitions(compared, settings.number(REPETITIONS, 1, 99), servers)
                .measure(new Compared(), samples -> findings.of(sweep, samples, names));
    }

    /// @param those with the timing of these measurements
    private Repetitions repetitions(
            List<Scenario> scenarios, int repetitions, SpecwebServers those) {
        // A server is started and warmed for each.
        boolean isFresh = those == swept || site.isCaged();
        double warm = isFresh ? run.settings().decimal(WARM, 0, 120) + START_SECONDS : 0;
        double each = those.load().timing().totalSeconds() + warm + CALM_SECONDS;
        double box = run.form() == Form.QUICK ? QUICK_SECONDS : FULL_SECONDS;
        return new Repetitions(run, scenarios, new Repetitions.Plan(repetitions, 0, each, box));
    }

    // ---- The sweep: a server for each configuration, one after the other.

    private Reading sweep(Scenario scenario, int repetition)
            throws LabException, InterruptedException {
        var config =
                Scenario.of(THREADED, THREADS, scenario.at(THREADS))
                        .with(KEEP_ALIVE, scenario.at(KEEP_ALIVE));
        String server = config.toString();
        if (!bench.lineup().names().contains(server)) {
            bench.lineup().names().forEach(bench.lineup()::end);
            add(server, OwnRival.MULTI_THREADED, scenario.at(THREADS), scenario.at(KEEP_ALIVE));
        }
        double clients = scenario.at(CLIENTS);
        swept.warm(server, of(scenario), clients, run.settings().decimal(WARM, 0, 120));
        return swept.measure(server, of(scenario), clients, repetition);
    }

    private void add(String name, Rival rival, double threads, double keepAlive) {
        servers.add(name, rival, RivalSettings.DEFAULT.withThreads((int) threads), keepAlive);
    }

    private Site of(Scenario scenario) {
        return sites.stream()
                .filter(each -> scenario.contender().equals(name(server(scenario), each)))
                .findFirst()
                .orElseThrow();
    }

    private static String server(Scenario scenario) {
        return scenario.contender().substring(0, scenario.contender().indexOf(','));
    }

    // ---- The comparison.

    /// Adds Tandem and Tomcat, and the rival with its best configuration for each site.
    private List<String> fill(Samples sweep) throws LabException, InterruptedException {
        bench.lineup().names().forEach(bench.lineup()::end);
        double threads = run.settings().number(TOMCAT_THREADS, 1, THREADS_MAX);
        var names = new ArrayList<String>();
        var missing = new ArrayList<String>();
        List<String> known = List.of(TANDEM, THREADED, "tomcat", "tomcat-virtual");
        List<String> asked = run.settings().words(CONTENDERS, known);
        for (Rival rival : Rivals.here(asked, run.environment().tools(), missing)) {
            names.add(rival.name());
            if (rival.name().equals(THREADED)) {
                for (Site of : sites) {
                    Scenario best = SpecwebFindings.best(sweep, of);
                    add(name(THREADED, of), rival, best.at(THREADS), best.at(KEEP_ALIVE));
                }
            } else {
                add(rival.name(), rival, threads, RivalSettings.DEFAULT.keepAlive().toSeconds());
            }
        }
        missing.forEach(run::gap);
        return names;
    }

    /// Servers run all the time, and are loaded alternately; if their memory is limited, one of
    /// them runs.
    private final class Compared implements Repetitions.Runner {

        /// Each site once for each server.
        @Override
        public void warm(Scenario scenario) throws LabException, InterruptedException {
            double seconds = run.settings().decimal(WARM, 0, 120);
            if (!site.isCaged() && warmed.add(scenario.contender())) {
                servers.warm(name(scenario), of(scenario), scenario.at(CLIENTS), seconds);
            }
        }

        @Override
        public Reading measure(Scenario scenario, int repetition)
                throws LabException, InterruptedException {
            String server = name(scenario);
            if (site.isCaged() && !bench.lineup().isRunning(server)) {
                bench.lineup().names().forEach(bench.lineup()::end);
                double seconds = run.settings().decimal(WARM, 0, 120);
                servers.warm(server, of(scenario), scenario.at(CLIENTS), seconds);
            }
            return servers.measure(server, of(scenario), scenario.at(CLIENTS), repetition);
        }

        /// Name in the lineup.
        private String name(Scenario scenario) {
            return server(scenario).equals(THREADED) ? scenario.contender() : server(scenario);
        }
    }
}
