package dev.tandem.lab;

import java.io.PrintStream;
import java.util.List;
import java.util.function.UnaryOperator;

/// Something that the lab measures, with all that a command line must know of it. Immutable.
public final class Experiment {
    private final String name;
    private final String help;
    private final List<String> details;
    private final List<Setting> settings;
    private final Procedure procedure;

    Experiment(
            String name,
            String help,
            List<String> details,
            List<Setting> settings,
            Procedure procedure) {
        this.name = name;
        this.help = help;
        this.details = List.copyOf(details);
        this.settings = List.copyOf(settings);
        this.procedure = procedure;
    }

    /// Such as `speed`.
    public String name() {
        return name;
    }

    /// What it shows, in a few words.
    public String help() {
        return help;
    }

    /// More, one line each.
    public List<String> details() {
        return details;
    }

    /// In the order of help.
    public List<Setting> settings() {
        return settings;
    }

    /// Measures. Takes seconds to minutes, says how long, and leaves `result.json` and `result.md`
    /// in the folder that its setting `out` names. A goal that is not reached is a result, no
    /// failure.
    ///
    /// @param values gives the value, or the fallback, of the setting of a name
    /// @param out for progress and the table at the end
    /// @throws LabException if it cannot be done; what was measured until then is kept
    /// @throws IllegalArgumentException if a value is wrong; names the setting and the value
    public void run(UnaryOperator<String> values, PrintStream out) throws LabException {
        try {
            procedure.run(new Settings(values), Surroundings.ofProcess(out));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LabException("interrupted");
        }
    }

    /// What an experiment does.
    @FunctionalInterface
    interface Procedure {
        void run(Settings settings, Surroundings surroundings)
                throws LabException, InterruptedException;
    }
}
