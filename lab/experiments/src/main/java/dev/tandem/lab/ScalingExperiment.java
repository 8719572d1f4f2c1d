package dev.tandem.lab;

import dev.tandem.lab.chart.Axis;
import dev.tandem.lab.chart.Bars;
import dev.tandem.lab.chart.Caption;
import dev.tandem.lab.chart.Chart;
import dev.tandem.lab.chart.Point;
import dev.tandem.lab.chart.Series;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Throughput and response times by the number of the server's processors, with the load generator
/// on others. A server that scales does twice as much on twice as many, as long as the load's
/// processors are not the limit: their use is in the table.
final class ScalingExperiment {
    private static final Setting TESTS =
            new Setting("tests", "NAMES", "hello,static1k,db", "trials of `lab run speed`");
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
    private static final String NGINX = "nginx";

    static final Experiment EXPERIMENT =
            new Experiment(
                    "scaling",
                    "throughput by the number of processors",
                    List.of(
                            "Needs wrk, and nginx to compare with. The server has the first",
                            "processors, the load generator all others. Numbers that leave it",
                            "none are not measured, and the report says so."),
                    new Experiment.Terms(
                            List.of(TESTS, PROCESSORS, LOAD, REPETITIONS, SECS, WARM, AGAINST),
                            List.of(
                                    Need.program("wrk", Wrk.WAY_OUT),
                                    Need.program("taskset", "apt-get install util-linux"),
                                    Need.peer(NGINX, "apt-get install nginx")),
                            120,
                            600),
                    ScalingExperiment::run);

    private final Run run;
    private final List<Trial> trials;
    private final List<Integer> all;
    private final int repetitions;
    private final int seconds;
    private final int warm;
    private final List<Sample> samples = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    /// What was measured once.
    ///
    /// @param processors how many the server had
    /// @param serverShare of one processor that the server used
    private record Sample(
            Trial trial, String server, int processors, Wrk.Load load, double serverShare) {}

    private ScalingExperiment(Run run) throws LabException {
        Settings settings = run.settings();
        this.run = run;
        this.trials = Trial.named(settings.words(TESTS, Trial.names()));
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
        run.plan(
                numbers.size()
                        * trials.size()
                        * (peers.contains(NGINX) ? 2.0 : 1.0)
                        * (warm + 1 + repetitions * seconds));
        try (WorkFolder workFolder = WorkFolder.make()) {
            for (int number : numbers) {
                measure(number, peers.contains(NGINX), workFolder);
            }
        }
        run.keep(findings(numbers));
    }

