package dev.tandem.lab;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One run of an experiment: its environment, and its findings so far. Findings are written to the
/// disk immediately, marked as partial until the run has finished, so that neither a failure nor a
/// kill loses them. Confined to one thread.
final class Run {
    /// The fact that says when servers were warm.
    static final String WARM = "warm";

    private final Experiment experiment;
    private final Order order;
    private final Environment environment;
    private final Settings settings;
    private final Progress progress;
    private final Map<String, String> facts = new LinkedHashMap<>();
    private final Map<String, String> commands = new LinkedHashMap<>();
    private final Disturbances disturbances = new Disturbances();
    private final Tracing tracing = new Tracing();
    private final List<String> gaps = new ArrayList<>();
    private @Nullable String problem;
    private @Nullable Findings kept;

    Run(Experiment experiment, Order order, Environment environment, boolean isTerminal) {
        this.experiment = experiment;
        this.order = order;
        this.environment = environment;
        this.progress = new Progress(environment.out(), isTerminal, System::nanoTime);
        this.settings = new Settings(this::value);
    }

    private String value(String name) {
        String chosen = order.chosen().get(name);
        if (chosen != null) {
            return chosen;
        }
        for (Setting setting : experiment.settings()) {
            if (setting.name().equals(name)) {
                return setting.fallback(order.form());
            }
        }
        throw new IllegalStateException(experiment.name() + " has no setting " + name);
    }

    Settings settings() {
        return settings;
    }

    Environment environment() {
        return environment;
    }

    Form form() {
        return order.form();
    }

    long seed() {
        return order.seed();
    }

    /// Records disturbances by others.
    Disturbances disturbances() {
        return disturbances;
    }

    /// Whether Tandem is recorded.
    boolean isTraced() {
        return order.hasTraces();
    }

    Tracing tracing() {
        return tracing;
    }

    /// The folder of the results.
    Path folder() {
        return order.folder();
    }

    /// @param seconds planned duration of the run
    void plan(double seconds) {
        progress.plan(seconds);
    }

    /// @param seconds planned duration of this step
    /// @param what was found
    void step(double seconds, String what) {
        progress.step(seconds, what);
    }

    /// Prints a line for a person at the terminal.
    void say(String line) {
        progress.say(line);
    }

    /// Adds facts on the machine to the report.
    void facts(Map<String, String> more) {
        facts.putAll(more);
    }

    /// Adds to the report how long a server was loaded before it was measured.
    ///
    /// @param server its name; behind `, ` or ` at ` its settings
    /// @param isWarm whether its responses cost the same from second to second by then
    void warmed(String server, double seconds, boolean isWarm) {
        WarmLoad load = WarmLoad.of(server, isWarm, seconds);
        say("warm: " + load.words());
        facts.put(WARM, load.addTo(facts.getOrDefault(WARM, "")));
    }

    /// Adds a program's start command to the report; without paths on this machine.
    void command(String program, List<String> words) {
        commands.put(program, TargetCommand.withoutFolders(words));
    }

    /// Records that something could not be measured: the run continues, but its results are
    /// partial.
    ///
    /// @param line what, and why
    void gap(String line) {
        gaps.add(line);
        say("not measured: " + line);
    }

    /// Records that fewer repetitions than planned fitted into the time: not a gap, since every
    /// figure is there.
    void cutShort(int repetitions, int planned) {
        facts.put(
                "repetitions", repetitions + " of " + planned + ": more did not fit into the time");
    }

    /// Records that all was measured, with a result so bad that the command fails.
    void complain(String line) {
        problem = line;
    }

    /// Writes the findings so far; replaces earlier ones.
    ///
    /// @throws LabException if they cannot be written
    void keep(Findings findings) throws LabException {
        tracing.addTo(findings);
        kept = findings;
        report(findings, "the run has not ended").write(order.folder());
    }

    /// Ends a run that was not aborted.
    ///
    /// @throws LabException if something was not measured, or a complaint was recorded
    void finish() throws LabException {
        if (isTraced() && tracing.isEmpty() && gaps.isEmpty()) {
            gap("no trace: " + experiment.name() + " starts no Tandem that could be recorded");
        }
        String gap =
                gaps.isEmpty()
                        ? null
                        : "not all was measured: "
                                + gaps.getFirst()
                                + (gaps.size() > 1 ? ", and " + (gaps.size() - 1) + " more" : "");
        end(gap);
        if (gap != null) {
            throw new LabException(gap);
        }
        if (problem != null) {
            throw new LabException(problem);
        }
    }

    /// Ends a run that cannot continue.
    void breakOff(String reason) throws LabException {
        end(reason);
    }

    private void end(@Nullable String gap) throws LabException {
        progress.end();
        if (kept == null) {
            return;
        }
        Report report = report(kept, gap);
        report.write(order.folder());
        if (order.hasPictures()) {
            new ChartImages(environment.tools()).write(report, order.folder());
        }
        report.print(environment.out(), order.folder());
    }

    private Report report(Findings findings, @Nullable String gap) {
        var origin =
                new Origin(
                        experiment.name(),
                        order.form(),
                        settings.asTyped(experiment.name(), order),
                        settings.used(),
                        order.seed(),
                        new LinkedHashMap<>(facts),
                        new LinkedHashMap<>(commands),
                        disturbances.sentences());
        return new Report(findings, origin, gap);
    }
}
