package dev.tandem.lab;

import dev.tandem.lab.Headline.Goal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/// Finds what an idle connection costs: memory, and time of the active ones. Two targets run, one
/// with idle connections and one without, and are loaded in turns.
final class IdleExperiment {
    private static final Setting CONNECTIONS =
            new Setting("connections", "N", "10000", "how many idle ones");
    private static final Setting ROUNDS =
            new Setting("rounds", "N", "5", "how often active ones are measured, in turns");
    private static final Setting SECS =
            new Setting("secs", "N", "3", "how long each time, in seconds");
    private static final Setting WARM =
            new Setting("warm", "N", "6", "CPU that each target gets to warm up, in seconds");
    private static final Setting OUT =
            new Setting("out", "DIR", "lab-results/idle", "where result.json and result.md go");

    static final Experiment EXPERIMENT =
            new Experiment(
                    "idle",
                    "measures what idle connections cost",
                    List.of("Needs wrk (apt-get install wrk)."),
                    List.of(CONNECTIONS, ROUNDS, SECS, WARM, OUT),
                    IdleExperiment::run);

    private static final String ALONE = "alone";
    private static final String HOLDING = "holding idle ones";
    /// About what opening the connections and looking at the memory three times take.
    private static final double OPEN_SECONDS = 15;

    /// What two looks at /proc take beside a load.
    private static final double ASIDE_SECONDS = 0.7;

    private static final int ATTEMPTS_MAX = 3;
    private static final int CLASSES_SHOWN = 8;

    private final Meter meter;
    private final Surroundings around;
    private final Length length;
    private final Progress progress;
    private final List<Take> takes = new ArrayList<>();

    /// How often and how long active connections are measured.
    ///
    /// @param warmSeconds CPU that each target gets before
    private record Length(int rounds, int seconds, int warmSeconds) {}

    /// What was found of memory.
    private record Cost(JvmMemory before, JvmMemory after, int wanted, int opened) {
        double heapBytesEach() {
            return (double) (after.heapBytes() - before.heapBytes()) / opened;
        }

        double residentBytesEach() {
            return (double) (after.residentBytes() - before.residentBytes()) / opened;
        }
    }

    private IdleExperiment(Surroundings around, Pinning pinning, Length length)
            throws LabException {
        this.around = around;
        this.length = length;
        this.meter = new Meter(Wrk.of(around.tools(), pinning), ATTEMPTS_MAX);
        double takes = 2.0 * length.rounds * (length.seconds + ASIDE_SECONDS);
        this.progress = new Progress(around.out(), 2.0 * length.warmSeconds + OPEN_SECONDS + takes);
    }

    static void run(Settings settings, Surroundings around)
            throws LabException, InterruptedException {
        int wanted = settings.number(CONNECTIONS, 1, 1_000_000);
        var length =
                new Length(
                        settings.number(ROUNDS, 1, 99),
                        settings.number(SECS, 1, 600),
                        settings.number(WARM, 0, 600));
        Path out = settings.path(OUT);
        Kernel.need();
        Toolbox.jcmd();
        Pinning pinning = Pinning.of(around.tools());
        var experiment = new IdleExperiment(around, pinning, length);
        Map<String, String> machine = Machine.describe(around, pinning);
        try (Workplace place = Workplace.make();
                Child alone = start(ALONE, around, pinning, place);
                Child holding = start(HOLDING, around, pinning, place);
                var idle = new IdleConnections(Trial.HELLO.path())) {
            experiment.warm(alone);
            experiment.warm(holding);
            Cost cost = experiment.open(idle, holding, wanted);
            for (int round = 1; round <= length.rounds; round++) {
                experiment.take(alone, round);
                experiment.take(holding, round);
            }
            String command = settings.asTyped("idle");
            Report report = experiment.report(cost, idle.countOpen(), command, machine);
            report.write(out);
            report.print(around.out(), out);
        } catch (IOException e) {
            throw new LabException("an idle connection failed: " + e.getMessage());
        }
    }

    private static Child start(String name, Surroundings around, Pinning pinning, Workplace place)
            throws LabException, InterruptedException {
        int port = Child.freePort();
        List<String> command = pinning.onServer(around.target().at(port, place.root()));
        Child child = Child.start(name, command, port, place.log(name));
        try {
            child.awaitAnswer(Trial.HELLO.path());
            return child;
        } catch (LabException | InterruptedException e) {
            child.close();
            throw e;
        }
    }

    private void warm(Child server) throws LabException, InterruptedException {
        meter.warm(server, Trial.HELLO, length.warmSeconds);
        progress.step(length.warmSeconds, server.name() + ": warm");
    }

