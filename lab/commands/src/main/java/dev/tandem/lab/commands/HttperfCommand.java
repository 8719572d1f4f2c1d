package dev.tandem.lab.commands;

import dev.tandem.cli.command.Arguments;
import dev.tandem.cli.command.Command;
import dev.tandem.cli.command.Option;
import dev.tandem.cli.command.Terminal;
import dev.tandem.load.Httperf;
import dev.tandem.load.LoadReport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;

/// `tandem load httperf`: the load generator with httperf's options and report.
final class HttperfCommand {
    private static final int COLUMNS = 80;

    private final Arguments arguments;
    private final Terminal terminal;

    private HttperfCommand(Arguments arguments, Terminal terminal) {
        this.arguments = arguments;
        this.terminal = terminal;
    }

    static Command of(Terminal terminal) {
        var options = new ArrayList<Option>();
        Httperf.options()
                .forEach((name, label) -> options.add(new Option("--" + name, label, "", "")));
        List<String> details = details(options);
        Httperf.absent().forEach((name, _) -> options.add(Option.flag("--" + name, "")));
        options.add(Option.flag(LoadRuns.OWN, ""));
        options.add(new Option(LoadRuns.JSON, "FILE", "", ""));
        return new Command(
                "load httperf",
                "",
                "loads a server as httperf does",
                details,
                options,
                arguments -> new HttperfCommand(arguments, terminal).run());
    }

    /// All options in few lines: httperf's manual explains them.
    private static List<String> details(List<Option> options) {
        var lines = new ArrayList<String>();
        lines.add("As httperf(1) describes them; --verbose adds the lab's own report:");
        var line = new StringBuilder(" ");
        for (Option option : options) {
            if (line.length() + 1 + option.term().length() > COLUMNS - 2) {
                lines.add(line.toString());
                line = new StringBuilder(" ");
            }
            line.append(' ').append(option.term());
        }
        lines.add(line.toString());
        return lines;
    }

    private void run() {
        var given = new HashMap<String, String>();
        for (String name : Httperf.options().keySet()) {
            if (arguments.has("--" + name)) {
                given.put(name, arguments.value("--" + name));
            }
        }
        for (String name : Httperf.absent().keySet()) {
            if (arguments.has("--" + name)) {
                given.put(name, "");
            }
        }
        Httperf httperf = read(given);
        var runs = new LoadRuns(arguments, terminal);
        LoadReport report =
                runs.play(
                        httperf.load().withOwnTarget(arguments.has(LoadRuns.OWN)),
                        httperf.workload());
        terminal.out().print(httperf.report(report));
        if (arguments.has("--verbose")) {
            terminal.out().print(report.text());
        } else {
            report.generator()
                    .warnings()
                    .forEach(warning -> terminal.err().println("tandem: " + warning));
        }
        terminal.out().flush();
        runs.write(report);
    }

    private Httperf read(HashMap<String, String> given) {
        try {
            return Httperf.of(given, terminal.out()::println);
        } catch (IllegalArgumentException e) {
            throw arguments.usageError(String.valueOf(e.getMessage()));
        }
    }
}
