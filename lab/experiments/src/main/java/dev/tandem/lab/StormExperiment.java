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

/// A storm of full TLS handshakes, and its effect on the clients with established connections.
final class StormExperiment {
    private static final String STORM = "times capacity";
    private static final String P99 = "p99 ms";
    private static final String P50 = "p50 ms";
    private static final String RATE = "live sessions' requests/s";
    private static final String ERRORS = "live sessions' errors";
    private static final String NEW_CLIENTS = "new clients/s";
    private static final String STARTED = "new clients, of those planned";
    private static final String HANDSHAKES = "new clients' handshakes/s";
    private static final String SERVED = "new clients served/s";
    private static final String WAITED = "new clients' mean wait, ms";
    private static final String SERVER = "server's processors";
    private static final String GENERATOR = "generator's share";
    private static final String LAG = "generator's lag, p99 ms";

    private static final double RATIO_GOAL = 3;

    private static final Setting AGAINST =
            new Setting("against", "NAMES", "nginx,tomcat", "peers to compare with; none for none");
    private static final Setting TIMES =
            new Setting("storm", "N", "3", "new clients, as a multiple of the server's capacity");
    private static final Setting KEY =
            new Setting("key", "KIND", "rsa", "of the certificate: rsa (2,048 bits) or ec (P-256)");
    private static final Setting REPETITIONS =
            new Setting("repetitions", "N", "5", "2", "repetitions");
    private static final Setting SECS =
            new Setting("secs", "SECS", "10", "4", "of each measurement");
    private static final Setting RAMP =
            new Setting("ramp", "SECS", "2", "before each: handshakes, and the storm's beginning");
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
                    "full TLS handshakes at three times the capacity; established clients",
                    List.of(
                            "New clients: a full handshake, one request. Established ones request",
                            "/hello on kept TLS connections. Peers: nginx, and tandem lab rivals"
                                    + " --install yes."),
                    new Experiment.Terms(
                            List.of(AGAINST, TIMES, KEY, REPETITIONS, SECS, RAMP, WARM),
                            List.of(
                                    Need.descriptors(StormClients.NEW_CLIENTS_MAX + 1_000),
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
        Pinning pinning = Pinning.of(run.environment().tools());
        run.facts(Machine.describe(run.environment(), pinning));
        String kind = run.settings().words(KEY, List.of("rsa", "ec")).getFirst();
        try (WorkFolder workFolder = WorkFolder.make();
                OwnProcessor _ = OwnProcessor.of(pinning);
                var lineup = new Lineup(run, workFolder)) {
            Certificate shown =
                    Certificate.make(
                            workFolder.folder(),
                            Certificate.Kind.valueOf(kind.toUpperCase(Locale.ROOT)));
            var experiment = new StormExperiment(run, lineup);
            for (Rival rival : experiment.rivals()) {
                var settings =
                        RivalSettings.DEFAULT
                                .withKeepAlive(Duration.ofMinutes(5))
                                .withCertificate(shown);
                lineup.add(
                        rival.name(),
                        new Lineup.Entry(rival, workFolder.root(), pinning.serverList(), settings));
            }
            experiment.measure();
        }
    }

    private List<Rival> rivals() throws LabException, InterruptedException {
        List<String> known = List.of("nginx", "tomcat", "tomcat-virtual", "none");
        var names = new ArrayList<>(run.settings().words(AGAINST, known));
        names.remove("none");
        names.addFirst(AdmissionServers.TANDEM);
        var missing = new ArrayList<String>();
        List<Rival> here = Rivals.here(names, run.environment().tools(), missing);
        missing.forEach(run::gap);
        return here;
    }

    private void measure() throws LabException, InterruptedException {
        warm();
        var scenarios = new ArrayList<Scenario>();
        for (double times : new double[] {0, storm}) {
            for (String name : names) {
                scenarios.add(Scenario.of(name, STORM, times));
            }
        }
        double box = run.form() == Form.QUICK ? QUICK_SECONDS : FULL_SECONDS;
        int repetitions = run.settings().number(REPETITIONS, 1, 99);
        var plan = new Repetitions.Plan(repetitions, 0, ramp + seconds + BETWEEN_SECONDS, box);
        new Repetitions(run, scenarios, plan)
                .measure((scenario, _) -> measureOnce(scenario), this::findings);
    }

    /// Warms the contenders, one after the other; one that cannot be warmed is left out, and
    /// reported.
    ///
    /// @throws LabException if it is Tandem: then there is nothing to compare
    private void warm() throws LabException, InterruptedException {
        for (String name : lineup.names()) {
            try {
                warm(name);
                names.add(name);
            } catch (LabException e) {
                if (name.equals(AdmissionServers.TANDEM)) {
                    throw e;
                }
                lineup.end(name);
                run.gap(name + ": " + e.line());
            }
        }
    }

    /// Runs both kinds of load, so that the code of both is compiled; then measures the capacity.
    private void warm(String name) throws LabException, InterruptedException {
        var clients = stormClients(lineup.running(name));
        try (LoadRun inside = clients.establishedClients(warm / 2, warm / 2)) {
            clients.capacity(warm);
            inside.await();
            double found = clients.capacity(probe);
            if (!(found > 0)) {
                throw new LabException("no handshake in " + probe + " s");
            }
            capacities.put(name, found);
            run.say(name + " does " + Figures.show(found, 0) + " full handshakes/s");
        } catch (LoadException e) {
            throw new LabException(String.valueOf(e.getMessage()));
        }
    }

    private StormClients stormClients(RunningRival server) {
        return new StormClients(server.tlsPort(), run.seed());
    }

    private Reading measureOnce(Scenario scenario) throws LabException, InterruptedException {
        RunningRival server = lineup.running(scenario.contender());
        double rate =
                scenario.at(STORM) * capacities.getOrDefault(scenario.contender(), Double.NaN);
        StormClients clients = stormClients(server);
        try (LoadRun inside = clients.establishedClients(ramp, seconds)) {
            Thread.sleep(millis(ramp / 2));
            if (rate == 0) {
                return reading(server, inside, null, rate);
            }
            try (LoadRun newClients = clients.newClients(rate, ramp / 2, seconds)) {
                return reading(server, inside, newClients, rate);
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
            LoadReport newClients = storm.await();
            putNewClients(newClients, figures);
            figures.put(STARTED, figures.getOrDefault(NEW_CLIENTS, 0.0) / rate);
        }
        figures.put(SERVER, cpu);
        server.needsLife();
        LoadReport.Generator generator = report.generator();
        double own = generator.userSeconds() + generator.systemSeconds();
        double share = Math.min(1, own / report.seconds());
        figures.put(GENERATOR, share);
        return new Reading(figures, share);
    }

    private static void putNewClients(LoadReport report, Map<String, Double> figures) {
        LoadReport.Connections connections = report.connections();
        figures.put(NEW_CLIENTS, connections.attempted() / report.seconds());
        figures.put(HANDSHAKES, connections.handshakes().full() / report.seconds());
        figures.put(SERVED, report.sessionsPerSecond());
        figures.put(WAITED, connections.connectMillis().average());
    }

    private static long millis(double seconds) {
        return Math.round(seconds * 1e3);
    }

    private Findings findings(Samples samples) {
        var findings =
                new Findings(
                        "A storm of handshakes",
                        "How slow are established clients' requests while new clients ask for full"
                                + " TLS handshakes at "
                                + Figures.show(storm, 1)
                                + " times the server's capacity?");
        for (String name : names) {
            Goal goal = name.equals(AdmissionServers.TANDEM) ? Goal.atMost(RATIO_GOAL) : null;
            findings.headline(
                    new Headline(
                            "p99 of those inside, in the storm to without, " + name,
                            samples.median(Scenario.of(name, STORM, storm), P99)
                                    / samples.median(Scenario.of(name, STORM, 0), P99),
                            "",
                            goal));
        }
        return findings.chart(
                        chart(
                                samples,
                                "Slowest hundredth of established clients' requests",
                                P99,
                                "ms"))
                .chart(chart(samples, "New clients with a response", SERVED, "1/s"))
                .table(
                        "All figures",
                        samples.table(
                                P99,
                                P50,
                                LAG,
                                RATE,
                                ERRORS,
                                NEW_CLIENTS,
                                STARTED,
                                HANDSHAKES,
                                SERVED,
                                WAITED,
                                SERVER,
                                GENERATOR))
                .note(
                        StormClients.ESTABLISHED
                                + " established clients ask for /hello each "
                                + StormClients.THINK.toMillis()
                                + " ms on persistent TLS connections; times are from when a request"
                                + " was due.")
                .note(
                        "New clients handshake in full, ask for /hello once and disconnect, or give"
                                + " up after "
                                + StormClients.NEW_PATIENCE.toSeconds()
                                + " s. Capacity is each server's own: the rate that "
                                + StormClients.PROBE_NEW_CLIENTS
                                + " of them at the same time get.")
                .data("capacities", capacities)
                .data("measurements", samples.asList());
    }

    private Bars chart(Samples samples, String title, String figure, String unit) {
        var series = new ArrayList<Series>();
        for (double times : new double[] {0, storm}) {
            List<Scenario> scenarios =
                    names.stream().map(name -> Scenario.of(name, STORM, times)).toList();
            String name = times == 0 ? "without" : "in the storm";
            series.add(samples.bars(name, figure, scenarios));
        }
        return Bars.of(
                new Caption(title, "Medians of repetitions."),
                names,
                Axis.linear(figure, unit),
                series);
    }
}
