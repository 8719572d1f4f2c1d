package dev.tandem.lab;

import dev.tandem.lab.Headline.Goal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Injects faults into real processes under load, and checks that nothing is lost that was
/// acknowledged, and that the server serves again.
final class FaultsExperiment {
    private static final Setting FAULTS =
            new Setting("faults", "A,B", "all", "comma-separated, of those in the table");
    private static final Setting SECONDS =
            new Setting("seconds", "N", "30", "5", "how long a fault lasts, where it lasts");
    private static final int QUICK_SECONDS = 180;
    private static final int FULL_SECONDS = 600;

    static final Experiment EXPERIMENT =
            new Experiment(
                    "faults",
                    "kills, stops and starves servers under load",
                    List.of(
                            "Programs that are not installed, and what needs root without it, are",
                            "left out and named. Fails where a promise is broken."),
                    new Experiment.Terms(
                            List.of(FAULTS, SECONDS), List.of(), QUICK_SECONDS, FULL_SECONDS),
                    FaultsExperiment::run);

    private FaultsExperiment() {}

    private static List<Fault> all() {
        var all = new ArrayList<Fault>();
        all.addAll(ProcessFaults.all());
        all.addAll(ResourceFaults.all());
        all.addAll(NetworkFaults.all());
        all.addAll(FileFaults.all());
        return all;
    }

    private static List<Fault> chosen(Settings settings) {
        List<Fault> all = all();
        var names = new ArrayList<>(all.stream().map(Fault::name).toList());
        names.add("all");
        List<String> words = settings.words(FAULTS, names);
        return all.stream()
                .filter(fault -> words.contains("all") || words.contains(fault.name()))
                .toList();
    }

    static void run(Run run) throws LabException, InterruptedException {
        List<Fault> faults = chosen(run.settings());
        int seconds = run.settings().number(SECONDS, 1, 600);
        run.facts(Machine.describe(run.environment(), Pinning.NONE));
        run.plan(faults.size() * (seconds / 3.0 + 12));
        var table = new Table("fault", "load", "promised", "kept", "what happened");
        int broken = 0;
        int done = 0;
        try (WorkFolder work = WorkFolder.make()) {
            for (Fault fault : faults) {
                double began = System.nanoTime();
                String kept = "not tried";
                String happened;
                try {
                    Fault.Outcome outcome = inject(fault, run, work, seconds);
                    kept = outcome.isKept() ? "yes" : "**no**";
                    happened = outcome.happened();
                    broken += outcome.isKept() ? 0 : 1;
                    done++;
                } catch (Fault.Impossible e) {
                    happened = String.valueOf(e.getMessage());
                }
                table.row(fault.name(), fault.load(), fault.promise(), kept, happened);
                run.step(
                        (System.nanoTime() - began) / 1e9,
                        fault.name() + ": " + kept + ": " + happened);
                run.keep(findings(table, done, broken));
            }
        }
        if (broken > 0) {
            run.complain(broken + " promises were broken");
        }
    }

    private static Fault.Outcome inject(Fault fault, Run run, WorkFolder work, int seconds)
            throws LabException, InterruptedException, Fault.Impossible {
        Path folder = work.folder().resolve("fault-" + fault.name());
        try {
            Files.createDirectories(folder.resolve("static"));
        } catch (IOException e) {
            throw new LabException("cannot make " + folder + ": " + e.getMessage());
        }
        try {
            return fault.procedure().inject(new Fault.Bench(run, folder, seconds));
        } catch (LabException e) {
            return new Fault.Outcome(false, e.line());
        }
    }

    private static Findings findings(Table table, int done, int broken) {
        return new Findings(
                        "Faults under load",
                        "What happens to requests, and to what was acknowledged, when something"
                                + " fails?")
                .headline(new Headline("broken promises", broken, "", Goal.atMost(0)))
                .headline(new Headline("faults injected", done, "", null))
                .table("Faults", table);
    }
}
