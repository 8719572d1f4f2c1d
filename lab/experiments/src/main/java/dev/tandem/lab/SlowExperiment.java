package dev.tandem.lab;

import dev.tandem.lab.Headline.Goal;
import dev.tandem.lab.chart.Axis;
import dev.tandem.lab.chart.Bars;
import dev.tandem.lab.chart.Caption;
import dev.tandem.load.LoadReport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Thousands of clients at once that read nothing of a WebSocket group or an event channel, or a
/// byte a second, or send a message that does not end, or half-close: what others notice of them,
/// and what they hold of the server's memory. Confined to one thread.
final class SlowExperiment {
    private static final String TANDEM = "tandem";
    private static final String NOTHING = "nothing";
    private static final String GROUP = "slow";
    private static final String P99 = "p99 µs";
    private static final String P99_FILLING = "p99 µs while buffers fill";
    private static final String DELIVERY = "delivery ms";
    private static final String SHARE = "received share";
    private static final String HEAP = "heap MiB";
    private static final String RESIDENT = "RAM MiB";
    private static final String KERNEL = "kernel MiB";
    private static final String CONNECTED = "connected";
    private static final String ENDED = "all ended after s";

    /// Texts of 16 KiB, four a second: in five seconds more than may wait for a client.
    private static final int TEXT_BYTES = 16 << 10;

    private static final double RATE = 4;
    private static final int FILL_SECONDS = 8;
    private static final double RAMP_SECONDS = 0.3;
    private static final double P99_SHARE_MAX = 2;

    /// KiB: an incomplete message of 60 takes up to twice as much until all have no memory left.
    private static final double HEAP_MAX = 128;

    private static final double KIB = 1 << 10;
    private static final double MIB = 1 << 20;

    /// Descriptors of a server that come and go.
    private static final int DESCRIPTORS_SLACK = 16;

    private static final int GONE_SECONDS_MAX = 20;
    private static final int POLL_MILLIS = 100;

    /// Time for opening clients and for reading the heap.
    private static final double ASIDE_SECONDS = 6;

    private static final Pattern TCP_PAGES = Pattern.compile("(?m)^TCP: .* mem (\\d+)");
    private static final int PAGE = 4096;

    private static final List<String> LABELS =
            Arrays.stream(SlowClients.Behaviour.values())
                    .map(SlowClients.Behaviour::label)
                    .toList();

    private static final Setting CLIENTS =
            new Setting("clients", "N", "10000", "1000", "how many at once");
    private static final Setting BEHAVIOURS =
            new Setting("behaviours", "NAMES", String.join(",", LABELS), "what they do");
    private static final Setting REPETITIONS =
            new Setting("repetitions", "N", "3", "1", "how often each is measured, alternately");
    private static final Setting SECS =
            new Setting("secs", "N", "5", "3", "how long, when buffers are full, in seconds");
    private static final Setting WAIT =
            new Setting("wait", "N", "0", "most seconds to wait until the server has ended them");
    private static final Setting WARM =
            new Setting("warm", "N", "8", "5", "seconds of the other client before");

    static final Experiment EXPERIMENT =
            new Experiment(
                    "slow",
                    "measures what thousands of clients that read nothing do to others",
                    List.of("WebSocket sessions and event streams: docs/websocket.md."),
                    new Experiment.Terms(
                            List.of(CLIENTS, BEHAVIOURS, REPETITIONS, SECS, WAIT, WARM),
                            List.of(Need.descriptors(4_096)),
                            175,
                            600),
                    SlowExperiment::run);

    private final Run run;
    private final Bench bench;
    private final int clients;
    private final int seconds;
    private final int waitSeconds;

    private SlowExperiment(Run run, Bench bench) throws LabException {
        Settings settings = run.settings();
        this.run = run;
        this.bench = bench;
        this.clients =
                IdleConnections.possible(
                        settings.number(CLIENTS, 1, 100_000), Kernel.descriptorsMax());
        this.seconds = settings.number(SECS, 1, 600);
        this.waitSeconds = settings.number(WAIT, 0, 600);
    }

    private static void run(Run run) throws LabException, InterruptedException {
        try (Bench bench = Bench.open(run)) {
            bench.lineup()
                    .add(
                            TANDEM,
                            new Lineup.Entry(
                                    OwnRival.TANDEM,
                                    bench.workFolder().root(),
                                    bench.pinning().serverList(),
                                    RivalSettings.DEFAULT));
            new SlowExperiment(run, bench).measureAll();
        }
    }

