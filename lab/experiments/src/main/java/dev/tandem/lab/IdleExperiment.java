package dev.tandem.lab;

import dev.tandem.lab.Headline.Goal;
import dev.tandem.lab.chart.Axis;
import dev.tandem.lab.chart.Bars;
import dev.tandem.lab.chart.Caption;
import dev.tandem.lab.chart.Chart;
import dev.tandem.lab.chart.Point;
import dev.tandem.lab.chart.Series;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/// Measures the cost of an idle connection: memory, and time of the active ones. Two targets run,
/// one with idle connections and one without, and are loaded alternately.
final class IdleExperiment {
    private static final String NONE = "none";
    private static final String NATIVE = "native";
    private static final String JDK = "jdk";

    private static final Setting CONNECTIONS =
            new Setting("connections", "N", "10000", "number of idle ones");
    private static final Setting REPETITIONS =
            new Setting(
                    "repetitions",
                    "N",
                    "5",
                    "3",
                    "how often active ones are measured, alternately");
    private static final Setting SECS =
            new Setting("secs", "N", "3", "2", "how long each time, in seconds");
    private static final Setting TLS =
            new Setting("tls", "ENGINE", NONE, "TLS of the idle ones: none, native or jdk");
    private static final Setting WARM =
            new Setting("warm", "N", "6", "3", "CPU that each target gets to warm up, in seconds");

    static final Experiment EXPERIMENT =
            new Experiment(
                    "idle",
                    "measures the cost of idle connections",
                    List.of("Needs wrk (apt-get install wrk)."),
                    new Experiment.Terms(
                            List.of(CONNECTIONS, TLS, REPETITIONS, SECS, WARM),
                            List.of(Need.program("wrk", Wrk.WAY_OUT)),
                            40,
                            70),
                    IdleExperiment::run);

    private static final String ALONE = "alone";
    private static final String HOLDING = "holding idle ones";
    /// Approximate time for opening the connections and reading the memory three times.
    private static final double OPEN_SECONDS = 15;

    /// Time of two reads of /proc next to a load.
    private static final double ASIDE_SECONDS = 0.7;

    /// Connections before the first reading of the memory.
    private static final int FIRST = 100;

    /// Maximum memory of an idle TLS connection on the native engine, in bytes.
    private static final double TLS_GOAL = 12_288;

    private final Meter meter;
    private final Run run;
    private final Length length;
    private final String tls;
    private final List<Measurement> measurements = new ArrayList<>();

    /// How often and how long active connections are measured.
    ///
    /// @param warmSeconds CPU that each target gets before
    private record Length(int repetitions, int seconds, int warmSeconds) {}

    private IdleExperiment(Run run, Pinning pinning, Length length) throws LabException {
        this.run = run;
        this.length = length;
        this.tls = engine(run);
        this.meter =
                new Meter(
                        Wrk.of(run.environment().tools(), pinning), Meter.attemptsMax(run.form()));
    }

    static void run(Run run) throws LabException, InterruptedException {
        Settings settings = run.settings();
        int wanted = settings.number(CONNECTIONS, 1, 1_000_000);
        var length =
                new Length(
                        settings.number(REPETITIONS, 1, 99),
                        settings.number(SECS, 1, 600),
                        settings.number(WARM, 0, 600));
        Kernel.need();
        Toolbox.jcmd();
        Environment environment = run.environment();
        Pinning pinning = Pinning.of(environment.tools());
        var experiment = new IdleExperiment(run, pinning, length);
        run.facts(Machine.describe(environment, pinning));
        try (WorkFolder workFolder = WorkFolder.make()) {
            experiment.measure(environment, pinning, workFolder, wanted);
        } catch (IOException e) {
            throw new LabException("an idle connection failed: " + e.getMessage());
        }
    }

    private static String engine(Run run) throws LabException {
        return run.settings().words(TLS, List.of(NONE, NATIVE, JDK)).getFirst();
    }

