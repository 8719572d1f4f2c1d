package dev.tandem.cli;

import dev.tandem.cli.command.Command;
import dev.tandem.cli.command.Failure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The commands of the laboratory, for help that lists them before they are built: the launcher of
/// a clone builds them on first use. A test of the laboratory compares this list with its commands.
final class Laboratory {
    /// In the order of help.
    static final List<Command> COMMANDS =
            List.of(
                    entry("demo", "", "runs an auction, and shows what the server does"),
                    entry("demo bookstore", "", "serves the bookstore of TPC-W"),
                    entry("lab", "", "lists experiments, their targets and rivals"),
                    entry("load", "URL", "loads a server and says what came of it"),
                    entry("load httperf", "", "loads a server as httperf does"));

    private Laboratory() {}

    private static Command entry(String name, String operand, String help) {
        return new Command(name, operand, help, List.of(), List.of(), _ -> {});
    }

    /// Returns whether they can be built: the folder that the launcher names has sources, which
    /// those of packages have not.
    static boolean canBeBuilt() {
        String home = System.getProperty("tandem.home");
        return home != null && Files.exists(Path.of(home, "pom.xml"));
    }

    static boolean has(String word) {
        return COMMANDS.stream().anyMatch(command -> command.words().getFirst().equals(word));
    }

    /// @param words the command line
    static Failure notInstalled(List<String> words) {
        return Failure.failed(
                "'"
                        + String.join(" ", words)
                        + "' is a command of the laboratory, which is not installed here: the"
                        + " launcher ./tandem of a clone builds it on first use");
    }
}
