package dev.tandem.cli;

import dev.tandem.lab.Experiment;
import dev.tandem.lab.Experiments;
import dev.tandem.lab.LabException;
import dev.tandem.lab.Setting;
import java.util.List;

/// The experiments of the lab as commands: `lab run NAME`, an option for each setting.
final class LabRuns {
    private LabRuns() {}

    static List<Command> all(Terminal terminal) {
        return Experiments.all().stream().map(e -> command(e, terminal)).toList();
    }

    private static Command command(Experiment experiment, Terminal terminal) {
        return new Command(
                "lab run " + experiment.name(),
                "",
                experiment.help(),
                experiment.details(),
                experiment.settings().stream().map(LabRuns::option).toList(),
                arguments -> run(experiment, arguments, terminal));
    }

    private static Option option(Setting setting) {
        return new Option(
                "--" + setting.name(), setting.placeholder(), setting.fallback(), setting.help());
    }

    private static void run(Experiment experiment, Arguments arguments, Terminal terminal) {
        try {
            experiment.run(name -> arguments.value("--" + name), terminal.out());
        } catch (LabException e) {
            throw Failure.failed(String.valueOf(e.getMessage()));
        } catch (IllegalArgumentException e) {
            throw arguments.wrong(String.valueOf(e.getMessage()));
        }
    }
}
