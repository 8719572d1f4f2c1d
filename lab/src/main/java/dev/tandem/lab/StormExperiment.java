package dev.tandem.lab;

import dev.tandem.lab.Headline.Goal;
import dev.tandem.lab.chart.Axis;
import dev.tandem.lab.chart.Bars;
import dev.tandem.lab.chart.Caption;
import dev.tandem.lab.chart.Series;
import dev.tandem.load.Arrivals;
import dev.tandem.load.Call;
import dev.tandem.load.Load;
import dev.tandem.load.LoadException;
import dev.tandem.load.LoadReport;
import dev.tandem.load.LoadRun;
import dev.tandem.load.Patience;
import dev.tandem.load.Repeat;
import java.io.IOException;
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
    private static final String ANSWERED = "newcomers answered/s";
    private static final String WAITED = "newcomers' mean wait, ms";
    private static final String SERVER = "server's processors";

    private static final double RATIO_GOAL = 3;

    private static final Setting AGAINST =
            new Setting("against", "NAMES", "nginx,tomcat", "peers to compare with; none for none");
    private static final Setting TIMES =
            new Setting("storm", "N", "3", "newcomers, as a multiple of what the server can do");
    private static final Setting KEY =
            new Setting("key", "KIND", "rsa", "of the certificate: rsa (2,048 bits) or ec (P-256)");
    private static final Setting ROUNDS = new Setting("rounds", "N", "5", "2", "how often each");
    private static final Setting SECS = new Setting("secs", "SECS", "10", "4", "of each take");
    private static final Setting WARM =
            new Setting("warm", "SECS", "8", "4", "load on each server before");

    private static final int QUICK_SECONDS = 170;
    private static final int FULL_SECONDS = 900;

    /// 50 who ask each 25 ms: 2,000 requests a second, some 5 % of a processor.
    private static final int INSIDERS = 50;

    private static final Duration THINK = Duration.ofMillis(25);

    /// In which insiders shake hands, and then the storm begins.
    private static final double RAMP = 2;

    private static final double STORM_AFTER = 1;
    private static final int PROBE_NEWCOMERS = 32;
    private static final double PROBE_SECONDS = 2;

    /// The most that wait at once: what descriptors allow, and what a backlog and a queue hold.
    private static final int NEWCOMERS_MAX = 8_000;

    private static final double BETWEEN_SECONDS = 1;
    private static final int PERCENT_99 = 99;
    private static final int PERCENT_50 = 50;

    static final Experiment EXPERIMENT =
            new Experiment(
                    "storm",
                    "full TLS handshakes at three times the capacity; those inside",
                    List.of(
                            "Newcomers say a hello, wait for the server's part and leave; insiders"
                                    + " ask for",
                            "/hello on kept TLS connections. Peers: nginx, and tandem lab rivals"
                                    + " --install yes."),
                    new Experiment.Terms(
                            List.of(AGAINST, TIMES, KEY, ROUNDS, SECS, WARM),
                            List.of(Need.descriptors(NEWCOMERS_MAX + 1_000)),
                            QUICK_SECONDS,
                            FULL_SECONDS),
                    StormExperiment::run);

    private final Run run;
    private final Lineup lineup;
    private final double storm;
    private final double seconds;
    private final Map<String, Double> capacities = new LinkedHashMap<>();
    private final List<String> notes = new ArrayList<>();

    private StormExperiment(Run run, Lineup lineup) {
        this.run = run;
        this.lineup = lineup;
        this.storm = run.settings().decimal(TIMES, 0.1, 100);
        this.seconds = run.settings().decimal(SECS, 1, 600);
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
        for (String line : missing) {
            notes.add("Not measured: " + line);
            run.say("not measured: " + line);
        }
        return here;
    }

    private void measure() throws LabException, InterruptedException {
        double warm = run.settings().decimal(WARM, 1, 600);
        for (String name : lineup.names()) {
            warm(name, warm);
        }
        var cells = new ArrayList<Cell>();
        for (double times : new double[] {0, storm}) {
            for (String name : lineup.names()) {
                cells.add(Cell.of(name, STORM, times));
            }
        }
        double box = run.form() == Form.QUICK ? QUICK_SECONDS : FULL_SECONDS;
        int rounds = run.settings().number(ROUNDS, 1, 99);
        var plan = new Rounds.Plan(rounds, 0, RAMP + seconds + BETWEEN_SECONDS, box);
        new Rounds(run, cells, plan).measure((cell, _) -> take(cell), this::findings);
    }

    /// Both kinds of load, so that the code of both is compiled; then what it can do.
    private void warm(String name, double warmSeconds) throws LabException, InterruptedException {
        RunningRival server = lineup.running(name);
        try (LoadRun inside = insiders(server, warmSeconds)) {
            handshakes(server, Math.max(1, warmSeconds - PROBE_SECONDS));
            inside.await();
            double found = handshakes(server, PROBE_SECONDS);
            if (!(found > 0)) {
                throw new LabException(name + " gave no handshake in " + PROBE_SECONDS + " s");
            }
            capacities.put(name, found);
            run.say(name + " does " + Figures.show(found, 0) + " full handshakes/s");
        } catch (LoadException e) {
            throw new LabException(name + ": " + e.getMessage());
        }
    }

    private static double handshakes(RunningRival server, double seconds)
            throws LabException, InterruptedException {
        try (var storm = HelloStorm.closed(server.tlsPort(), PROBE_NEWCOMERS)) {
            var before = storm.counts();
            Thread.sleep(millis(seconds));
            return storm.counts().answeredPerSecond(before);
        } catch (IOException e) {
            throw new LabException("no handshakes: " + e.getMessage());
        }
    }

    private LoadRun insiders(RunningRival server, double time) throws LoadException {
        return Load.of("https://localhost:" + server.tlsPort())
                .withArrivals(Arrivals.closed(INSIDERS))
                .withTime(Duration.ofMillis(millis(time)))
                .withWarmup(Duration.ofMillis(millis(Math.min(RAMP, time / 2))))
                .withDrain(Duration.ZERO)
                .withPatience(Patience.of(Duration.ofSeconds(10)))
                .withSeed(run.seed())
                .start(Repeat.sessions(Call.get("/hello"), 0, THINK));
    }

    private Reading take(Cell cell) throws LabException, InterruptedException {
        RunningRival server = lineup.running(cell.contender());
        double rate = cell.at(STORM) * capacities.getOrDefault(cell.contender(), Double.NaN);
        try (LoadRun inside = insiders(server, RAMP + seconds)) {
            Thread.sleep(millis(STORM_AFTER));
            if (rate == 0) {
                return reading(server, inside, null);
            }
            try (var newcomers = HelloStorm.open(server.tlsPort(), rate, NEWCOMERS_MAX)) {
                return reading(server, inside, newcomers);
            }
        } catch (LoadException e) {
            server.needsLife();
            throw new LabException(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw new LabException("no storm: " + e.getMessage());
        } finally {
            Thread.sleep(millis(BETWEEN_SECONDS));
        }
    }

    private Reading reading(RunningRival server, LoadRun inside, @Nullable HelloStorm storm)
            throws LabException, LoadException, InterruptedException {
        Thread.sleep(millis(RAMP - STORM_AFTER));
        var before = storm == null ? null : storm.counts();
        double cpuBefore = server.cpuSeconds();
        long from = System.nanoTime();
        LoadReport report = inside.await();
        double wall = (System.nanoTime() - from) / 1e9;
        var figures = new LinkedHashMap<String, Double>();
        figures.put(P99, report.corrected().millis(PERCENT_99));
        figures.put(P50, report.corrected().millis(PERCENT_50));
        figures.put(RATE, report.repliesPerSecond());
        figures.put(ERRORS, (double) report.errorCount());
        if (storm != null && before != null) {
            figures.put(NEWCOMERS, storm.counts().begunPerSecond(before));
            figures.put(ANSWERED, storm.counts().answeredPerSecond(before));
            figures.put(WAITED, storm.counts().waitMillis(before));
        }
        figures.put(SERVER, (server.cpuSeconds() - cpuBefore) / wall);
        server.needsLife();
        LoadReport.Generator generator = report.generator();
        double own = generator.userSeconds() + generator.systemSeconds();
        return new Reading(figures, Math.min(1, own / report.seconds()));
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
        for (String name : lineup.names()) {
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
                        samples.table(P99, P50, RATE, ERRORS, NEWCOMERS, ANSWERED, WAITED, SERVER))
                .note(
                        INSIDERS
                                + " visitors inside ask for /hello each "
                                + THINK.toMillis()
                                + " ms on kept TLS connections; times are from when they wanted"
                                + " to ask.")
                .note(
                        "Newcomers leave once they have the server's part of the handshake, or"
                                + " after 2 s without it. Capacity is each server's own.")
                .notes(notes)
                .data("capacities", capacities)
                .data("takes", samples.asList());
    }

    private Bars chart(Samples samples, String title, String figure, String unit) {
        var series = new ArrayList<Series>();
        for (double times : new double[] {0, storm}) {
            List<Cell> cells =
                    lineup.names().stream().map(name -> Cell.of(name, STORM, times)).toList();
            String name = times == 0 ? "without" : "in the storm";
            series.add(samples.bars(name, figure, cells));
        }
        return Bars.of(
                new Caption(title, "Medians of rounds."),
                lineup.names(),
                Axis.linear(figure, unit),
                series);
    }
}
