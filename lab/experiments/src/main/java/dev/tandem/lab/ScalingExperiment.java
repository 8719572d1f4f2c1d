package dev.tandem.lab;

import dev.tandem.lab.chart.Axis;
import dev.tandem.lab.chart.Bars;
import dev.tandem.lab.chart.Caption;
import dev.tandem.lab.chart.Chart;
import dev.tandem.lab.chart.Point;
import dev.tandem.lab.chart.Series;
import dev.tandem.load.Arrivals;
import dev.tandem.load.Call;
import dev.tandem.load.Client;
import dev.tandem.load.Load;
import dev.tandem.load.LoadException;
import dev.tandem.load.LoadReport;
import dev.tandem.load.Repeat;
import dev.tandem.load.Tls;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Throughput and response times by the number of the server's processors, with the load generator
/// on others. A server that scales does twice as much on twice as many, as long as the load's
/// processors are not the limit: their use is in the table.
final class ScalingExperiment {
    private static final Setting TESTS =
            new Setting(
                    "tests",
                    "NAMES",
                    "hello,static1k,db,servlet,tls-full,tls-resumed",
                    "trials of `lab run speed`, and these");
    private static final Setting PROCESSORS =
            new Setting("processors", "N,N", "1,2,4,8", "numbers of the server's processors");
    private static final Setting LOAD =
            new Setting("load", "N", "1", "processors of the load generator, at least");
    private static final Setting REPETITIONS =
            new Setting("repetitions", "N", "5", "2", "how often each is measured, alternately");
    private static final Setting SECS =
            new Setting("secs", "N", "3", "2", "duration of each measurement, in seconds");
    private static final Setting WARM =
            new Setting("warm", "N", "6", "2", "duration of the load before, in seconds");
    private static final Setting AGAINST =
            new Setting("against", "NAMES", "nginx", "peers to compare with; none for none");

    private static final int PROCESSORS_MAX = 1_024;
    private static final String TASKSET_WAY_OUT = "apt-get install util-linux";
    private static final String NGINX = "nginx";
    static final String SERVLETS = Contender.TANDEM + ", servlets";
    private static final List<String> SERVERS = List.of(Contender.TANDEM, SERVLETS, NGINX);

    /// Connections at a time, for each processor of the server.
    private static final int CONNECTIONS = 64;

    static final Experiment EXPERIMENT =
            new Experiment(
                    "scaling",
                    "throughput by the number of processors",
                    List.of(
                            "Needs wrk, and nginx to compare with. The server has the first",
                            "processors, the load generator all others. Numbers that leave it",
                            "none are not measured, and the report says so. servlet: /hello under",
                            "Catalina. tls-full, tls-resumed: a connection for each request, by",
                            "the lab's own generator."),
                    new Experiment.Terms(
                            List.of(TESTS, PROCESSORS, LOAD, REPETITIONS, SECS, WARM, AGAINST),
                            List.of(
                                    Need.program("wrk", Wrk.WAY_OUT),
                                    Need.program("taskset", TASKSET_WAY_OUT),
                                    Need.peer(NGINX, "apt-get install nginx")),
                            120,
                            600),
                    ScalingExperiment::run);

    private final Run run;
    private final List<Row> rows;
    private final List<Integer> all;
    private final int repetitions;
    private final int seconds;
    private final int warm;
    private final List<Sample> samples = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    /// A kind of load.
    ///
    /// @param trial the requests
    /// @param server which of Tandem's
    /// @param reuse of TLS sessions by connections with a request each; null for kept connections
    ///     without TLS
    record Row(String name, Trial trial, String server, Tls.@Nullable Reuse reuse) {
        static final List<String> OTHERS = List.of("servlet", "tls-full", "tls-resumed");

