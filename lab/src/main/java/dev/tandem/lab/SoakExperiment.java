package dev.tandem.lab;

import dev.tandem.lab.Headline.Goal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Loads a target with clients of all kinds and looks whether it keeps anything: what it holds when
/// all have gone, after a short while and at the end.
final class SoakExperiment {
    private static final Setting MINUTES = new Setting("minutes", "N", "2", "how long");
    private static final Setting OUT =
            new Setting("out", "DIR", "lab-results/soak", "where result.json and result.md go");

    static final Experiment EXPERIMENT =
            new Experiment(
                    "soak",
                    "looks for leaks under clients of all kinds",
                    List.of("Fails if an answer is wrong or the target keeps what it should not."),
                    List.of(MINUTES, OUT),
                    SoakExperiment::run);

    /// After which all kinds have been there and caches are full.
    private static final int FIRST_SECONDS = 20;

    /// How long the server may take to close what its clients have left.
    private static final int QUIET_SECONDS_MAX = 20;

    /// While nothing more is closed for so long, nothing more will be: longer than the server
    /// lingers on a connection that it closes.
    private static final long STILL_MILLIS = 2_500;

    private static final int STRETCH_SECONDS = 10;

    private static final int DESCRIPTORS_GROWTH_MAX = 2;

    /// What a JVM's own books vary by. A leak of ten bytes a visit would be more.
    private static final long HEAP_GROWTH_MAX = 512 * 1_024;

    /// The buffers of four workers; how many there are depends on the moment.
    private static final long NATIVE_GROWTH_MAX = 1_024 * 1_024;

    private static final int CLASSES_SHOWN = 8;

    private final Surroundings around;
    private final Child server;
    private final SoakCrowd crowd;

    private SoakExperiment(Surroundings around, Child server, SoakCrowd crowd) {
        this.around = around;
        this.server = server;
        this.crowd = crowd;
    }

    /// How long both stretches of load are.
    ///
    /// @param firstSeconds until the first look
    /// @param thenSeconds from there to the second
    record Length(int firstSeconds, int thenSeconds) {}

    static void run(Settings settings, Surroundings around)
            throws LabException, InterruptedException {
        int minutes = settings.number(MINUTES, 1, 24 * 60);
        Path out = settings.path(OUT);
        var length = new Length(FIRST_SECONDS, 60 * minutes - FIRST_SECONDS);
        String command = settings.asTyped("soak");
        Report report = soak(length, around, command);
        report.write(out);
        report.print(around.out(), out);
        for (Headline line : report.headline()) {
            if (line.verdict().equals("no")) {
                throw new LabException(
                        "the soak failed: " + line.name() + " is " + Math.round(line.value()));
            }
        }
    }

    /// @throws LabException if the target ends
    static Report soak(Length length, Surroundings around, String command)
            throws LabException, InterruptedException {
        Kernel.need();
        Toolbox.jcmd();
        Map<String, String> machine = Machine.describe(around, Pinning.NONE);
        machine.remove("pinning");
        TargetCommand counting = around.target().with(JvmMemory.COUNT_NATIVE);
        int port = Child.freePort();
        try (Workplace place = Workplace.make();
                Child server =
                        Child.start(
                                "target",
                                counting.at(port, place.root()),
                                port,
                                place.log("target"))) {
            server.awaitAnswer(Trial.HELLO.path());
            var crowd = new SoakCrowd(port, new SoakVisitors(place).kinds());
            return new SoakExperiment(around, server, crowd).run(length, command, machine);
        }
    }

    private Report run(Length length, String command, Map<String, String> machine)
            throws LabException, InterruptedException {
        int all = length.firstSeconds + length.thenSeconds;
        var progress = new Progress(around.out(), all);
        // The first look loads classes and makes a thread.
        JvmMemory.of(server);
        load(length.firstSeconds, progress);
        JvmMemory before = look();
        progress.step(0, found(before));
        load(length.thenSeconds, progress);
        JvmMemory after = look();
        progress.step(0, found(after));
        return report(before, after, command, machine);
    }

    /// In stretches, so that a target that ends is noticed soon.
    private void load(int seconds, Progress progress) throws LabException, InterruptedException {
        int left = seconds;
        while (left > 0) {
            int stretch = Math.min(left, STRETCH_SECONDS);
            crowd.visit(stretch);
            server.needsLife();
            left -= stretch;
            progress.step(
                    stretch,
                    "%s visits, %s failed".formatted(show(crowd.visits()), show(crowd.failed())));
        }
    }

    /// Waits until the server has closed what its clients left, then looks.
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
        return "all clients gone: %s descriptors, %s KiB of live heap"
                .formatted(memory.descriptors(), show(memory.heapBytes() / 1_024));
    }

    private Report report(
            JvmMemory before, JvmMemory after, String command, Map<String, String> machine) {
        var headline =
                List.of(
                        new Headline("failed visits", crowd.failed(), "", Goal.atMost(0)),
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
                        new Headline("visits", crowd.visits(), "", null));
        var tables = new LinkedHashMap<String, Table>();
        tables.put("Visits", crowd.table());
        tables.put("What the target held with no client left", held(before, after));
        tables.put("Classes that grew (bytes)", growth(before, after));
        var notes = new ArrayList<String>();
        notes.add(
                "Memory outside of the heap is what Java code took there, as the JVM counts it;"
                        + " RAM is of the whole process, its compiler and collector included.");
        crowd.failures().forEach(failure -> notes.add("Failed: " + failure));
        return new Report(
                "Soak",
                command,
                machine,
                headline,
                new Report.Findings(tables, notes),
                data(before, after));
    }

    private static double nativeGrowth(JvmMemory before, JvmMemory after) {
        boolean isKnown =
                before.nativeBytes() != JvmMemory.UNKNOWN
                        && after.nativeBytes() != JvmMemory.UNKNOWN;
        return isKnown ? after.nativeBytes() - before.nativeBytes() : Double.NaN;
    }

    private static Table held(JvmMemory before, JvmMemory after) {
        return new Table("what", "first look", "at the end")
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
        data.put("visits", crowd.visits());
        data.put("failures", crowd.failures());
        return data;
    }
}
