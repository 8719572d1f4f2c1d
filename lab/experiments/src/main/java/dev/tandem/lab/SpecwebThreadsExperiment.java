package dev.tandem.lab;

import dev.tandem.lab.Headline.Goal;
import dev.tandem.lab.chart.Axis;
import dev.tandem.lab.chart.Caption;
import dev.tandem.lab.chart.Lines;
import dev.tandem.lab.chart.Series;
import dev.tandem.lab.shops.SpecwebClients.Site;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Threads on SPECweb2005's sites, as figures 4.17 and 4.18 of Beltran's thesis (2008): Tandem with
/// fixed numbers of workers, and the multi-threaded rival with threads for all clients.
final class SpecwebThreadsExperiment {
    /// Tandem with a fixed number of workers.
    private static final String WORKERS = "workers";

    /// Tandem as it is.
    private static final String USUAL = "tandem by clients";

    /// The rival, with threads in proportion to the clients.
    private static final String GROWN = "grown";

    private static final String THREADS = SpecwebExperiment.THREADS;
    private static final String CLIENTS = SpecwebExperiment.CLIENTS;

    /// SPECweb's clients have two connections.
    private static final int THREADS_A_CLIENT = 2;

    private static final double FLAT_GOAL = 0.95;

    private static final Setting SITES =
            new Setting("sites", "NAMES", "banking,ecommerce,support", "sites");
    private static final Setting SWEPT =
            new Setting(
                    "workers", "LIST", "16,64,256,1024,2048", "16,256,2048", "Tandem's workers");
    private static final Setting SWEPT_AT =
            new Setting("swept-clients", "N", "2000", "1200", "clients in the sweep");
    private static final Setting LOADS =
            new Setting(
                    "clients",
                    "LIST",
                    "250,500,1000,1500,2000,3000",
                    "400,1200",
                    "concurrent clients");
    private static final Setting KEEP_ALIVE =
            new Setting("keep-alive", "S", "64", "the rival's time-out, in seconds, before --pace");
    private static final Setting PATIENCE =
            new Setting("patience", "S", "10", "that of clients, in unscaled seconds");
    private static final Setting RAMP =
            new Setting("ramp", "S", "8", "2", "uncounted time at a measurement's beginning");
    private static final Setting SECS =
            new Setting("secs", "S", "20", "2.5", "counted time of a measurement");
    private static final Setting WARM =
            new Setting(
                    "warm", "S", "20", "1.5", "load before, for each site, until warm, at most");
    private static final Setting REPETITIONS =
            new Setting("repetitions", "N", "3", "1", "how often each is measured");

    /// Approximate time until a server responds, and until it is calm again.
    private static final double START_SECONDS = 4;

    private static final int CLIENTS_MAX = 9_000;
    private static final int QUICK_SECONDS = 170;

    /// Of three sites; one takes a third.
    private static final int FULL_SECONDS = 6_900;

    static final Experiment EXPERIMENT =
            new Experiment(
                    "specweb-threads",
                    "Tandem's workers, and threads for all clients, on SPECweb2005",
                    List.of("A page is good if it is complete, in the benchmark's time."),
                    new Experiment.Terms(
                            Processors.after(
                                    List.of(
                                            SITES,
                                            SWEPT,
                                            SWEPT_AT,
                                            LOADS,
                                            KEEP_ALIVE,
                                            PATIENCE,
                                            SpecwebSite.PACE,
                                            SpecwebSite.SESSIONS,
                                            SpecwebSite.ALPHA,
                                            SpecwebSite.MEMORY,
                                            SpecwebSite.DISK,
                                            REPETITIONS,
                                            SECS,
                                            RAMP,
                                            WARM)),
                            List.of(Need.descriptors(16_384)),
                            QUICK_SECONDS,
                            FULL_SECONDS),
                    OwnNetwork.of(SpecwebThreadsExperiment::run));

    private final Run run;
    private final SpecwebServers servers;
    private final List<Site> sites = new ArrayList<>();

    private SpecwebThreadsExperiment(Run run, SpecwebServers servers) {
        this.run = run;
        this.servers = servers;
        List<String> known = List.of("banking", "ecommerce", "support");
        for (String name : run.settings().words(SITES, known)) {
            sites.add(Site.valueOf(name.toUpperCase(Locale.ROOT)));
        }
    }

    private static void run(Run run) throws LabException, InterruptedException {
        Settings settings = run.settings();
        var timing =
                new AppliedLoad.Timing(
                        settings.decimal(RAMP, 0, 600), settings.decimal(SECS, 0.1, 600));
        double patience = settings.decimal(PATIENCE, 0.1, 600);
        try (Bench bench = Bench.open(run, Processors.pinning(run, 1));
                SpecwebSite site = SpecwebSite.open(run, bench)) {
            var servers = SpecwebServers.of(run, bench, site, timing, patience);
            new SpecwebThreadsExperiment(run, servers).measure();
        }
    }

    private void measure() throws LabException, InterruptedException {
        List<Scenario> scenarios = scenarios(run.settings(), sites);
        double warm = run.settings().decimal(WARM, 0, 120);
        double each = servers.load().timing().totalSeconds() + warm + START_SECONDS;
        int repetitions = run.settings().number(REPETITIONS, 1, 99);
        double box = run.form() == Form.QUICK ? QUICK_SECONDS : FULL_SECONDS;
        new Repetitions(run, scenarios, new Repetitions.Plan(repetitions, 0, each, box))
                .measure(
                        (scenario, repetition) -> measure(scenario, repetition, warm),
                        this::findings);
    }