        static Row of(String name) {
            return switch (name) {
                case "servlet" -> new Row(name, Trial.HELLO, SERVLETS, null);
                case "tls-full" -> new Row(name, Trial.HELLO, Contender.TANDEM, Tls.Reuse.NONE);
                case "tls-resumed" -> new Row(name, Trial.HELLO, Contender.TANDEM, Tls.Reuse.ALL);
                default ->
                        new Row(
                                name,
                                Trial.named(List.of(name)).getFirst(),
                                Contender.TANDEM,
                                null);
            };
        }

        boolean isOf(String name) {
            return name.equals(server)
                    || name.equals(NGINX) && trial.isPlain() && !server.equals(SERVLETS);
        }
    }

    /// A server under load.
    private record Loaded(Child child, int tlsPort) {
        String name() {
            return child.name();
        }
    }

    /// What was measured once.
    ///
    /// @param processors how many the server had
    /// @param serverShare of one processor that the server used
    private record Sample(
            Row row, String server, int processors, Wrk.Load load, double serverShare) {}

    private ScalingExperiment(Run run) throws LabException {
        Settings settings = run.settings();
        this.run = run;
        var known = new ArrayList<String>(Trial.names());
        known.addAll(Row.OTHERS);
        this.rows = settings.words(TESTS, known).stream().map(Row::of).toList();
        this.all = Kernel.processors();
        this.repetitions = settings.number(REPETITIONS, 1, 99);
        this.seconds = settings.number(SECS, 1, 600);
        this.warm = settings.number(WARM, 0, 600);
    }

    static void run(Run run) throws LabException, InterruptedException {
        new ScalingExperiment(run).measureAll();
    }

    private void measureAll() throws LabException, InterruptedException {
        Settings settings = run.settings();
        List<String> peers = settings.words(AGAINST, List.of(NGINX, "none"));
        int load = settings.number(LOAD, 1, PROCESSORS_MAX);
        Kernel.need();
        run.facts(Machine.describe(run.environment(), Pinning.NONE));
        var numbers = new ArrayList<Integer>();
        for (double number : settings.decimals(PROCESSORS, 1, PROCESSORS_MAX)) {
            if (number + load <= all.size()) {
                numbers.add((int) number);
            } else {
                String left = "%d processors for the server leave no %d of %d for the load";
                notes.add("Not measured: " + left.formatted((int) number, load, all.size()) + ".");
            }
        }
        boolean isCompared = peers.contains(NGINX);
        run.plan(
                numbers.size()
                        * rows.size()
                        * (isCompared ? 2.0 : 1.0)
                        * (warm + 1 + repetitions * seconds));
        try (WorkFolder workFolder = WorkFolder.make()) {
            Certificate certificate = Certificate.make(workFolder.folder(), Certificate.Kind.EC);
            for (int number : numbers) {
                measure(number, isCompared, certificate, workFolder);
            }
        }
        run.keep(findings(numbers));
    }

    private void measure(
            int number, boolean isCompared, Certificate certificate, WorkFolder workFolder)
            throws LabException, InterruptedException {
        List<Integer> own = all.subList(0, number);
        var servers = new ArrayList<Loaded>();
        try {
            for (String name : List.of(Contender.TANDEM, SERVLETS)) {
                if (rows.stream().anyMatch(row -> row.isOf(name))) {
                    servers.add(tandem(name, own, certificate, workFolder));
                }
            }
            if (isCompared) {
                servers.add(nginx(own, certificate, workFolder));
            }
            for (Row row : rows) {
                measure(number, row, servers);
            }
        } finally {
            servers.forEach(server -> server.child().close());
        }
    }

    private Loaded tandem(
            String name, List<Integer> own, Certificate certificate, WorkFolder workFolder)
            throws LabException, InterruptedException {
        int port = FreePorts.next();
        int tlsPort = FreePorts.next();
        // The launcher has Catalina on the class path where it is needed.
        TargetCommand launcher =
                StartExperiment.command(StartExperiment.AUTO, run.environment().target());
        var command = new ArrayList<String>(launcher.at(port, workFolder.root()));
        command.addAll(certificate.words(tlsPort));
        if (name.equals(SERVLETS)) {
            command.add("--servlet");
        }
        return new Loaded(start(name, on(own, command), port, workFolder), tlsPort);
    }