    private void measureAll() throws LabException, InterruptedException {
        Settings settings = run.settings();
        var scenarios = new ArrayList<Scenario>();
        scenarios.add(Scenario.of(NOTHING));
        for (String name : settings.words(BEHAVIOURS, LABELS)) {
            scenarios.add(Scenario.of(SlowClients.Behaviour.named(name).label()));
        }
        int warm = settings.number(WARM, 0, 600);
        if (warm > 0) {
            try (SingleClient client = SingleClient.start(server(), run.seed(), 0, warm)) {
                client.await();
            }
        }
        double each = FILL_SECONDS + seconds + ASIDE_SECONDS + waitSeconds;
        var plan = new Repetitions.Plan(settings.number(REPETITIONS, 1, 99), 0, each, 900);
        new Repetitions(run, scenarios, plan).measure(this::measureOnce, this::findings);
    }

    private RunningRival server() throws LabException, InterruptedException {
        return bench.lineup().running(TANDEM);
    }

    // ---- A measurement.

    private Reading measureOnce(Scenario scenario, int repetition)
            throws LabException, InterruptedException {
        Memory before = memory();
        boolean isNothing = scenario.contender().equals(NOTHING);
        var figures = new LinkedHashMap<String, Double>();
        try (var publisher = new LiveClients();
                var slow =
                        new SlowClients(
                                isNothing
                                        ? SlowClients.Behaviour.TEXTS_UNREAD
                                        : SlowClients.Behaviour.named(scenario.contender()))) {
            publisher.open(server().port(), "/live/" + GROUP, TEXT_BYTES);
            while (!isNothing && slow.count() < clients) {
                slow.open(server().port(), GROUP);
            }
            long opened = System.nanoTime();
            figures.put(P99, Double.NaN); // the first one in tables
            LoadReport filling = publish(publisher, slow, FILL_SECONDS, new LinkedHashMap<>());
            figures.put(P99_FILLING, 1e3 * filling.measured().millis(99));
            LoadReport full = publish(publisher, slow, seconds, figures);
            figures.put(P99, 1e3 * full.measured().millis(99));
            Memory after = memory();
            figures.put(HEAP, Math.max(0, after.heap - before.heap) / MIB);
            figures.put(RESIDENT, Math.max(0, after.resident - before.resident) / MIB);
            figures.put(KERNEL, Math.max(0, after.kernel - before.kernel) / MIB);
            figures.put(CONNECTED, (double) Math.max(0, connected(before)));
            if (waitSeconds > 0 && !isNothing) {
                figures.put(ENDED, awaitEnd(before, opened, slow));
            }
        } catch (IOException e) {
            server().needsLife();
            throw new LabException(scenario + ": " + e.getMessage());
        }
        awaitGone(before);
        return Reading.of(figures);
    }

    /// Has a text sent to all at the rate, next to the other client.
    private LoadReport publish(
            LiveClients publisher, SlowClients slow, int seconds, Map<String, Double> figures)
            throws LabException, InterruptedException, IOException {
        try (SingleClient other =
                SingleClient.start(server(), run.seed(), RAMP_SECONDS, seconds - RAMP_SECONDS)) {
            double worst = 0;
            double received = 0;
            double sent = 0;
            for (int second = 0; second < seconds; second++) {
                LiveClients.Result result = publisher.broadcast(1, RATE, 1);
                worst = Math.max(worst, result.times().millis(99));
                received += result.received();
                sent += result.sent();
                slow.drip();
            }
            figures.put(DELIVERY, worst);
            figures.put(SHARE, received / sent);
            return other.await();
        }
    }

    /// Memory in bytes, and descriptors.
    private record Memory(double heap, double resident, double kernel, int descriptors) {}

    private Memory memory() throws LabException, InterruptedException {
        RunningRival server = server();
        Matcher pages = TCP_PAGES.matcher(Kernel.read("net/sockstat"));
        double kernel = pages.find() ? PAGE * Double.parseDouble(pages.group(1)) : Double.NaN;
        return new Memory(
                server.heapBytes(),
                server.residentBytes(),
                kernel,
                Kernel.descriptorCount(server.pid()));
    }

    /// Returns how many of the slow clients the server has, next to the publisher.
    private int connected(Memory before) throws LabException, InterruptedException {
        return Kernel.descriptorCount(server().pid()) - before.descriptors - 1;
    }

