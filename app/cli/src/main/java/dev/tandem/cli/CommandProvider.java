package dev.tandem.cli;

import dev.tandem.cli.command.Command;
import dev.tandem.cli.command.Terminal;
import dev.tandem.cli.serving.ServerLifecycle;
import java.nio.file.Path;
import java.util.List;

/// Commands that a jar beside the product's adds to `tandem`: found by [java.util.ServiceLoader],
/// so that the product names none of the classes. Looked for only when a command is not the
/// product's: a server does not start later for it.
public interface CommandProvider {

    /// @param lifecycle what commands that start a server do once it runs
    List<Command> commands(Terminal terminal, ServerLifecycle lifecycle);

    /// A command with what belongs to the words that it is called with, such as more options.
    ///
    /// @param words behind the command's name
    default Command refined(Command command, List<String> words) {
        return command;
    }

    /// Commands that start a server which is run once after a build, for the JVM's cache of loaded
    /// and linked classes (AOT cache, JEP 514).
    ///
    /// @param root a folder of files to serve
    default List<List<String>> trainingRuns(Path root) {
        return List.of();
    }
}
