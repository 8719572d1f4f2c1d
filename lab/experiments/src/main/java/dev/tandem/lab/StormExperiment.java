package dev.tandem.lab;

import dev.tandem.lab.Headline.Goal;
import dev.tandem.lab.chart.Axis;
import dev.tandem.lab.chart.Bars;
import dev.tandem.lab.chart.Caption;
import dev.tandem.lab.chart.Series;
import dev.tandem.load.LoadException;
import dev.tandem.load.LoadReport;
import dev.tandem.load.LoadRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A storm of full TLS handshakes, and what the visitors feel who are inside already.
final class StormExperiment {
    private static final String STORM = "times capacity";
    private static final String P99 = "p99 ms";
    private static final String P50 = "p50 ms";
    private static final String RATE = "requests/s inside";
    private static final String ERRORS = "errors inside";
    private static final String NEWCOMERS = "newcomers/s";
    private static final String CAME = "newcomers, of those that were to come";
    private static final String SHAKEN = "newcomers' handshakes/s";
    private static final String ANSWERED = "newcomers answered/s";
    private static final String WAITED = "newcomers' mean wait, ms";
    private static final String SERVER = "server's processors";
    private static final String GENERATOR = "generator's share";
    private static final String LAG = "generator's lag, p99 ms";

    private static final double RATIO_GOAL = 3;

    private static final Setting AGAINST =
            new Setting("against", "NAMES", "nginx,tomcat", "peers to compare with; none for none");
    private static final Setting TIMES =
            new Setting("storm", "N", "3", "newcomers, as a multiple of what the server can do");
    private static final Setting KEY =
            new Setting("key", "KIND", "rsa", "of the certificate: rsa (2,048 bits) or ec (P-256)");
    private static final Setting ROUNDS = new Setting("rounds", "N", "5", "2", "how often each");
    private static final Setting SECS = new Setting("secs", "SECS", "10", "4", "of each take");
    private static final Setting RAMP =
            new Setting("ramp", "SECS", "2", "before each: insiders shake hands, a storm begins");
    private static final Setting WARM =
            new Setting("warm", "SECS", "8", "4", "load on each server before");

    private static final int QUICK_SECONDS = 170;
    private static final int FULL_SECONDS = 900;

    private static final double PROBE_SECONDS = 2;
    private static final double BETWEEN_SECONDS = 1;
    private static final int PERCENT_99 = 99;
    private static final int PERCENT_50 = 50;

    static final Experiment EXPERIMENT =
            new Experiment(
                    "storm",
                    "full TLS handshakes at three times the capacity; those inside",
                    List.of(
                            "Newcomers shake hands in full, ask once and leave; insiders ask for",
                            "/hello on kept TLS connections. Peers: nginx, and tandem lab rivals"
                                    + " --install yes."),
                    new Experiment.Terms(
                            List.of(AGAINST, TIMES, KEY, ROUNDS, SECS, RAMP, WARM),
                            List.of(
                                    Need.descriptors(StormVisitors.NEWCOMERS_MAX + 1_000),
                                    Need.program("renice", "apt-get install bsdutils")),
                            QUICK_SECONDS,
                            FULL_SECONDS),
                    StormExperiment::run);

    private final Run run;
    private final Lineup lineup;
    private final double storm;
    private final double seconds;
    private final double ramp;
    private final double warm;
    private final double probe;
    private final Map<String, Double> capacities = new LinkedHashMap<>();
    private final List<String> names = new ArrayList<>();

    private StormExperiment(Run run, Lineup lineup) {
        this.run = run;
        this.lineup = lineup;
        this.storm = run.settings().decimal(TIMES, 0.1, 100);
        this.seconds = run.settings().decimal(SECS, 0.1, 600);
        this.ramp = run.settings().decimal(RAMP, 0.1, 60);
        this.warm = run.settings().decimal(WARM, 0.1, 600);
        this.probe = Math.min(PROBE_SECONDS, warm);
    }