    private Loaded nginx(List<Integer> own, Certificate certificate, WorkFolder workFolder)
            throws LabException, InterruptedException {
        RivalSettings settings = RivalSettings.DEFAULT.withCertificate(certificate);
        RivalPlan plan =
                RivalPlan.of(workFolder.root(), workFolder.folder(), settings).onProcessors(own);
        Path program = run.environment().tools().need(NGINX, "apt-get install nginx");
        List<String> command = on(own, Nginx.command(program, plan));
        return new Loaded(start(NGINX, command, plan.port(), workFolder), plan.tlsPort());
    }

    private static Child start(String name, List<String> command, int port, WorkFolder workFolder)
            throws LabException, InterruptedException {
        Child server = Child.start(name, command, port, workFolder.log(name));
        try {
            server.awaitResponse(Trial.HELLO.path());
            return server;
        } catch (LabException | InterruptedException e) {
            server.close();
            throw e;
        }
    }

    private void measure(int number, Row row, List<Loaded> servers)
            throws LabException, InterruptedException {
        List<Loaded> measured = servers.stream().filter(server -> row.isOf(server.name())).toList();
        for (Loaded server : measured) {
            if (warm > 0) {
                load(number, row, server, warm);
            }
            run.step(warm, row.name() + ", " + server.name() + ", warm");
        }
        for (int repetition = 1; repetition <= repetitions; repetition++) {
            for (Loaded server : Repetitions.order(measured, repetition, run.seed())) {
                long ticks = server.child().cpuTicks();
                long begin = System.nanoTime();
                Wrk.Load load = load(number, row, server, seconds);
                double wall = (System.nanoTime() - begin) / 1e9;
                double used = (server.child().cpuTicks() - ticks) / Kernel.TICKS_PER_SECOND;
                samples.add(new Sample(row, server.name(), number, load, used / wall));
                run.step(
                        seconds,
                        "%-9s %d processors, %s: %s/s"
                                .formatted(
                                        row.name(),
                                        number,
                                        server.name(),
                                        Figures.show(load.rate(), 0)));
            }
        }
    }

    /// Loads a server from all processors that it does not have, by a thread on each.
    private Wrk.Load load(int number, Row row, Loaded server, int secs)
            throws LabException, InterruptedException {
        List<Integer> others = all.subList(number, all.size());
        return row.reuse() == null
                ? requests(number, row.trial(), server, others, secs)
                : handshakes(number, row.reuse(), server, others, secs);
    }

    private Wrk.Load requests(
            int number, Trial trial, Loaded server, List<Integer> others, int secs)
            throws LabException, InterruptedException {
        int connections = Math.max(trial.connections() * number, others.size());
        var command = new ArrayList<String>();
        command.add(run.environment().tools().need("wrk", Wrk.WAY_OUT).toString());
        command.addAll(List.of("-t" + others.size(), "-c" + connections, "-d" + secs + "s"));
        command.addAll(List.of("--latency", "--timeout", "10s"));
        if (trial.isClosing()) {
            command.addAll(List.of("-H", "Connection: close"));
        }
        command.add("http://127.0.0.1:" + server.child().port() + trial.path());
        return Wrk.parse(Toolbox.output(secs + 30, on(others, command)));
    }

