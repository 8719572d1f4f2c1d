package dev.tandem.lab;

import dev.tandem.lab.Headline.Goal;
import dev.tandem.lab.chart.Axis;
import dev.tandem.lab.chart.Bars;
import dev.tandem.lab.chart.Caption;
import dev.tandem.lab.chart.Chart;
import dev.tandem.lab.chart.Series;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Loads a target with clients of all kinds and checks for leaks: compares its memory without
/// clients after a short while and at the end.
final class SoakExperiment {
    private static final Setting MINUTES = new Setting("minutes", "N", "2", "1", "how long");

    static final Experiment EXPERIMENT =
            new Experiment(
                    "soak",
                    "looks for leaks under clients of all kinds",
                    List.of("Fails on a wrong response and on leaks of memory or descriptors."),
                    new Experiment.Terms(List.of(MINUTES), List.of(), 75, 135),
                    SoakExperiment::run);

    /// By then all kinds of clients have run and caches are full.
    private static final int FIRST_SECONDS = 20;

    /// Maximum time for the server to close the connections of disconnected clients.
    private static final int QUIET_SECONDS_MAX = 20;

    /// If nothing more is closed for this time, nothing more will be: longer than the server
    /// lingers on a connection that it closes.
    private static final long STILL_MILLIS = 2_500;

    private static final int STRETCH_SECONDS = 10;

    private static final int DESCRIPTORS_GROWTH_MAX = 2;

    /// Variation of a JVM's own data. A leak of ten bytes a run would be more.
    private static final long HEAP_GROWTH_MAX = 512 * 1_024;

    /// The buffers of four workers; how many there are depends on the moment.
    private static final long NATIVE_GROWTH_MAX = 1_024 * 1_024;

    private static final int CLASSES_SHOWN = 8;
    private static final double MEBI = 1_024 * 1_024;

    private final Run run;
    private final Child server;
    private final SoakLoad crowd;

    private SoakExperiment(Run run, Child server, SoakLoad crowd) {
        this.run = run;
        this.server = server;
        this.crowd = crowd;
    }

    /// Lengths of both parts of the load.
    ///
    /// @param firstSeconds until the first reading
    /// @param thenSeconds from there to the second
    record Length(int firstSeconds, int thenSeconds) {}

    static void run(Run run) throws LabException, InterruptedException {
        int minutes = run.settings().number(MINUTES, 1, 24 * 60);
        soak(new Length(FIRST_SECONDS, 60 * minutes - FIRST_SECONDS), run);
    }

    /// @return the headline figures
    /// @throws LabException if the target ends
    static List<Headline> soak(Length length, Run run) throws LabException, InterruptedException {
        Kernel.need();
        Toolbox.jcmd();
        Map<String, String> machine = Machine.describe(run.environment(), Pinning.NONE);
        machine.remove("pinning");
        run.facts(machine);
        TargetCommand counting = run.environment().target().with(JvmMemory.COUNT_NATIVE);
        int port = FreePorts.next();
        try (WorkFolder workFolder = WorkFolder.make();
                Child server =
                        Child.start(
                                "target",
                                counting.at(port, workFolder.root()),
                                port,
                                workFolder.log("target"))) {
            run.command("target", counting.at(port, workFolder.root()));
            server.awaitResponse(Trial.HELLO.path());
            var crowd = new SoakLoad(port, new SoakClients(workFolder).kinds());
            return new SoakExperiment(run, server, crowd).soak(length);
        }
    }

    private List<Headline> soak(Length length) throws LabException, InterruptedException {
        run.plan(length.firstSeconds + length.thenSeconds);
        // The first reading loads classes and starts a thread.
        JvmMemory.of(server);
        load(length.firstSeconds);
        JvmMemory before = look();
        run.step(0, found(before));
        run.keep(findings(before, before));
        load(length.thenSeconds);
        JvmMemory after = look();
        run.step(0, found(after));
        Findings findings = findings(before, after);
        run.keep(findings);
        for (Headline line : findings.headline()) {
            if (line.verdict().equals("no")) {
                run.complain("the soak failed: " + line.name() + " is " + Math.round(line.value()));
            }
        }
        return findings.headline();
    }

    /// In parts, so that a target that ends is noticed soon.
    private void load(int seconds) throws LabException, InterruptedException {
        int left = seconds;
        while (left > 0) {
            int stretch = Math.min(left, STRETCH_SECONDS);
            crowd.run(stretch);
            server.needsLife();
            left -= stretch;
            run.step(
                    stretch,
                    "%s runs, %s failed".formatted(show(crowd.runs()), show(crowd.failed())));
        }
    }

