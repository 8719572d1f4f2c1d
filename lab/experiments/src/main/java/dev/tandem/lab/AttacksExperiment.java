package dev.tandem.lab;

import dev.tandem.lab.Headline.Goal;
import dev.tandem.lab.chart.Axis;
import dev.tandem.lab.chart.Bars;
import dev.tandem.lab.chart.Caption;
import dev.tandem.load.LoadReport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Attacks over HTTP/2: what a client notices of them that has one request at a time on a
/// connection of its own, and what they hold of the server's heap, compared with honest loads of as
/// many connections and streams. The attackers are a process that has a processor only while the
/// client does not need it, so that it is the server that is measured. Confined to one thread.
final class AttacksExperiment {
    private static final String TANDEM = "tandem";
    private static final String NOTHING = "nothing";
    private static final String P50 = "p50 µs";
    private static final String P99 = "p99 µs";
    private static final String HEAP = "heap MiB";
    private static final String CLOSED = "closed";
    private static final String CALMED = "ENHANCE_YOUR_CALM";
    private static final String LOST = "error lost";

    private static final double SHARE_MAX = 2;

    /// What else a heap has that grows and shrinks, in MiB: a ratio of less means nothing.
    private static final double HEAP_SLACK = 1;

    private static final double MIB = 1 << 20;

    /// Time until the client is warm, of each measurement.
    private static final double RAMP_SECONDS = 0.3;

    /// Time of starting the attackers and of reading the heap.
    private static final double ASIDE_SECONDS = 3;

    private static final int START_SECONDS_MAX = 30;
    private static final int POLL_MILLIS = 20;

    private static final Setting CONNECTIONS =
            new Setting("connections", "N", "20", "of each attack, with 100 streams each");
    private static final Setting REPETITIONS =
            new Setting("repetitions", "N", "5", "2", "how often each is measured, alternately");
    private static final Setting SECS =
            new Setting("secs", "N", "3", "2", "how long each time, in seconds");
    private static final Setting WARM =
            new Setting("warm", "N", "10", "6", "seconds of the honest load before");

    static final Experiment EXPERIMENT =
            new Experiment(
                    "attacks",
                    "measures what attacks over HTTP/2 do to others",
                    List.of("Each attack of the account of costs: docs/http2.md."),
                    new Experiment.Terms(
                            List.of(CONNECTIONS, REPETITIONS, SECS, WARM),
                            List.of(Need.program("chrt", "apt-get install util-linux")),
                            175,
                            600),
                    AttacksExperiment::run);

    private final Run run;
    private final Bench bench;
    private final int connections;
    private final double seconds;
    private double heapBefore = Double.NaN;

    private AttacksExperiment(Run run, Bench bench, int connections, double seconds) {
        this.run = run;
        this.bench = bench;
        this.connections = connections;
        this.seconds = seconds;
    }

    private static void run(Run run) throws LabException, InterruptedException {
        Settings settings = run.settings();
        int connections = settings.number(CONNECTIONS, 1, 1_000);
        int repetitions = settings.number(REPETITIONS, 1, 99);
        int seconds = settings.number(SECS, 1, 600);
        int warm = settings.number(WARM, 0, 600);
        try (Bench bench = Bench.open(run)) {
            bench.lineup()
                    .add(
                            TANDEM,
                            new Lineup.Entry(
                                    OwnRival.TANDEM,
                                    bench.workFolder().root(),
                                    bench.pinning().serverList(),
                                    RivalSettings.DEFAULT));
            new AttacksExperiment(run, bench, connections, seconds).measureAll(repetitions, warm);
        }
    }

    private void measureAll(int repetitions, int warm) throws LabException, InterruptedException {
        for (PeerBehaviour honest : List.of(PeerBehaviour.HONEST, PeerBehaviour.HONEST_FILES)) {
            try (Child peers = peers(honest)) {
                awaitLine(peers);
                probe(warm / 2.0);
            }
        }
        var scenarios = new ArrayList<Scenario>();
        scenarios.add(Scenario.of(NOTHING));
        for (PeerBehaviour behaviour : PeerBehaviour.values()) {
            scenarios.add(Scenario.of(behaviour.label()));
        }
        double each = seconds + RAMP_SECONDS + ASIDE_SECONDS;
        var plan = new Repetitions.Plan(repetitions, 0, each, 900);
        new Repetitions(run, scenarios, plan).measure(this::measureOnce, this::findings);
    }

    private Reading measureOnce(Scenario scenario, int repetition)
            throws LabException, InterruptedException {
        RunningRival server = bench.lineup().running(TANDEM);
        if (Double.isNaN(heapBefore)) {
            heapBefore = server.heapBytes() / MIB;
        }
        var figures = new LinkedHashMap<String, Double>();
        if (scenario.contender().equals(NOTHING)) {
            probeInto(figures);
            return Reading.of(figures);
        }
        Path log;
        try (Child peers = peers(PeerBehaviour.named(scenario.contender()))) {
            log = awaitLine(peers);
            probeInto(figures);
            figures.put(HEAP, Math.max(0, server.heapBytes() / MIB - heapBefore));
        }
        Peers.Tally tally = Peers.Tally.parse(lines(log).getLast());
        figures.put(CLOSED, (double) tally.closed());
        figures.put(CALMED, (double) tally.calmed());
        figures.put(LOST, (double) tally.reset());
        bench.lineup().calm(TANDEM);
        return Reading.of(figures);
    }