    /// Sites of one server directly after each other.
    static List<Scenario> scenarios(Settings settings, List<Site> sites) {
        double clients = settings.number(SWEPT_AT, 1, CLIENTS_MAX);
        var scenarios = new ArrayList<Scenario>();
        for (double workers : settings.decimals(SWEPT, 1, 65_536)) {
            for (Site site : sites) {
                scenarios.add(
                        Scenario.of(SpecwebServers.name(WORKERS, site), THREADS, Math.rint(workers))
                                .with(CLIENTS, clients));
            }
        }
        for (double load : settings.decimals(LOADS, 1, CLIENTS_MAX)) {
            double its = Math.rint(load);
            for (String contender : List.of(GROWN, USUAL)) {
                for (Site site : sites) {
                    scenarios.add(Scenario.of(SpecwebServers.name(contender, site), CLIENTS, its));
                }
            }
        }
        return scenarios;
    }

    /// One server runs at a time: thousands of threads of another would disturb it.
    private Reading measure(Scenario scenario, int repetition, double warm)
            throws LabException, InterruptedException {
        String kind = scenario.contender().substring(0, scenario.contender().indexOf(','));
        double clients = scenario.at(CLIENTS);
        String server =
                switch (kind) {
                    case WORKERS -> kind + " " + (int) scenario.at(THREADS);
                    case GROWN -> kind + " for " + (int) clients;
                    default -> kind;
                };
        Lineup lineup = servers.bench().lineup();
        if (!lineup.names().contains(server)) {
            add(server, kind, scenario);
        }
        lineup.names().stream().filter(name -> !name.equals(server)).forEach(lineup::end);
        Site site = site(scenario);
        servers.warm(server, site, clients, warm);
        return servers.measure(server, site, clients, repetition);
    }

    private void add(String server, String kind, Scenario scenario) {
        double keepAlive = run.settings().decimal(KEEP_ALIVE, 0.01, 3_600);
        RivalSettings settings = RivalSettings.DEFAULT;
        switch (kind) {
            case WORKERS ->
                    servers.add(
                            server,
                            OwnRival.TANDEM,
                            settings.withThreads((int) scenario.at(THREADS)).withFixed(true),
                            keepAlive);
            case GROWN ->
                    servers.add(
                            server,
                            OwnRival.MULTI_THREADED,
                            settings.withThreads(THREADS_A_CLIENT * (int) scenario.at(CLIENTS)),
                            keepAlive);
            default -> servers.add(server, OwnRival.TANDEM, settings, keepAlive);
        }
    }

    private Site site(Scenario scenario) {
        return sites.stream()
                .filter(
                        site ->
                                scenario.contender()
                                        .endsWith(", " + site.name().toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow();
    }

    private Findings findings(Samples samples) {
        var findings =
                new Findings(
                        "Threads on three sites",
                        "Does a number of threads have to be chosen? Tandem with fixed numbers of"
                            + " workers, and the multi-threaded rival with two threads for each"
                            + " client. A page counts if it is complete, in the benchmark's time.");
        for (Site site : sites) {
            String of = site.name().toLowerCase(Locale.ROOT);
            findings.headline(flat(samples, site));
            findings.chart(
                    Lines.of(
                            new Caption(
                                    "Good pages by workers: " + of,
                                    "A flat line: there is nothing to tune."),
                            Axis.log("workers", ""),
                            Axis.linear("good pages", "1/s"),
                            List.of(line(samples, WORKERS, site, THREADS))));
            findings.chart(
                    Lines.of(
                            new Caption(
                                    "Good pages, threads grown with clients: " + of,
                                    "The rival has two threads for each client."),
                            Axis.linear("clients", ""),
                            Axis.linear("good pages", "1/s"),
                            List.of(
                                    line(samples, USUAL, site, CLIENTS),
                                    line(samples, GROWN, site, CLIENTS))));
        }
        return findings.table(
                        "All figures",
                        samples.table(
                                SpecwebLoad.PAGES,
                                SpecwebLoad.GOOD,
                                AppliedLoad.REPLIES,
                                AppliedLoad.RESPONSE,
                                AppliedLoad.REJECTED,
                                AppliedLoad.TIME_OUTS,
                                AppliedLoad.SERVER,
                                AppliedLoad.GENERATOR))
                .note(servers.site().note())
                .data("measurements", samples.asList());
    }

    private static Series line(Samples samples, String contender, Site site, String parameter) {
        return samples.line(SpecwebServers.name(contender, site), parameter, SpecwebLoad.PAGES);
    }

    private static Headline flat(Samples samples, Site site) {
        String contender = SpecwebServers.name(WORKERS, site);
        double[] medians =
                samples.scenarios().stream()
                        .filter(scenario -> scenario.contender().equals(contender))
                        .mapToDouble(scenario -> samples.median(scenario, SpecwebLoad.PAGES))
                        .toArray();
        var figures = new Figures(medians);
        return new Headline(
                "least good pages over the numbers of workers, of the most, "
                        + site.name().toLowerCase(Locale.ROOT),
                figures.min() / figures.max(),
                "",
                Goal.atLeast(FLAT_GOAL));
    }
}