    /// @return seconds until the server had ended all; NaN if it did not in time
    private double awaitEnd(Memory before, long since, SlowClients slow)
            throws LabException, InterruptedException {
        long until = System.nanoTime() + (long) (1e9 * waitSeconds);
        long dripped = System.nanoTime();
        while (connected(before) > DESCRIPTORS_SLACK) {
            if (System.nanoTime() - until > 0) {
                return Double.NaN;
            }
            Thread.sleep(POLL_MILLIS);
            if (System.nanoTime() - dripped > 1e9) {
                dripped = System.nanoTime();
                slow.drip();
            }
        }
        return (System.nanoTime() - since) / 1e9;
    }

    private void awaitGone(Memory before) throws LabException, InterruptedException {
        long until = System.nanoTime() + (long) (1e9 * GONE_SECONDS_MAX);
        while (connected(before) > DESCRIPTORS_SLACK) {
            if (System.nanoTime() - until > 0) {
                throw new LabException(connected(before) + " closed connections remain");
            }
            Thread.sleep(POLL_MILLIS);
        }
        bench.lineup().calm(TANDEM);
    }

    // ---- The report.

    private Findings findings(Samples samples) {
        List<Scenario> scenarios = samples.scenarios();
        List<String> names = scenarios.stream().map(Scenario::contender).toList();
        return new Findings(
                        "Slow clients",
                        "What do others notice of "
                                + Figures.show(clients, 0)
                                + " clients at once that do not read what a group or a channel"
                                + " sends them, and what do they hold?")
                .headline(headlines(samples))
                .chart(
                        Bars.of(
                                new Caption(
                                        "p99 of another client",
                                        "One request at a time; shorter is better."),
                                names,
                                Axis.linear("p99", "µs"),
                                List.of(
                                        samples.bars("while buffers fill", P99_FILLING, scenarios),
                                        samples.bars("then", P99, scenarios))))
                .chart(
                        Bars.of(
                                new Caption(
                                        "Memory that they hold",
                                        "Of the server's heap, and of the kernel."),
                                names,
                                Axis.linear("memory", "MiB"),
                                List.of(
                                        samples.bars("heap", HEAP, scenarios),
                                        samples.bars("kernel", KERNEL, scenarios))))
                .table(
                        "All figures",
                        samples.table(
                                P99,
                                P99_FILLING,
                                DELIVERY,
                                SHARE,
                                HEAP,
                                RESIDENT,
                                KERNEL,
                                CONNECTED,
                                ENDED))
                .table("Behaviours", behaviours())
                .note(
                        "A member that reads sends a text of 16 KiB four times a second, which goes"
                                + " to all members and subscribers; delivery: p99 of its own texts"
                                + " in the worst second.")
                .note(
                        "kernel: what all TCP connections of the machine hold, both ends of these"
                                + " included; connected: how many the server still has at the end.")
                .data("measurements", samples.asList());
    }

    private List<Headline> headlines(Samples samples) {
        double alone = samples.median(Scenario.of(NOTHING), P99);
        double worstP99 = Double.NaN;
        double worstHeap = Double.NaN;
        for (Scenario scenario : samples.scenarios()) {
            if (!scenario.contender().equals(NOTHING)) {
                double p99 = samples.median(scenario, P99) / alone;
                double heap = samples.median(scenario, HEAP) * KIB / clients;
                worstP99 = p99 <= worstP99 ? worstP99 : p99;
                worstHeap = heap <= worstHeap ? worstHeap : heap;
            }
        }
        var lines = new ArrayList<Headline>();
        lines.add(
                new Headline(
                        "p99 of another client, share of that without them, worst",
                        worstP99,
                        "",
                        Goal.atMost(P99_SHARE_MAX)));
        lines.add(
                new Headline(
                        "heap that each holds, worst", worstHeap, "KiB", Goal.atMost(HEAP_MAX)));
        double halfClosed =
                samples.median(Scenario.of(SlowClients.Behaviour.HALF_CLOSED.label()), CONNECTED);
        if (!Double.isNaN(halfClosed)) {
            lines.add(
                    new Headline(
                            "half-closed sessions that remain", halfClosed, "", Goal.atMost(0)));
        }
        return lines;
    }

    private static Table behaviours() {
        var table = new Table("behaviour", "it is");
        for (SlowClients.Behaviour behaviour : SlowClients.Behaviour.values()) {
            table.row(behaviour.label(), behaviour.help());
        }
        return table;
    }
}
