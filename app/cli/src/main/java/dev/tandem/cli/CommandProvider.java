package dev.tandem.cli;

import dev.tandem.cli.command.Command;
import dev.tandem.cli.command.Terminal;
import dev.tandem.cli.serving.ServerLifecycle;
import java.nio.file.Path;
import java.util.List;

/// Commands that another jar on the class path adds to `tandem`. Found by
/// [java.util.ServiceLoader], so that the product names none of their classes. Searched only for
/// commands that are not the product's, so that it does not delay the start of a server.
public interface CommandProvider {

    /// @param lifecycle used by commands that start a server
    List<Command> commands(Terminal terminal, ServerLifecycle lifecycle);

    /// Returns a command adapted to the words that it is called with, for example with more
    /// options.
    ///
    /// @param words after the command's name
    default Command refined(Command command, List<String> words) {
        return command;
    }

    /// Returns command lines of servers that are run once after a build, for the JVM's cache of
    /// loaded and linked classes (AOT cache, JEP 514).
    ///
    /// @param root a folder of files to serve
    /// @param part the class path that the cache is for
    default List<TrainingCommand> trainingRuns(Path root, LauncherPart part) {
        return List.of();
    }
}