    private void measure(int number, boolean isCompared, WorkFolder workFolder)
            throws LabException, InterruptedException {
        List<Integer> own = all.subList(0, number);
        var servers = new ArrayList<Child>();
        try {
            int port = FreePorts.next();
            List<String> command = run.environment().target().at(port, workFolder.root());
            servers.add(start(Contender.TANDEM, on(own, command), port, workFolder));
            if (isCompared) {
                var plan =
                        RivalPlan.of(workFolder.root(), workFolder.folder(), RivalSettings.DEFAULT)
                                .onProcessors(own);
                Path program = run.environment().tools().need(NGINX, "apt-get install nginx");
                command = on(own, Nginx.command(program, plan));
                servers.add(start(NGINX, command, plan.port(), workFolder));
            }
            for (Trial trial : trials) {
                measure(number, trial, servers);
            }
        } finally {
            servers.forEach(Child::close);
        }
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

    private void measure(int number, Trial trial, List<Child> servers)
            throws LabException, InterruptedException {
        List<Child> measured =
                servers.stream()
                        .filter(server -> trial.isPlain() || !server.name().equals(NGINX))
                        .toList();
        for (Child server : measured) {
            if (warm > 0) {
                load(number, trial, server, warm);
            }
            run.step(warm, trial.name() + ", " + server.name() + ", warm");
        }
        for (int repetition = 1; repetition <= repetitions; repetition++) {
            for (Child server : Repetitions.order(measured, repetition, run.seed())) {
                long ticks = server.cpuTicks();
                long begin = System.nanoTime();
                Wrk.Load load = load(number, trial, server, seconds);
                double wall = (System.nanoTime() - begin) / 1e9;
                double used = (server.cpuTicks() - ticks) / Kernel.TICKS_PER_SECOND;
                samples.add(new Sample(trial, server.name(), number, load, used / wall));
                run.step(
                        seconds,
                        "%-9s %d processors, %s: %s/s"
                                .formatted(
                                        trial.name(),
                                        number,
                                        server.name(),
                                        Figures.show(load.rate(), 0)));
            }
        }
    }

    /// Loads a server from all processors that it does not have, by a thread on each.
    private Wrk.Load load(int number, Trial trial, Child server, int secs)
            throws LabException, InterruptedException {
        List<Integer> others = all.subList(number, all.size());
        int connections = Math.max(trial.connections() * number, others.size());
        var command = new ArrayList<String>();
        command.add(run.environment().tools().need("wrk", Wrk.WAY_OUT).toString());
        command.addAll(List.of("-t" + others.size(), "-c" + connections, "-d" + secs + "s"));
        command.addAll(List.of("--latency", "--timeout", "10s"));
        if (trial.isClosing()) {
            command.addAll(List.of("-H", "Connection: close"));
        }
        command.add("http://127.0.0.1:" + server.port() + trial.path());
        return Wrk.parse(Toolbox.output(secs + 30, on(others, command)));
    }

    private List<String> on(List<Integer> processors, List<String> command) throws LabException {
        String list = processors.stream().map(String::valueOf).collect(Collectors.joining(","));
        Path taskset = run.environment().tools().need("taskset", "apt-get install util-linux");
        var pinned = new ArrayList<String>(List.of(taskset.toString(), "-c", list));
        pinned.addAll(command);
        return pinned;
    }

    // ---- The report.

    private List<Sample> of(Trial trial, String server, int number) {
        return samples.stream()
                .filter(s -> s.trial() == trial && s.server().equals(server))
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
                                + " each of them, by wrk on the others.");
        var table =
                new Table(
                        "trial, server, processors",
                        "req/s",
                        "of one processor's",
                        "p99 ms",
                        "errors",
                        "processors used");
        for (Trial trial : trials) {
            for (String server : List.of(Contender.TANDEM, NGINX)) {
                numbers.forEach(number -> row(table, trial, server, number));
            }
            Chart chart = chart(trial, numbers);
            if (chart != null) {
                findings.chart(chart);
            }
        }
        return findings.table("Throughput", table).notes(notes).data("samples", data());
    }

    private void row(Table table, Trial trial, String server, int number) {
        List<Sample> of = of(trial, server, number);
        if (of.isEmpty()) {
            return;
        }
        double one = rates(of(trial, server, 1)).median();
        double[] p99 = of.stream().mapToDouble(s -> s.load().p99Millis()).toArray();
        double[] used = of.stream().mapToDouble(Sample::serverShare).toArray();
        long errors = of.stream().mapToLong(s -> s.load().errors()).sum();
        table.row(
                trial.name() + ", " + server + ", " + number,
                rates(of).show(0),
                Figures.show(rates(of).median() / one, 2),
                Figures.show(new Figures(p99).median(), 2),
                Long.toString(errors),
                Figures.show(new Figures(used).median(), 2));
    }

    private @Nullable Chart chart(Trial trial, List<Integer> numbers) {
        var series = new ArrayList<Series>();
        for (String server : List.of(Contender.TANDEM, NGINX)) {
            var points = new ArrayList<Point>();
            for (int i = 0; i < numbers.size(); i++) {
                List<Sample> of = of(trial, server, numbers.get(i));
                if (!of.isEmpty()) {
                    points.add(rates(of).at(i));
                }
            }
            if (!points.isEmpty()) {
                series.add(new Series(server, points));
            }
        }
        var caption = new Caption("Throughput, " + trial.name(), "Longer is better.");
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
                                        s.trial().name(),
                                        s.server(),
                                        s.processors(),
                                        s.load().rate(),
                                        s.load().p99Millis(),
                                        s.serverShare()))
                .toList();
    }
}