    private void measure(
            Environment environment, Pinning pinning, WorkFolder workFolder, int wanted)
            throws LabException, InterruptedException, IOException {
        TargetCommand target = environment.target();
        List<String> more = List.of();
        Idle connections = new IdleConnections(Trial.HELLO.path());
        if (!tls.equals(NONE)) {
            int port = FreePorts.next();
            Certificate shown = Certificate.make(workFolder.folder(), Certificate.Kind.EC);
            more = shown.words(port);
            connections = new IdleTls(Trial.HELLO.path(), port, shown.chain());
        }
        if (tls.equals(JDK)) {
            target = target.with("-Dio.netty.handler.ssl.noOpenSsl=true"); // Netty's own switch
        }
        var starting = new Starting(target, pinning, workFolder);
        try (Idle idle = connections;
                Child alone = starting.start(ALONE, List.of());
                Child holding = starting.start(HOLDING, more)) {
            run.command(Contender.TANDEM, target.at(0, workFolder.root()));
            measure(alone, holding, idle, wanted);
        }
    }

    /// Keeps the results after every repetition.
    private void measure(Child alone, Child holding, Idle idle, int wanted)
            throws LabException, InterruptedException, IOException {
        double taking = 2.0 * length.repetitions * (length.seconds + ASIDE_SECONDS);
        run.plan(2.0 * length.warmSeconds + OPEN_SECONDS + taking);
        warm(alone);
        warm(holding);
        ConnectionCost cost = open(idle, holding, wanted);
        for (int repetition = 1; repetition <= length.repetitions; repetition++) {
            for (Child server :
                    Repetitions.order(List.of(alone, holding), repetition, run.seed())) {
                measureOnce(server, repetition);
            }
            run.keep(findings(cost, wanted, idle.countOpen()));
        }
    }

    private record Starting(TargetCommand target, Pinning pinning, WorkFolder workFolder) {
        Child start(String name, List<String> more) throws LabException, InterruptedException {
            int port = FreePorts.next();
            var command = new ArrayList<>(target.at(port, workFolder.root()));
            command.addAll(more);
            Child child = Child.start(name, pinning.onServer(command), port, workFolder.log(name));
            try {
                child.awaitResponse(Trial.HELLO.path());
                return child;
            } catch (LabException | InterruptedException e) {
                child.close();
                throw e;
            }
        }
    }

    private void warm(Child server) throws LabException, InterruptedException {
        meter.warm(server, Trial.HELLO, length.warmSeconds);
        run.step(length.warmSeconds, server.name() + ": warm");
    }

    private ConnectionCost open(Idle idle, Child server, int wanted)
            throws LabException, InterruptedException {
        int count = IdleConnections.possible(wanted, Kernel.descriptorsMax());
        if (count == 0) {
            throw new LabException("no descriptors left: raise the limit by ulimit -n");
        }
        // The first reading loads classes and starts a thread; the first connections, above all
        // over TLS, load more classes, and native code.
        JvmMemory.of(server);
        openMore(idle, server, FIRST);
        JvmMemory before = JvmMemory.of(server);
        openMore(idle, server, count);
        JvmMemory after = JvmMemory.of(server);
        run.step(OPEN_SECONDS, Figures.show(count, 0) + " idle connections are open");
        return new ConnectionCost(before, after, count);
    }

    private static void openMore(Idle idle, Child server, int count) throws LabException {
        try {
            idle.open(server.port(), count);
        } catch (IOException e) {
            throw new LabException(
                    "only " + idle.count() + " connections could be opened: " + e.getMessage());
        }
    }

    private void measureOnce(Child server, int repetition)
            throws LabException, InterruptedException {
        Measurement measurement = meter.measure(server, Trial.HELLO, repetition, length.seconds);
        String where = server.name() + ", repetition " + repetition;
        run.disturbances().foreign(measurement, where);
        measurements.add(measurement);
        run.step(
                length.seconds + ASIDE_SECONDS,
                "%-18s repetition %d: %8s µs%s"
                        .formatted(
                                server.name(),
                                repetition,
                                Figures.show(measurement.cpuMicros(), 2),
                                measurement.isDisturbed() ? "  (disturbed)" : ""));
    }

