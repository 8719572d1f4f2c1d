package dev.tandem.lab;

import dev.tandem.lab.Certificate.Kind;
import dev.tandem.lab.shops.SpecwebVisitors.Site;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// SPECweb2005's three workloads as chapter 4.3 of Beltran's thesis (2008), figures 4.14 to 4.19,
/// has them: the multi-threaded rival over threads and keep-alive time-outs, then the best of
/// those against Tandem and Tomcat by the number of visitors.
final class SpecwebExperiment {
    static final String TANDEM = "tandem";
    static final String THREADED = "multi-threaded";
    static final String SWEPT = "swept";

    // Parameters of cells.
    static final String CLIENTS = "clients";
    static final String THREADS = "threads";
    static final String KEEP_ALIVE = "keep-alive s";

    private static final Setting SITES =
            new Setting("sites", "NAMES", "banking,ecommerce,support", "which of the three");
    private static final Setting CONTENDERS =
            new Setting(
                    "contenders",
                    "NAMES",
                    "tandem,multi-threaded,tomcat,tomcat-virtual",
                    "who takes part where it is installed");
    private static final Setting LOADS =
            new Setting(
                    "clients", "LIST", "250,500,1000,1500,2000", "400,1200", "visitors at once");
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
            new Setting("tomcat-threads", "N", "200", "Tandem's workers at most, and Tomcat's");
    private static final Setting PATIENCE =
            new Setting("patience", "S", "10", "that of visitors, in seconds as they are");
    private static final Setting RAMP =
            new Setting("ramp", "S", "20", "2", "what is not counted of a take's beginning");
    private static final Setting SECS =
            new Setting("secs", "S", "30", "2.5", "what is counted of a take");
    private static final Setting WARM =
            new Setting("warm", "S", "10", "1.5", "how long a server is warmed for each site");

    private static final int THREADS_MAX = 16_384;
    private static final int QUICK_SECONDS = 290;
    private static final int FULL_SECONDS = 9_000;

