package dev.tandem.cli;

import dev.tandem.cli.command.Arguments;
import dev.tandem.cli.command.Command;
import dev.tandem.cli.command.Failure;
import dev.tandem.cli.command.Terminal;
import dev.tandem.cli.serving.ServerLifecycle;
import dev.tandem.cli.serving.ServerStart;
import dev.tandem.config.NameSuggestion;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/// The commands of `tandem`: the product's own, and those of [CommandProvider]s.
///
/// Parses its arguments itself: the library used before took longer to start than the server, since
/// the JVM's cache cannot hold classes as old as its (decision record on starting).
public final class Commands {
    /// Used by the launcher; in no list.
    private static final String TRAINING_RUN = "rehearse";

    private final Terminal terminal;
    private final ServerLifecycle lifecycle;
    private final List<Command> commands;

    /// @param lifecycle of servers that commands start
    public Commands(Terminal terminal, ServerLifecycle lifecycle) {
        this.terminal = terminal;
        this.lifecycle = lifecycle;
        commands = new ArrayList<>();
        commands.add(new ServeCommand(terminal, lifecycle).command());
        commands.add(new RunCommand(terminal, lifecycle).command());
        commands.add(new DemoFilesCommand(new ServerStart(terminal, lifecycle)).command());
        commands.addAll(new ConfigCommands(terminal).all());
        commands.add(new ExplainCommand(terminal).command());
        commands.add(new DrainCommand(terminal).command());
        commands.add(new TraceCommand(terminal).command());
        commands.add(new CertCommand(terminal).command());
    }

    /// Runs a command.
    ///
    /// @return 0 done, 1 failed, 2 usage error; in the latter cases one line on standard error
    ///     gives the reason
    public int execute(String... args) {
        try {
            execute(List.of(args));
            return 0;
        } catch (Failure e) {
            terminal.err().println("tandem: " + e.getMessage());
            return e.status();
        }
    }

    private void execute(List<String> words) {
        String first = words.isEmpty() ? "--help" : words.getFirst();
        switch (first) {
            case "--help", "-h", "help" -> print(overview());
            case "--version", "-V" -> print(Version.lines());
            case TRAINING_RUN ->
                    new TrainingRun(this::train, this::providers, lifecycle)
                            .run(LauncherPart.named(words.getLast()));
            default -> executeCommand(words);
        }
    }

    private int train(Terminal other, ServerLifecycle meanwhile, List<String> words) {
        return new Commands(other, meanwhile).execute(words.toArray(String[]::new));
    }

    private String overview() {
        boolean hasLaboratory = Laboratory.canBeBuilt();
        List<Command> further = hasLaboratory ? Laboratory.COMMANDS : List.of();
        return new Help(terminal).overview(commands, further);
    }

    private void executeCommand(List<String> words) {
        Optional<Command> own = find(commands, words);
        if (own.isPresent()) {
            run(own.get(), remainingWords(own.get(), words));
            return;
        }
        var known = new ArrayList<>(commands);
        for (CommandProvider provider : providers()) {
            List<Command> provided = provider.commands(terminal, lifecycle);
            Optional<Command> command = find(provided, words);
            if (command.isPresent()) {
                List<String> remaining = remainingWords(command.get(), words);
                run(provider.refined(command.get(), remaining), remaining);
                return;
            }
            known.addAll(provided);
        }
        showGroup(words, known);
    }

    /// Loaded one after the other: most commands need only the first.
    private Iterable<CommandProvider> providers() {
        return ServiceLoader.load(CommandProvider.class);
    }

    /// Returns the command whose name matches most of the words, if there is one.
    private static Optional<Command> find(List<Command> commands, List<String> words) {
        Command best = null;
        for (Command command : commands) {
            if (beginsWith(words, command.words())
                    && (best == null || command.words().size() > best.words().size())) {
                best = command;
            }
        }
        return Optional.ofNullable(best);
    }

    private static List<String> remainingWords(Command command, List<String> words) {
        return words.subList(command.words().size(), words.size());
    }

    /// Shows the group of commands of the given name.
    ///
    /// @throws Failure if there is none
    private void showGroup(List<String> words, List<Command> known) {
        List<String> asked = words.stream().takeWhile(word -> !word.startsWith("-")).toList();
        boolean isProvided = known.size() > commands.size();
        if (!isProvided && Laboratory.has(words.getFirst())) {
            throw Laboratory.notInstalled(asked);
        }
        for (int length = 1; length <= asked.size(); length++) {
            if (group(known, asked.subList(0, length)).isEmpty()) {
                throw unknown(asked, length, known);
            }
        }
        if (asked.isEmpty()) {
            throw unknown(words, 1, known);
        }
        print(new Help(terminal).group(String.join(" ", asked), group(known, asked)));
    }

    private static List<Command> group(List<Command> known, List<String> words) {
        return known.stream().filter(command -> beginsWith(command.words(), words)).toList();
    }

    private static boolean beginsWith(List<String> words, List<String> start) {
        return words.size() >= start.size() && words.subList(0, start.size()).equals(start);
    }

    /// @param length number of words that match no command
    private static Failure unknown(List<String> words, int length, List<Command> known) {
        List<String> group = words.subList(0, length - 1);
        List<String> names =
                group(known, group).stream()
                        .filter(command -> command.words().size() >= length)
                        .map(command -> command.words().get(length - 1))
                        .toList();
        String nearest = NameSuggestion.nearest(words.get(length - 1), names);
        var help = new ArrayList<>(group);
        help.addFirst("tandem");
        return Failure.usageError(
                "unknown command '"
                        + String.join(" ", words.subList(0, length))
                        + "'"
                        + (nearest.isEmpty() ? "" : " (did you mean " + nearest + "?)")
                        + "; see "
                        + String.join(" ", help)
                        + " --help");
    }

    private void run(Command command, List<String> words) {
        if (asksForHelp(words)) {
            print(new Help(terminal).command(command));
            return;
        }
        command.action().run(Arguments.parse(command, words));
    }

    private static boolean asksForHelp(List<String> words) {
        return words.contains("--help") || words.contains("-h");
    }

    private void print(String text) {
        terminal.out().print(text);
        terminal.out().flush();
    }
}
