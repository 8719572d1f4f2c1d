package dev.tandem.lab.commands;

import dev.tandem.cli.CommandProvider;
import dev.tandem.cli.LauncherPart;
import dev.tandem.cli.TrainingCommand;
import dev.tandem.cli.command.Command;
import dev.tandem.cli.command.Terminal;
import dev.tandem.cli.serving.ServerLifecycle;
import dev.tandem.cli.serving.ServerStart;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// All commands of the laboratory, for `tandem` to find by [java.util.ServiceLoader].
public final class LabCommands implements CommandProvider {

    @Override
    public List<Command> commands(Terminal terminal, ServerLifecycle stay) {
        var starter = new ServerStart(terminal, stay);
        var commands = new ArrayList<Command>();
        commands.add(new AuctionDemo(terminal, stay).command());
        commands.add(new BookstoreDemo(starter).command());
        commands.add(new TargetCommand(terminal, stay).command());
        commands.addAll(new LabRuns(terminal).all());
        commands.add(new PaperCommand(terminal).command());
        commands.addAll(new RivalCommands(terminal, stay).all());
        commands.add(new StoreCommand(starter).command());
        commands.add(new PeersCommand(terminal).command());
        commands.add(LoadCommand.of(terminal));
        commands.add(HttperfCommand.of(terminal));
        return commands;
    }

    @Override
    public Command refined(Command command, List<String> words) {
        return LabRuns.refined(command, words);
    }

    @Override
    public List<TrainingCommand> trainingRuns(Path root, LauncherPart part) {
        var target = List.of("lab", "target", "--root", root.toString());
        return switch (part) {
            case PRODUCT, SERVLETS -> List.of();
            case LABORATORY -> List.of(managed(target));
            case LABORATORY_SERVLETS -> {
                var servlets = new ArrayList<>(target);
                servlets.add("--servlet");
                yield List.of(managed(servlets));
            }
            case DEMO -> List.of(managed(List.of("demo")));
        };
    }

    private static TrainingCommand managed(List<String> command) {
        var words = new ArrayList<>(command);
        words.addAll(List.of("--manage", "127.0.0.1:0"));
        return new TrainingCommand(words, true);
    }
}