    static void run(Run run) throws LabException, InterruptedException {
        Kernel.need();
        Pinning pinning = Pinning.of(run.around().tools());
        run.facts(Machine.describe(run.around(), pinning));
        String kind = run.settings().words(KEY, List.of("rsa", "ec")).getFirst();
        try (Workplace place = Workplace.make();
                OwnProcessor _ = OwnProcessor.of(pinning);
                var lineup = new Lineup(run, place)) {
            Certificate shown =
                    Certificate.make(
                            place.folder(),
                            Certificate.Kind.valueOf(kind.toUpperCase(Locale.ROOT)));
            var experiment = new StormExperiment(run, lineup);
            for (Rival rival : experiment.rivals()) {
                var settings =
                        RivalSettings.DEFAULT
                                .withKeepAlive(Duration.ofMinutes(5))
                                .withCertificate(shown);
                lineup.add(
                        rival.name(),
                        new Lineup.Entry(rival, place.root(), pinning.serverList(), settings));
            }
            experiment.measure();
        }
    }

    private List<Rival> rivals() throws LabException, InterruptedException {
        List<String> known = List.of("nginx", "tomcat", "tomcat-virtual", "none");
        var names = new ArrayList<>(run.settings().words(AGAINST, known));
        names.remove("none");
        names.addFirst(AdmissionStage.TANDEM);
        var missing = new ArrayList<String>();
        List<Rival> here = Rivals.here(names, run.around().tools(), missing);
        missing.forEach(run::gap);
        return here;
    }

    private void measure() throws LabException, InterruptedException {
        warm();
        var cells = new ArrayList<Cell>();
        for (double times : new double[] {0, storm}) {
            for (String name : names) {
                cells.add(Cell.of(name, STORM, times));
            }
        }
        double box = run.form() == Form.QUICK ? QUICK_SECONDS : FULL_SECONDS;
        int rounds = run.settings().number(ROUNDS, 1, 99);
        var plan = new Rounds.Plan(rounds, 0, ramp + seconds + BETWEEN_SECONDS, box);
        new Rounds(run, cells, plan).measure((cell, _) -> take(cell), this::findings);
    }

    /// Warms who takes part, one after the other; one that cannot be is left out, and told of.
    ///
    /// @throws LabException if it is Tandem: then there is nothing to compare
    private void warm() throws LabException, InterruptedException {
        for (String name : lineup.names()) {
            try {
                warm(name);
                names.add(name);
            } catch (LabException e) {
                if (name.equals(AdmissionStage.TANDEM)) {
                    throw e;
                }
                lineup.end(name);
                run.gap(name + ": " + e.line());
            }
        }
    }

    /// Both kinds of load, so that the code of both is compiled; then what it can do.
    private void warm(String name) throws LabException, InterruptedException {
        var visitors = visitors(lineup.running(name));
        try (LoadRun inside = visitors.insiders(warm / 2, warm / 2)) {
            visitors.capacity(warm);
            inside.await();
            double found = visitors.capacity(probe);
            if (!(found > 0)) {
                throw new LabException("no handshake in " + probe + " s");
            }
            capacities.put(name, found);
            run.say(name + " does " + Figures.show(found, 0) + " full handshakes/s");
        } catch (LoadException e) {
            throw new LabException(String.valueOf(e.getMessage()));
        }
    }

    private StormVisitors visitors(RunningRival server) {
        return new StormVisitors(server.tlsPort(), run.seed());
    }

    private Reading take(Cell cell) throws LabException, InterruptedException {
        RunningRival server = lineup.running(cell.contender());
        double rate = cell.at(STORM) * capacities.getOrDefault(cell.contender(), Double.NaN);
        StormVisitors visitors = visitors(server);
        try (LoadRun inside = visitors.insiders(ramp, seconds)) {
            Thread.sleep(millis(ramp / 2));
            if (rate == 0) {
                return reading(server, inside, null, rate);
            }
            try (LoadRun newcomers = visitors.newcomers(rate, ramp / 2, seconds)) {
                return reading(server, inside, newcomers, rate);
            }
        } catch (LoadException e) {
            server.needsLife();
            throw new LabException(String.valueOf(e.getMessage()));
        } finally {
            Thread.sleep(millis(BETWEEN_SECONDS));
        }
    }

