package dev.tandem.lab.commands;

import dev.tandem.cli.command.Arguments;
import dev.tandem.cli.command.Command;
import dev.tandem.cli.command.Failure;
import dev.tandem.cli.command.Option;
import dev.tandem.cli.command.Terminal;
import dev.tandem.lab.Comparison;
import dev.tandem.lab.Experiment;
import dev.tandem.lab.Experiments;
import dev.tandem.lab.Form;
import dev.tandem.lab.LabException;
import dev.tandem.lab.Need;
import dev.tandem.lab.Order;
import dev.tandem.lab.Setting;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Stream;

/// The experiments of the lab as commands: `lab list`, `lab run NAME...` with an option for each
/// setting of the named experiments, and `lab report DIR...`.
///
/// @param terminal where progress and results are shown
record LabRuns(Terminal terminal) {
    private static final String RUN = "lab run";
    private static final Path RESULTS = Path.of("lab-results");

    private static final Option QUICK =
            Option.flag("--quick", "in minutes; `tandem lab list` says how many");
    private static final Option FULL = Option.flag("--full", "as thoroughly as published figures");
    private static final Option OUT =
            new Option(
                    "--out",
                    "DIR",
                    "lab-results/NAME",
                    "folder of the results; replaces older ones");
    private static final Option SEED =
            new Option("--seed", "N", Long.toString(Order.SEED), "seed of all random choices");
    private static final Option PNG = Option.flag("--png", "also writes charts as PNG files");
    private static final Option TRACE =
            Option.flag("--trace", "records Tandem once more, and draws its threads' states");
    private static final Option PAGE =
            new Option("--out", "FILE", "lab-results/comparison.html", "file of the page");

    /// Maximum number of digits that always fit into a seed.
    /// The value of a flag that was given.
    private static final String GIVEN = "yes";

    private static final int SEED_DIGITS_MAX = 18;

    List<Command> all() {
        return List.of(
                new Command(
                        "lab list",
                        "",
                        "lists experiments, and what they need",
                        List.of(),
                        List.of(),
                        _ -> list()),
                new Command(
                        RUN,
                        "NAME...",
                        "measures, and writes a report",
                        List.of(
                                "Runs in full by default. tandem lab list shows all",
                                "names; tandem lab run NAME --help its further options."),
                        List.of(QUICK, FULL, OUT, SEED, PNG, TRACE),
                        this::run),
                new Command(
                        "lab report",
                        "DIR...",
                        "compares runs of one experiment",
                        List.of("DIR is a folder given by --out; ratios are to the first."),
                        List.of(PAGE),
                        this::report));
    }

    /// Returns a command with the options of the experiments that its arguments name.
    ///
    /// @param words behind the command
    static Command refined(Command command, List<String> words) {
        // Experiments are not loaded for other commands: a server would start later.
        if (!command.name().equals(RUN)) {
            return command;
        }
        List<Experiment> named =
                Experiments.all().stream().filter(e -> words.contains(e.name())).toList();
        if (named.isEmpty()) {
            return command;
        }
        var options = new LinkedHashMap<String, Option>();
        command.options().forEach(option -> options.put(option.name(), option));
        for (Experiment experiment : named) {
            for (Setting setting : experiment.settings()) {
                Option option = option(setting);
                options.putIfAbsent(option.name(), option);
            }
        }
        Experiment first = named.getFirst();
        boolean isOne = named.size() == 1;
        return new Command(
                RUN,
                command.operand(),
                isOne ? first.help() : command.help(),
                isOne ? first.details() : command.details(),
                List.copyOf(options.values()),
                command.action());
    }

    private static Option option(Setting setting) {
        if (setting.isFlag()) {
            return Option.flag("--" + setting.name(), setting.help());
        }
        boolean isSame = setting.fallback().equals(setting.quick());
        String fallback = setting.fallback() + (isSame ? "" : "; quick: " + setting.quick());
        return new Option("--" + setting.name(), setting.placeholder(), fallback, setting.help());
    }