    private Findings findings(ConnectionCost cost, int wanted, int open) {
        double ratio =
                figures(HOLDING, Measurement::cpuMicros).median()
                        / figures(ALONE, Measurement::cpuMicros).median();
        var headline =
                List.of(
                        new Headline(
                                "heap per idle connection",
                                cost.heapBytesEach(),
                                "bytes",
                                tls.equals(NONE) ? Goal.atMost(1_024) : null),
                        new Headline(
                                "RAM of the process per idle connection",
                                cost.residentBytesEach(),
                                "bytes",
                                tls.equals(NATIVE) ? Goal.atMost(TLS_GOAL) : null),
                        new Headline(
                                "CPU per request of 64 active ones, share of that without idle"
                                        + " ones",
                                ratio,
                                "",
                                Goal.atMost(1.05)),
                        new Headline(
                                "idle connections still open at the end",
                                open,
                                "",
                                Goal.atLeast(cost.opened() + FIRST)));
        return new Findings(
                        "Cost of idle connections",
                        "What does an idle connection cost: in memory, and in time of"
                                + " the active ones?")
                .headline(headline)
                .chart(
                        cost.chart(
                                new Caption(
                                        "What an idle connection is made of",
                                        "Live heap added by the idle connections, by class, for"
                                                + " each of them.")))
                .chart(activeChart())
                .table("64 active connections", active())
                .table("What an idle connection is made of (bytes each)", cost.table())
                .notes(notes(cost, wanted))
                .data(data(cost, open));
    }

    private Chart activeChart() {
        var names = List.of(ALONE, HOLDING);
        var points = new ArrayList<Point>();
        for (String name : names) {
            points.add(figures(name, Measurement::cpuMicros).at(points.size()));
        }
        return Bars.of(
                new Caption(
                        "CPU per request of the active ones",
                        "Both bars should have one length: idle connections should cost active"
                                + " ones nothing."),
                names,
                Axis.linear("CPU per request", "µs"),
                List.of(new Series("CPU", points)));
    }

    private Table active() {
        var table = new Table("target", "req/s", "CPU µs/req", "p50 ms", "p99 ms", "errors");
        for (String name : List.of(ALONE, HOLDING)) {
            table.row(
                    name,
                    figures(name, measurement -> measurement.load().rate()).show(0),
                    figures(name, Measurement::cpuMicros).show(2),
                    figures(name, measurement -> measurement.load().p50Millis()).show(2),
                    figures(name, measurement -> measurement.load().p99Millis()).show(2),
                    Long.toString(errors(name)));
        }
        return table;
    }

    private List<String> notes(ConnectionCost cost, int wanted) {
        var notes = new ArrayList<String>();
        notes.add("Memory is counted after a full collection; the kernel's part is not in it.");
        if (!tls.equals(NONE)) {
            notes.add("Idle connections use TLS, by the engine " + tls + "; active ones do not.");
        }
        if (cost.opened() < wanted) {
            notes.add(
                    "Only "
                            + Figures.show(cost.opened(), 0)
                            + " of "
                            + Figures.show(wanted, 0)
                            + " connections: more descriptors need a higher ulimit -n.");
        }
        return notes;
    }

    private Map<String, @Nullable Object> data(ConnectionCost cost, int open) {
        Map<String, @Nullable Object> data = cost.asMap();
        data.put("stillOpen", open);
        data.put("measurements", measurements.stream().map(Measurement::asMap).toList());
        return data;
    }

    private long errors(String target) {
        return measurements.stream()
                .filter(measurement -> measurement.contender().equals(target))
                .mapToLong(measurement -> measurement.load().errors())
                .sum();
    }

    private Figures figures(String target, ToDoubleFunction<Measurement> figure) {
        return new Figures(
                measurements.stream()
                        .filter(measurement -> measurement.contender().equals(target))
                        .mapToDouble(figure)
                        .toArray());
    }
}