    private Reading reading(
            RunningRival server, LoadRun inside, @Nullable LoadRun storm, double rate)
            throws LabException, LoadException, InterruptedException {
        Thread.sleep(millis(ramp / 2));
        double cpuBefore = server.cpuSeconds();
        long from = System.nanoTime();
        LoadReport report = inside.await();
        double wall = (System.nanoTime() - from) / 1e9;
        double cpu = (server.cpuSeconds() - cpuBefore) / wall;
        var figures = new LinkedHashMap<String, Double>();
        figures.put(P99, report.corrected().millis(PERCENT_99));
        figures.put(P50, report.corrected().millis(PERCENT_50));
        figures.put(LAG, report.generator().lagMillis().millis(PERCENT_99));
        figures.put(RATE, report.repliesPerSecond());
        figures.put(ERRORS, (double) report.errorCount());
        if (storm != null) {
            LoadReport newcomers = storm.await();
            putNewcomers(newcomers, figures);
            figures.put(CAME, figures.getOrDefault(NEWCOMERS, 0.0) / rate);
        }
        figures.put(SERVER, cpu);
        server.needsLife();
        LoadReport.Generator generator = report.generator();
        double own = generator.userSeconds() + generator.systemSeconds();
        double share = Math.min(1, own / report.seconds());
        figures.put(GENERATOR, share);
        return new Reading(figures, share);
    }

    private static void putNewcomers(LoadReport report, Map<String, Double> figures) {
        LoadReport.Connections connections = report.connections();
        figures.put(NEWCOMERS, connections.attempted() / report.seconds());
        figures.put(SHAKEN, connections.handshakes().full() / report.seconds());
        figures.put(ANSWERED, report.sessionsPerSecond());
        figures.put(WAITED, connections.connectMillis().average());
    }

    private static long millis(double seconds) {
        return Math.round(seconds * 1e3);
    }

    private Findings findings(Samples samples) {
        var findings =
                new Findings(
                        "A storm of handshakes",
                        "What do visitors feel who are inside, while newcomers ask for full TLS"
                                + " handshakes at "
                                + Figures.show(storm, 1)
                                + " times what the server can do?");
        for (String name : names) {
            Goal goal = name.equals(AdmissionStage.TANDEM) ? Goal.atMost(RATIO_GOAL) : null;
            findings.headline(
                    new Headline(
                            "p99 of those inside, in the storm to without, " + name,
                            samples.median(Cell.of(name, STORM, storm), P99)
                                    / samples.median(Cell.of(name, STORM, 0), P99),
                            "",
                            goal));
        }
        return findings.chart(chart(samples, "Slowest hundredth inside", P99, "ms"))
                .chart(chart(samples, "Newcomers who were answered", ANSWERED, "1/s"))
                .table(
                        "All figures",
                        samples.table(
                                P99, P50, LAG, RATE, ERRORS, NEWCOMERS, CAME, SHAKEN, ANSWERED,
                                WAITED, SERVER, GENERATOR))
                .note(
                        StormVisitors.INSIDERS
                                + " visitors inside ask for /hello each "
                                + StormVisitors.THINK.toMillis()
                                + " ms on kept TLS connections; times are from when they wanted"
                                + " to ask.")
                .note(
                        "Newcomers shake hands in full, ask for /hello once and leave, or give up"
                                + " after "
                                + StormVisitors.NEW_PATIENCE.toSeconds()
                                + " s. Capacity is each server's own: what "
                                + StormVisitors.PROBE_NEWCOMERS
                                + " of them at once get.")
                .data("capacities", capacities)
                .data("takes", samples.asList());
    }

    private Bars chart(Samples samples, String title, String figure, String unit) {
        var series = new ArrayList<Series>();
        for (double times : new double[] {0, storm}) {
            List<Cell> cells = names.stream().map(name -> Cell.of(name, STORM, times)).toList();
            String name = times == 0 ? "without" : "in the storm";
            series.add(samples.bars(name, figure, cells));
        }
        return Bars.of(
                new Caption(title, "Medians of rounds."), names, Axis.linear(figure, unit), series);
    }
}
