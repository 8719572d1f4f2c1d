package dev.tandem.lab;

import dev.tandem.lab.Headline.Goal;
import dev.tandem.lab.chart.Axis;
import dev.tandem.lab.chart.Bars;
import dev.tandem.lab.chart.Caption;
import dev.tandem.lab.chart.Chart;
import dev.tandem.lab.chart.Lines;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/// WebSocket sessions, compared with other servers for the JVM: echoes of short texts, and texts
/// that each go to all members of a group, whose clients are silent.
final class LiveExperiment {
    private static final String TANDEM = "tandem";
    private static final String NETTY = "netty";
    private static final String TOMCAT = "tomcat";
    private static final List<String> RIVALS =
            List.of(TANDEM, NETTY, TOMCAT, "jetty", "undertow", "helidon");
    private static final String ECHO = "echo";
    private static final String BROADCAST = "broadcast";
    private static final String ECHOES = ", echo";

    /// Texts a second of each group: the swept parameter.
    static final String RATE = "texts/s";

    static final String CPU = "CPU µs/text";
    private static final String TEXTS = "received texts/s";
    private static final String SHARE = "received share";
    private static final String P50 = "p50 ms";
    private static final String P99 = "p99 ms";
    private static final String SERVER = "server's processors";
    private static final String GENERATOR = "generator's share";
    private static final String MEMORY = "RAM MB";

    private static final Setting CONTENDERS =
            new Setting("servers", "NAMES", String.join(",", RIVALS), "what is compared");
    private static final Setting TESTS =
            new Setting("tests", "NAMES", ECHO + "," + BROADCAST, "echo, broadcast or both");
    private static final Setting CONNECTIONS =
            new Setting("connections", "N", "64", "sessions that echo");
    private static final Setting SUBSCRIBERS =
            new Setting("subscribers", "N", "10000", "1000", "members of all groups");
    private static final Setting GROUPS = new Setting("groups", "N", "10", "number of groups");
    private static final Setting RATES =
            new Setting("rates", "LIST", "5,20,100", "5,100", "texts a second of each group");
    private static final Setting REPETITIONS =
            new Setting("repetitions", "N", "5", "2", "how often each is measured, alternately");
    private static final Setting SECS =
            new Setting("secs", "S", "3", "2", "duration of each measurement, in seconds");
    private static final Setting WARM =
            new Setting("warm", "S", "6", "3", "load before the first one, in seconds");

    private static final int QUICK_SECONDS = 170;
    private static final int FULL_SECONDS = 900;

    /// Time for opening sessions and for what is not counted, in seconds.
    private static final double ASIDE_SECONDS = 3;

    private static final double RAMP_SECONDS = 0.5;
    private static final double WARM_RATE = 20;
    private static final double NETTY_SHARE = 1;
    private static final double TOMCAT_SHARE = 0.5;
    private static final double BROADCAST_SHARE = 0.7;

    /// Longer than any measurement: silent clients stay.
    private static final Duration KEEP_ALIVE = Duration.ofHours(1);

    static final Experiment EXPERIMENT =
            new Experiment(
                    "live",
                    "compares WebSocket sessions: echoes, and broadcasts to many",
                    List.of(
                            "Needs the rivals: tandem lab rivals --install yes. Servers:",
                            String.join(",", RIVALS) + "."),
                    new Experiment.Terms(
                            List.of(
                                    CONTENDERS,
                                    TESTS,
                                    CONNECTIONS,
                                    SUBSCRIBERS,
                                    GROUPS,
                                    RATES,
                                    REPETITIONS,
                                    SECS,
                                    WARM),
                            List.of(Need.descriptors(4_096)),
                            QUICK_SECONDS,
                            FULL_SECONDS),
                    LiveExperiment::run);

    private final Run run;
    private final Lineup lineup;
    private final List<String> names = new ArrayList<>();
    private final int connections;
    private final int subscribers;
    private final int groups;
    private final double seconds;

    private LiveExperiment(Run run, Lineup lineup) throws LabException {
        Settings settings = run.settings();
        this.run = run;
        this.lineup = lineup;
        this.connections = settings.number(CONNECTIONS, 1, 10_000);
        this.groups = settings.number(GROUPS, 1, 1_000);
        int wanted = settings.number(SUBSCRIBERS, groups, 1_000_000);
        this.subscribers =
                IdleConnections.possible(wanted, Kernel.descriptorsMax()) / groups * groups;
        this.seconds = settings.decimal(SECS, 0.1, 600);
    }