    private Cost open(IdleConnections idle, Child server, int wanted)
            throws LabException, InterruptedException {
        int count = IdleConnections.possible(wanted, Kernel.descriptorsMax());
        if (count == 0) {
            throw new LabException("no descriptors left: raise the limit by ulimit -n");
        }
        // The first look loads classes and makes a thread.
        JvmMemory.of(server);
        JvmMemory before = JvmMemory.of(server);
        try {
            idle.open(server.port(), count);
        } catch (IOException e) {
            throw new LabException(
                    "only " + idle.count() + " connections could be opened: " + e.getMessage());
        }
        JvmMemory after = JvmMemory.of(server);
        progress.step(OPEN_SECONDS, Figures.show(count, 0) + " idle connections are open");
        return new Cost(before, after, wanted, count);
    }

    private void take(Child server, int round) throws LabException, InterruptedException {
        Take take = meter.take(server, Trial.HELLO, round, length.seconds);
        takes.add(take);
        progress.step(
                length.seconds + ASIDE_SECONDS,
                "%-18s round %d: %8s µs%s"
                        .formatted(
                                server.name(),
                                round,
                                Figures.show(take.cpuMicros(), 2),
                                take.isDisturbed() ? "  (disturbed)" : ""));
    }

    private Report report(Cost cost, int open, String command, Map<String, String> machine) {
        double ratio =
                figures(HOLDING, Take::cpuMicros).median()
                        / figures(ALONE, Take::cpuMicros).median();
        var headline =
                List.of(
                        new Headline(
                                "heap per idle connection",
                                cost.heapBytesEach(),
                                "bytes",
                                Goal.atMost(1_024)),
                        new Headline(
                                "RAM of the process per idle connection",
                                cost.residentBytesEach(),
                                "bytes",
                                null),
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
                                Goal.atLeast(cost.opened())));
        var tables = new LinkedHashMap<String, Table>();
        tables.put("64 active connections", active());
        tables.put("What an idle connection is made of (bytes each)", parts(cost));
        return new Report(
                "What idle connections cost",
                command,
                machine,
                headline,
                new Report.Findings(tables, notes(cost)),
                data(cost, open));
    }

    private Table active() {
        var table = new Table("target", "req/s", "CPU µs/req", "p50 ms", "p99 ms", "errors");
        for (String name : List.of(ALONE, HOLDING)) {
            table.row(
                    name,
                    figures(name, take -> take.load().rate()).show(0),
                    figures(name, Take::cpuMicros).show(2),
                    figures(name, take -> take.load().p50Millis()).show(2),
                    figures(name, take -> take.load().p99Millis()).show(2),
                    Long.toString(errors(name)));
        }
        return table;
    }

    private static Table parts(Cost cost) {
        var table = new Table("class", "bytes");
        for (var entry : cost.after().growth(cost.before(), CLASSES_SHOWN)) {
            table.row(entry.getKey(), Figures.show((double) entry.getValue() / cost.opened(), 1));
        }
        return table;
    }

    private List<String> notes(Cost cost) {
        var notes = new ArrayList<String>();
        notes.add("Memory is counted after a full collection; the kernel's part is not in it.");
        if (cost.opened() < cost.wanted()) {
            notes.add(
                    "Only "
                            + Figures.show(cost.opened(), 0)
                            + " of "
                            + Figures.show(cost.wanted(), 0)
                            + " connections: more descriptors need a higher ulimit -n.");
        }
        long disturbed = takes.stream().filter(Take::isDisturbed).count();
        if (disturbed > 0) {
            notes.add("DISTURBED: " + disturbed + " of " + takes.size() + " takes, by others.");
        }
        return notes;
    }

    private Map<String, @Nullable Object> data(Cost cost, int open) {
        var data = new LinkedHashMap<String, @Nullable Object>();
        data.put("connections", cost.opened());
        data.put("stillOpen", open);
        data.put("before", cost.before().asMap());
        data.put("after", cost.after().asMap());
        data.put("takes", takes.stream().map(Take::asMap).toList());
        return data;
    }

    private long errors(String target) {
        return takes.stream()
                .filter(take -> take.contender().equals(target))
                .mapToLong(take -> take.load().errors())
                .sum();
    }

    private Figures figures(String target, ToDoubleFunction<Take> figure) {
        return new Figures(
                takes.stream()
                        .filter(take -> take.contender().equals(target))
                        .mapToDouble(figure)
                        .toArray());
    }
}