    private void probeInto(LinkedHashMap<String, Double> figures)
            throws LabException, InterruptedException {
        LoadReport report = probe(seconds);
        figures.put(P99, 1e3 * report.measured().millis(99));
        figures.put(P50, 1e3 * report.measured().millis(50));
    }

    // ---- The attackers.

    private Child peers(PeerBehaviour behaviour) throws LabException, InterruptedException {
        RunningRival server = bench.lineup().running(TANDEM);
        var words = new ArrayList<String>();
        // Runs only while the processor has nothing else to do.
        words.add(run.environment().tools().need("chrt", "apt-get install util-linux").toString());
        words.addAll(List.of("-i", "0"));
        words.addAll(run.environment().target().words());
        words.addAll(List.of("lab", "peers", behaviour.label()));
        words.addAll(List.of("--to", "127.0.0.1:" + server.port()));
        words.addAll(List.of("--connections", Integer.toString(connections)));
        words.addAll(List.of("--secs", "600"));
        List<String> command = bench.pinning().onClient(words);
        return Child.start(behaviour.label(), command, server.port(), log(behaviour.label()));
    }

    private Path log(String name) {
        return bench.workFolder().log("peers-" + name);
    }

    /// Waits until they have begun, and returns their log.
    private Path awaitLine(Child peers) throws LabException, InterruptedException {
        Path log = log(peers.name());
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS_MAX);
        while (lines(log).isEmpty()) {
            peers.needsLife();
            if (System.nanoTime() - end > 0) {
                throw new LabException(peers.name() + " did not begin");
            }
            Thread.sleep(POLL_MILLIS);
        }
        return log;
    }

    private static List<String> lines(Path log) throws LabException {
        try {
            return Files.readString(log, StandardCharsets.ISO_8859_1)
                    .lines()
                    .filter(line -> line.startsWith("closed "))
                    .toList();
        } catch (IOException e) {
            throw new LabException("cannot read " + log + ": " + e.getMessage());
        }
    }

    // ---- The client.

    private LoadReport probe(double measuredSeconds) throws LabException, InterruptedException {
        RunningRival server = bench.lineup().running(TANDEM);
        try (SingleClient client =
                SingleClient.start(server, run.seed(), RAMP_SECONDS, measuredSeconds)) {
            return client.await();
        }
    }

    // ---- The report.

    private Findings findings(Samples samples) {
        double worstP99 = Double.NaN;
        double worstHeap = Double.NaN;
        var table = new Table("attack", "p99, share of honest", "heap, share of honest", "it is");
        for (PeerBehaviour attack : PeerBehaviour.values()) {
            if (!attack.isHonest()) {
                double p99 = share(samples, attack, P99, 0);
                double heap = share(samples, attack, HEAP, HEAP_SLACK);
                worstP99 = p99 <= worstP99 ? worstP99 : p99;
                worstHeap = heap <= worstHeap ? worstHeap : heap;
                table.row(
                        attack.label(), Figures.show(p99, 2), Figures.show(heap, 2), attack.help());
            }
        }
        List<Scenario> scenarios = samples.scenarios();
        List<String> names = scenarios.stream().map(Scenario::contender).toList();
        return new Findings(
                        "Attacks over HTTP/2",
                        "What do others notice of attacks, and what do attackers hold? A client"
                                + " with one request at a time, next to "
                                + connections
                                + " connections that attack, or are an honest load.")
                .headline(
                        new Headline(
                                "p99 of another client, share of that next to an honest load,"
                                        + " worst",
                                worstP99,
                                "",
                                Goal.atMost(SHARE_MAX)))
                .headline(
                        new Headline(
                                "heap, share of an honest load's, worst",
                                worstHeap,
                                "",
                                Goal.atMost(SHARE_MAX)))
                .chart(
                        Bars.of(
                                new Caption("p99 of another client", "Shorter is better."),
                                names,
                                Axis.linear("p99", "µs"),
                                List.of(samples.bars("p99", P99, scenarios))))
                .chart(
                        Bars.of(
                                new Caption(
                                        "heap that is held",
                                        "Reachable after a collection, more than before."),
                                names,
                                Axis.linear("heap", "MiB"),
                                List.of(samples.bars("heap", HEAP, scenarios))))
                .table("All figures", samples.table(P50, P99, HEAP, CLOSED, CALMED, LOST))
                .table("Attacks compared with honest loads", table)
                .note(
                        "window-drip and window-stall are compared with honest-files, the others"
                                + " with honest; shares of heaps allow for 1 MiB.")
                .note(
                        "closed: by the server, in the whole time of an attack; error lost: the"
                                + " attacker was still sending, so that the kernel's reset overtook"
                                + " GOAWAY.")
                .data("measurements", samples.asList());
    }

    private static double share(
            Samples samples, PeerBehaviour attack, String figure, double slack) {
        double own = samples.median(Scenario.of(attack.label()), figure);
        double honest = samples.median(Scenario.of(attack.comparedTo().label()), figure);
        return Math.max(0, own - slack) / Math.max(honest, slack);
    }
}