    /// By this process, on the same processors.
    private Wrk.Load handshakes(
            int number, Tls.Reuse reuse, Loaded server, List<Integer> others, int secs)
            throws LabException, InterruptedException {
        var pinning =
                new Pinning(
                        run.environment().tools().need("taskset", TASKSET_WAY_OUT),
                        all.getFirst(),
                        others);
        Load load =
                Load.of("https://localhost:" + server.tlsPort())
                        .withArrivals(Arrivals.closed(CONNECTIONS * number))
                        .withThreads(others.size())
                        .withTime(Duration.ofSeconds(secs))
                        .withDrain(Duration.ZERO)
                        .withClient(
                                Client.DEFAULT
                                        .withTls(BoringClients.TLS.withReuse(reuse))
                                        .withResetting(true))
                        .withSeed(run.seed());
        try (OwnProcessor _ = OwnProcessor.of(pinning)) {
            LoadReport report =
                    load.run(Repeat.sessions(Call.get(Trial.HELLO.path()), 1, Duration.ZERO));
            return new Wrk.Load(
                    report.replies().count(),
                    report.repliesPerSecond(),
                    report.corrected().millis(50),
                    report.corrected().millis(99),
                    report.errorCount());
        } catch (LoadException e) {
            throw new LabException(String.valueOf(e.getMessage()));
        }
    }

    private List<String> on(List<Integer> processors, List<String> command) throws LabException {
        String list = processors.stream().map(String::valueOf).collect(Collectors.joining(","));
        Path taskset = run.environment().tools().need("taskset", TASKSET_WAY_OUT);
        var pinned = new ArrayList<String>(List.of(taskset.toString(), "-c", list));
        pinned.addAll(command);
        return pinned;
    }

    // ---- The report.

    private List<Sample> of(Row row, String server, int number) {
        return samples.stream()
                .filter(s -> s.row() == row && s.server().equals(server))
                .filter(s -> s.processors() == number)
                .toList();
    }

    private static Figures rates(List<Sample> of) {
        return new Figures(of.stream().mapToDouble(s -> s.load().rate()).toArray());
    }

    private Findings findings(List<Integer> numbers) {
        var findings =
                new Findings(
                        "Throughput by processors",
                        "Does a server do more on more processors? Each load is 64 connections for"
                                + " each of them, from the others.");
        var table =
                new Table(
                        "trial, server, processors",
                        "req/s",
                        "of one processor's",
                        "p99 ms",
                        "errors",
                        "processors used");
        for (Row row : rows) {
            for (String server : SERVERS) {
                numbers.forEach(number -> row(table, row, server, number));
            }
            Chart chart = chart(row, numbers);
            if (chart != null) {
                findings.chart(chart);
            }
        }
        return findings.table("Throughput", table).notes(notes).data("samples", data());
    }

    private void row(Table table, Row row, String server, int number) {
        List<Sample> of = of(row, server, number);
        if (of.isEmpty()) {
            return;
        }
        double one = rates(of(row, server, 1)).median();
        double[] p99 = of.stream().mapToDouble(s -> s.load().p99Millis()).toArray();
        double[] used = of.stream().mapToDouble(Sample::serverShare).toArray();
        long errors = of.stream().mapToLong(s -> s.load().errors()).sum();
        table.row(
                row.name() + ", " + server + ", " + number,
                rates(of).show(0),
                Figures.show(rates(of).median() / one, 2),
                Figures.show(new Figures(p99).median(), 2),
                Long.toString(errors),
                Figures.show(new Figures(used).median(), 2));
    }

    private @Nullable Chart chart(Row row, List<Integer> numbers) {
        var series = new ArrayList<Series>();
        for (String server : SERVERS) {
            var points = new ArrayList<Point>();
            for (int i = 0; i < numbers.size(); i++) {
                List<Sample> of = of(row, server, numbers.get(i));
                if (!of.isEmpty()) {
                    points.add(rates(of).at(i));
                }
            }
            if (!points.isEmpty()) {
                series.add(new Series(server, points));
            }
        }
        var caption = new Caption("Throughput, " + row.name(), "Longer is better.");
        List<String> names = numbers.stream().map(n -> n + " processors").toList();
        return series.isEmpty()
                ? null
                : Bars.of(caption, names, Axis.linear("throughput", "requests/s"), series);
    }

    private List<Object> data() {
        return samples.stream()
                .<Object>map(
                        s ->
                                List.of(
                                        s.row().name(),
                                        s.server(),
                                        s.processors(),
                                        s.load().rate(),
                                        s.load().p99Millis(),
                                        s.serverShare()))
                .toList();
    }
}