    static void run(Run run) throws LabException, InterruptedException {
        List<String> chosen = run.settings().words(CONTENDERS, RIVALS);
        List<String> tests = run.settings().words(TESTS, List.of(ECHO, BROADCAST));
        List<Double> rates = run.settings().decimals(RATES, 0.1, 10_000);
        try (Bench bench = Bench.open(run)) {
            var experiment = new LiveExperiment(run, bench.lineup());
            experiment.fill(bench, chosen);
            experiment.measure(tests, rates);
        }
    }

    private void fill(Bench bench, List<String> chosen) throws LabException, InterruptedException {
        RivalSettings settings = RivalSettings.DEFAULT.withKeepAlive(KEEP_ALIVE);
        BuiltRivals built = BuiltRivals.ofProcess();
        for (String name : chosen) {
            Rival rival = name.equals(NETTY) ? JavaRival.netty(built) : Rivals.named(name);
            try {
                rival.version(run.environment().tools());
            } catch (LabException e) {
                run.gap(name + ": " + e.line());
                continue;
            }
            lineup.add(
                    name,
                    new Lineup.Entry(
                            rival,
                            bench.workFolder().root(),
                            bench.pinning().serverList(),
                            settings));
            lineup.same(name + ECHOES, name);
            names.add(name);
        }
    }

    private void measure(List<String> tests, List<Double> rates)
            throws LabException, InterruptedException {
        var scenarios = new ArrayList<Scenario>();
        if (tests.contains(ECHO)) {
            names.forEach(name -> scenarios.add(Scenario.of(name + ECHOES)));
        }
        if (tests.contains(BROADCAST)) {
            for (double rate : rates) {
                names.forEach(name -> scenarios.add(Scenario.of(name, RATE, rate)));
            }
        }
        double warm = run.settings().decimal(WARM, 0, 600);
        var plan =
                new Repetitions.Plan(
                        run.settings().number(REPETITIONS, 1, 99),
                        warm,
                        seconds + ASIDE_SECONDS,
                        run.form() == Form.QUICK ? QUICK_SECONDS : FULL_SECONDS);
        new Repetitions(run, scenarios, plan).measure(new Runner(warm), this::findings);
    }

    private final class Runner implements Repetitions.Runner {
        private final double warmSeconds;

        /// Each server is warmed once for each kind of load.
        private final List<String> warm = new ArrayList<>();

        Runner(double warmSeconds) {
            this.warmSeconds = warmSeconds;
        }

        @Override
        public void warm(Scenario scenario) throws LabException, InterruptedException {
            RunningRival server = lineup.running(scenario.contender());
            if (warm.contains(scenario.contender()) || warmSeconds == 0) {
                return;
            }
            warm.add(scenario.contender());
            try (var clients = new LiveClients()) {
                if (isEcho(scenario)) {
                    openEchoing(clients, server.port());
                    clients.echo(warmSeconds);
                } else {
                    openMembers(clients, server.port(), Math.min(subscribers, 100 * groups));
                    clients.broadcast(groups, WARM_RATE, warmSeconds);
                }
            } catch (IOException e) {
                throw new LabException(scenario + ": " + e.getMessage());
            }
        }

        @Override
        public Reading measure(Scenario scenario, int repetition)
                throws LabException, InterruptedException {
            lineup.calm(scenario.contender());
            RunningRival server = lineup.running(scenario.contender());
            try (var clients = new LiveClients()) {
                if (isEcho(scenario)) {
                    openEchoing(clients, server.port());
                    clients.echo(RAMP_SECONDS);
                    return counted(server, () -> clients.echo(seconds), 0);
                }
                openMembers(clients, server.port(), subscribers);
                clients.broadcast(groups, scenario.at(RATE), RAMP_SECONDS);
                return counted(
                        server,
                        () -> clients.broadcast(groups, scenario.at(RATE), seconds),
                        subscribers / groups);
            } catch (IOException e) {
                throw new LabException("a session failed: " + e.getMessage());
            }
        }
    }

    private static boolean isEcho(Scenario scenario) {
        return scenario.contender().endsWith(ECHOES);
    }

    private void openEchoing(LiveClients clients, int port) throws IOException {
        while (clients.count() < connections) {
            clients.open(port, "/ws");
        }
    }

    /// The members of a group are not next to each other.
    private void openMembers(LiveClients clients, int port, int count) throws IOException {
        while (clients.count() < count) {
            clients.open(port, "/live/" + clients.count() % groups);
        }
    }

    @FunctionalInterface
    private interface Load {
        LiveClients.Result run() throws IOException;
    }