    /// Waits until the server has closed the connections of disconnected clients, then reads its
    /// memory.
    private JvmMemory look() throws LabException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(QUIET_SECONDS_MAX);
        int descriptors = Integer.MAX_VALUE;
        int now = Kernel.descriptorCount(server.pid());
        while (now < descriptors && System.nanoTime() - end < 0) {
            descriptors = now;
            Thread.sleep(STILL_MILLIS);
            now = Kernel.descriptorCount(server.pid());
        }
        return JvmMemory.of(server);
    }

    private static String found(JvmMemory memory) {
        return "without clients: %s descriptors, %s KiB of live heap"
                .formatted(memory.descriptors(), show(memory.heapBytes() / 1_024));
    }

    private Findings findings(JvmMemory before, JvmMemory after) {
        var headline =
                List.of(
                        new Headline("failed runs", crowd.failed(), "", Goal.atMost(0)),
                        new Headline(
                                "descriptors more than before",
                                after.descriptors() - before.descriptors(),
                                "",
                                Goal.atMost(DESCRIPTORS_GROWTH_MAX)),
                        new Headline(
                                "live heap more than before",
                                after.heapBytes() - before.heapBytes(),
                                "bytes",
                                Goal.atMost(HEAP_GROWTH_MAX)),
                        new Headline(
                                "memory outside of the heap more than before",
                                nativeGrowth(before, after),
                                "bytes",
                                Goal.atMost(NATIVE_GROWTH_MAX)),
                        new Headline("runs", crowd.runs(), "", null));
        var findings =
                new Findings(
                        "Soak",
                        "Does the server leak memory or descriptors of clients of all kinds, once"
                                + " all have gone?");
        crowd.failures().forEach(failure -> findings.note("Failed: " + failure));
        return findings.headline(headline)
                .chart(heldChart(before, after))
                .table("Sessions", crowd.table())
                .table("Memory of the target without clients", held(before, after))
                .table("Classes that grew (bytes)", growth(before, after))
                .note(
                        "Memory outside of the heap is that allocated by Java code, as the JVM"
                                + " counts it; RAM is of the whole process, its compiler and"
                                + " collector included.")
                .data(data(before, after));
    }

    private static Chart heldChart(JvmMemory before, JvmMemory after) {
        return Bars.of(
                new Caption(
                        "Memory held without clients",
                        "A server without leaks has bars of one length; RAM may grow while"
                                + " the JVM compiles."),
                List.of("live heap", "outside of the heap", "RAM"),
                Axis.linear("memory", "MiB"),
                List.of(bars("first check", before), bars("at the end", after)));
    }

    private static Series bars(String name, JvmMemory memory) {
        boolean isKnown = memory.nativeBytes() != JvmMemory.UNKNOWN;
        return Series.ofBars(
                name,
                memory.heapBytes() / MEBI,
                isKnown ? memory.nativeBytes() / MEBI : Double.NaN,
                memory.residentBytes() / MEBI);
    }

    private static double nativeGrowth(JvmMemory before, JvmMemory after) {
        boolean isKnown =
                before.nativeBytes() != JvmMemory.UNKNOWN
                        && after.nativeBytes() != JvmMemory.UNKNOWN;
        return isKnown ? after.nativeBytes() - before.nativeBytes() : Double.NaN;
    }

    private static Table held(JvmMemory before, JvmMemory after) {
        return new Table("what", "first check", "at the end")
                .row("descriptors", show(before.descriptors()), show(after.descriptors()))
                .row("threads", show(before.threads()), show(after.threads()))
                .row("live heap, bytes", show(before.heapBytes()), show(after.heapBytes()))
                .row("outside, bytes", show(before.nativeBytes()), show(after.nativeBytes()))
                .row("RAM, bytes", show(before.residentBytes()), show(after.residentBytes()));
    }

    private static String show(long count) {
        return Figures.show(count, 0);
    }

    private static Table growth(JvmMemory before, JvmMemory after) {
        var table = new Table("class", "more");
        for (var entry : after.growth(before, CLASSES_SHOWN)) {
            table.row(entry.getKey(), show(entry.getValue()));
        }
        return table;
    }

    private Map<String, @Nullable Object> data(JvmMemory before, JvmMemory after) {
        var data = new LinkedHashMap<String, @Nullable Object>();
        data.put("before", before.asMap());
        data.put("after", after.asMap());
        data.put("runs", crowd.runs());
        data.put("failures", crowd.failures());
        return data;
    }
}