    static final Experiment EXPERIMENT =
            new Experiment(
                    "specweb",
                    "sweeps and compares on SPECweb2005: a bank, a shop, support",
                    List.of("A page is good if it came whole, in the benchmark's time."),
                    new Experiment.Terms(
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
                                    SECS,
                                    RAMP,
                                    WARM),
                            List.of(Need.descriptors(16_384)),
                            QUICK_SECONDS,
                            FULL_SECONDS),
                    SpecwebExperiment::run);

    private final Run run;
    private final Bench bench;
    private final SpecwebSite site;
    private final List<Site> sites = new ArrayList<>();
    private final SpecwebPlay play;
    private final Certificate certificate;
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
        var lasting =
                new Play.Lasting(settings.decimal(RAMP, 0, 600), settings.decimal(SECS, 0.1, 600));
        long patience = Math.round(settings.decimal(PATIENCE, 0.1, 600) * 1e9);
        this.play = new SpecwebPlay(site, lasting, Duration.ofNanos(patience));
        this.certificate = Certificate.make(bench.place().folder(), Kind.RSA);
    }

    private static void run(Run run) throws LabException, InterruptedException {
        try (Bench bench = Bench.open(run);
                SpecwebSite site = SpecwebSite.open(run, bench)) {
            new SpecwebExperiment(run, bench, site).measure();
        }
    }

    /// A cell's contender: a server and a site.
    static String name(String server, Site site) {
        return server + ", " + site.name().toLowerCase(Locale.ROOT);
    }

    private void measure() throws LabException, InterruptedException {
        Settings settings = run.settings();
        List<Double> threads = settings.decimals(THREADS_SWEPT, 1, THREADS_MAX);
        List<Double> times = settings.decimals(KEEP_ALIVE_SWEPT, 0.01, 3_600);
        double clients = settings.number(SWEPT_AT, 1, 9_000);
        var swept = new ArrayList<Cell>();
        for (double its : threads) {
            for (double time : times) {
                for (Site of : sites) {
                    Cell cell = Cell.of(name(SWEPT, of), CLIENTS, clients);
                    swept.add(cell.with(THREADS, Math.rint(its)).with(KEEP_ALIVE, time));
                }
            }
        }
        var findings = new SpecwebFindings(sites, site.note());
        Samples sweep = rounds(swept).measure(this::sweep, findings::ofSweep);
        List<String> names = fill(sweep);
        var cells = new ArrayList<Cell>();
        for (String server : names) {
            for (Site of : sites) {
                for (double load : settings.decimals(LOADS, 1, 9_000)) {
                    cells.add(Cell.of(name(server, of), CLIENTS, Math.rint(load)));
                }
            }
        }
        rounds(cells).measure(new Compared(), samples -> findings.of(sweep, samples, names));
    }

    private Rounds rounds(List<Cell> cells) {
        double each = play.lasting().inAll() + run.settings().decimal(WARM, 0, 120) + 1;
        double box = run.form() == Form.QUICK ? QUICK_SECONDS : FULL_SECONDS;
        return new Rounds(run, cells, new Rounds.Plan(1, 0, each, box));
    }

    // ---- The sweep: a server for each configuration, one after the other.

    private Reading sweep(Cell cell, int round) throws LabException, InterruptedException {
        var config =
                Cell.of(THREADED, THREADS, cell.at(THREADS)).with(KEEP_ALIVE, cell.at(KEEP_ALIVE));
        String server = config.toString();
        if (!bench.lineup().names().contains(server)) {
            bench.lineup().names().forEach(bench.lineup()::end);
            add(server, OwnRival.MULTI_THREADED, cell.at(THREADS), cell.at(KEEP_ALIVE));
        }
        double seconds = run.settings().decimal(WARM, 0, 120);
        if (seconds > 0) {
            warm(server, cell, seconds);
        }
        return take(server, cell, round);
    }

    private void add(String name, Rival rival, double threads, double keepAlive) {
        RivalSettings settings =
                RivalSettings.DEFAULT
                        .withThreads((int) threads)
                        .withKeepAlive(site.faster(keepAlive))
                        .withCertificate(certificate);
        bench.lineup().add(name, site.entry(rival, settings, bench.pinning().serverList()));
    }

    private void warm(String server, Cell cell, double seconds)
            throws LabException, InterruptedException {
        RunningRival running = bench.lineup().running(server);
        new SpecwebPlay(site, new Play.Lasting(0, seconds), play.patience())
                .take(running, of(cell), (int) cell.at(CLIENTS), run.seed());
        bench.lineup().calm(server);
    }

    private Reading take(String server, Cell cell, int round)
            throws LabException, InterruptedException {
        RunningRival running = bench.lineup().running(server);
        Reading reading = play.take(running, of(cell), (int) cell.at(CLIENTS), run.seed() + round);
        bench.lineup().calm(server);
        return reading;
    }

    private Site of(Cell cell) {
        return sites.stream()
                .filter(each -> cell.contender().equals(name(server(cell), each)))
                .findFirst()
                .orElseThrow();
    }

    private static String server(Cell cell) {
        return cell.contender().substring(0, cell.contender().indexOf(','));
    }

    // ---- The comparison.

    /// Tandem and Tomcat, and the rival as it was best for each site.
    private List<String> fill(Samples sweep) throws LabException, InterruptedException {
        bench.lineup().names().forEach(bench.lineup()::end);
        double threads = run.settings().number(TOMCAT_THREADS, 1, THREADS_MAX);
        var names = new ArrayList<String>();
        var missing = new ArrayList<String>();
        List<String> known = List.of(TANDEM, THREADED, "tomcat", "tomcat-virtual");
        List<String> asked = run.settings().words(CONTENDERS, known);
        for (Rival rival : Rivals.here(asked, run.around().tools(), missing)) {
            names.add(rival.name());
            if (rival.name().equals(THREADED)) {
                for (Site of : sites) {
                    Cell best = SpecwebFindings.best(sweep, of);
                    add(name(THREADED, of), rival, best.at(THREADS), best.at(KEEP_ALIVE));
                }
            } else {
                add(rival.name(), rival, threads, RivalSettings.DEFAULT.keepAlive().toSeconds());
            }
        }
        missing.forEach(run::gap);
        return names;
    }

    /// Servers run all the while, and are loaded in turns.
    private final class Compared implements Rounds.Turn {

        /// Each site once for each server.
        @Override
        public void warm(Cell cell) throws LabException, InterruptedException {
            double seconds = run.settings().decimal(WARM, 0, 120);
            if (warmed.add(cell.contender()) && seconds > 0) {
                SpecwebExperiment.this.warm(name(cell), cell, seconds);
            }
        }

        @Override
        public Reading take(Cell cell, int round) throws LabException, InterruptedException {
            return SpecwebExperiment.this.take(name(cell), cell, round);
        }

        /// In the lineup.
        private String name(Cell cell) {
            return server(cell).equals(THREADED) ? cell.contender() : server(cell);
        }
    }
}