    private void list() {
        for (Experiment experiment : Experiments.all()) {
            terminal.out()
                    .printf(
                            "%s  %s (%s quick, %s full)%n",
                            terminal.bold("%-8s".formatted(experiment.name())),
                            experiment.help(),
                            time(experiment.seconds(Form.QUICK)),
                            time(experiment.seconds(Form.FULL)));
            for (Need need : experiment.needs()) {
                terminal.out().printf("%10s%s%n", "", line(need));
            }
        }
        terminal.out().flush();
    }

    private String line(Need need) {
        String what = (need.isOptional() ? "compares with " : "needs ") + need.name();
        return need.isHere() ? terminal.dim(what + ": here") : what + ": missing; " + need.wayOut();
    }

    private static String time(int seconds) {
        return seconds < 100 ? seconds + " s" : Math.round(seconds / 60.0) + " min";
    }

    private void run(Arguments arguments) {
        if (arguments.has(QUICK) && arguments.has(FULL)) {
            throw arguments.usageError("--quick and --full exclude each other");
        }
        List<Experiment> experiments = experiments(arguments);
        var failures = new ArrayList<String>();
        for (Experiment experiment : experiments) {
            try {
                Order order = order(experiment, arguments, experiments.size() > 1);
                experiment.run(order, terminal.out(), terminal.isColoured());
            } catch (LabException e) {
                failures.add(experiment.name() + ": " + e.getMessage());
            } catch (IllegalArgumentException e) {
                throw arguments.usageError(String.valueOf(e.getMessage()));
            }
        }
        if (!failures.isEmpty()) {
            throw Failure.failed(String.join("; ", failures));
        }
    }

    private static List<Experiment> experiments(Arguments arguments) {
        try {
            return arguments.operands().stream().distinct().map(Experiments::named).toList();
        } catch (IllegalArgumentException e) {
            throw Failure.usageError(String.valueOf(e.getMessage()));
        }
    }

    private static Order order(Experiment experiment, Arguments arguments, boolean isOneOfMany) {
        var chosen = new HashMap<String, String>();
        for (Setting setting : experiment.settings()) {
            Option option = option(setting);
            if (arguments.has(option)) {
                chosen.put(setting.name(), setting.isFlag() ? GIVEN : arguments.value(option));
            }
        }
        return new Order(
                arguments.has(QUICK) ? Form.QUICK : Form.FULL,
                chosen,
                seed(arguments),
                folder(experiment, arguments, isOneOfMany),
                arguments.has(PNG),
                arguments.has(TRACE));
    }

    private static Path folder(Experiment experiment, Arguments arguments, boolean isOneOfMany) {
        if (!arguments.has(OUT)) {
            return RESULTS.resolve(experiment.name());
        }
        Path out = path(arguments, arguments.value(OUT));
        return isOneOfMany ? out.resolve(experiment.name()) : out;
    }

    private static long seed(Arguments arguments) {
        String text = arguments.value(SEED);
        if (text.length() > SEED_DIGITS_MAX || !text.matches("[0-9]+")) {
            throw arguments.usageError(
                    "--seed must be a number of 1 to 18 digits, was '" + text + "'");
        }
        return Long.parseLong(text);
    }

    private void report(Arguments arguments) {
        Path file = path(arguments, arguments.value(PAGE));
        Stream<Path> folders = arguments.operands().stream().map(name -> path(arguments, name));
        try {
            Comparison.of(folders.toList()).write(file);
        } catch (LabException e) {
            throw Failure.failed(String.valueOf(e.getMessage()));
        }
        terminal.out().println("written: " + file);
        terminal.out().flush();
    }

    private static Path path(Arguments arguments, String name) {
        try {
            return Path.of(name);
        } catch (InvalidPathException e) {
            throw arguments.usageError("'" + name.replace('\0', '?') + "' is not a path");
        }
    }
}