    /// @param members of a group; 0 for echoes
    private static Reading counted(RunningRival server, Load load, int members)
            throws LabException, IOException {
        double cpu = server.cpuSeconds();
        long own = Kernel.ownCpuTicks();
        LiveClients.Result result = load.run();
        double used = server.cpuSeconds() - cpu;
        double generator =
                (Kernel.ownCpuTicks() - own) / Kernel.TICKS_PER_SECOND / result.seconds();
        var figures = new LinkedHashMap<String, Double>();
        figures.put(CPU, 1e6 * used / result.received());
        figures.put(TEXTS, result.received() / result.seconds());
        if (members > 0) {
            figures.put(SHARE, (double) result.received() / (result.sent() * members));
        }
        figures.put(P50, result.times().millis(50));
        figures.put(P99, result.times().millis(99));
        figures.put(SERVER, used / result.seconds());
        figures.put(GENERATOR, generator);
        figures.put(MEMORY, server.residentBytes() / 1e6);
        return new Reading(figures, Double.NaN);
    }

    // ---- The report.

    Findings findings(Samples samples) {
        var findings =
                new Findings(
                        "WebSocket sessions",
                        "What does a text cost that is sent back, or that goes to all members of"
                                + " a group? One processor for the server, one for the clients.");
        findings.headline(headlines(samples));
        List<Scenario> echoes =
                samples.scenarios().stream().filter(LiveExperiment::isEcho).toList();
        if (!echoes.isEmpty()) {
            findings.chart(echoChart(samples, echoes));
        }
        if (names.stream().anyMatch(name -> !samples.values(name, RATE).isEmpty())) {
            findings.chart(
                    byRate(
                            samples,
                            new Caption(
                                    "CPU of a broadcast",
                                    "CPU of the server for each text that a client received."),
                            Axis.linear("CPU", "µs"),
                            CPU));
            findings.chart(
                    byRate(
                            samples,
                            new Caption(
                                    "Time of a broadcast",
                                    "From sending to each client's receipt; the slowest of a"
                                            + " hundred."),
                            Axis.log("p99", "ms"),
                            P99));
        }
        return findings.table(
                        "All figures",
                        samples.table(CPU, TEXTS, SHARE, P50, P99, SERVER, GENERATOR, MEMORY))
                .note(
                        connections
                                + " sessions echo texts of 64 bytes, one at a time each. "
                                + Figures.show(subscribers, 0)
                                + " members are in "
                                + groups
                                + " groups; one of each group sends, all get the text.")
                .note(
                        "Where fewer texts were received than sent, the server, or the clients'"
                                + " thread, could not keep up: then several go in one call.")
                .data("measurements", samples.asList());
    }

    private List<Headline> headlines(Samples samples) {
        var lines = new ArrayList<Headline>();
        echoLine(lines, samples, NETTY, NETTY_SHARE);
        echoLine(lines, samples, TOMCAT, TOMCAT_SHARE);
        for (double rate : samples.values(TANDEM, RATE)) {
            double best = Double.NaN;
            for (String name : names) {
                double cpu = samples.median(Scenario.of(name, RATE, rate), CPU);
                boolean isBest = !name.equals(TANDEM) && !(cpu >= best) && !Double.isNaN(cpu);
                best = isBest ? cpu : best;
            }
            lines.add(
                    new Headline(
                            "CPU of a broadcast, share of the best rival's, at "
                                    + Figures.show(rate, 0)
                                    + " texts/s",
                            samples.median(Scenario.of(TANDEM, RATE, rate), CPU) / best,
                            "",
                            Goal.atMost(BROADCAST_SHARE)));
        }
        return lines;
    }

    private void echoLine(List<Headline> lines, Samples samples, String rival, double most) {
        if (names.contains(rival) && names.contains(TANDEM)) {
            lines.add(
                    new Headline(
                            "CPU of an echo, share of " + rival + "'s",
                            samples.median(Scenario.of(TANDEM + ECHOES), CPU)
                                    / samples.median(Scenario.of(rival + ECHOES), CPU),
                            "",
                            Goal.atMost(most)));
        }
    }

    private static Chart echoChart(Samples samples, List<Scenario> echoes) {
        return Bars.of(
                new Caption("CPU of an echo", "CPU of the server for each text; lower is better."),
                echoes.stream().map(s -> s.contender().replace(ECHOES, "")).toList(),
                Axis.linear("CPU", "µs"),
                List.of(samples.bars("CPU", CPU, echoes)));
    }

    private Chart byRate(Samples samples, Caption caption, Axis axis, String figure) {
        return Lines.of(
                caption,
                Axis.log("texts of each group", "1/s"),
                axis,
                names.stream().map(name -> samples.line(name, RATE, figure)).toList());
    }
}
