package dev.tandem.cli.command;

import dev.tandem.config.NameSuggestion;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The arguments of a command: its operand and the values of its options.
public final class Arguments {
    private final Command command;
    private final Map<String, String> values = new HashMap<>();
    private final Map<String, List<String>> repeatedValues = new HashMap<>();
    private final List<String> operands = new ArrayList<>();

    private Arguments(Command command) {
        this.command = command;
    }

    /// Parses the words after the command's name. After `--` all words are operands.
    ///
    /// @throws Failure on a usage error; names the word and the help page
    public static Arguments parse(Command command, List<String> words) {
        var arguments = new Arguments(command);
        boolean mayBeOption = true;
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            if (mayBeOption && word.equals("--")) {
                mayBeOption = false;
            } else if (mayBeOption && word.startsWith("-") && word.length() > 1) {
                i += arguments.addOption(word, words.subList(i + 1, words.size()));
            } else {
                arguments.addOperand(word);
            }
        }
        if (arguments.operands.isEmpty() && command.needsOperand()) {
            throw arguments.usageError(command.operand().replace("...", "") + " is missing");
        }
        return arguments;
    }

    /// Returns the operand; empty if the command takes none.
    public String operand() {
        return operands.isEmpty() ? "" : operands.getFirst();
    }

    /// Returns all operands.
    public List<String> operands() {
        return List.copyOf(operands);
    }

    /// Returns whether an option was given.
    public boolean has(Option option) {
        return values.containsKey(option.name()) || repeatedValues.containsKey(option.name());
    }

    /// Returns the option's value, or its fallback if it was not given.
    public String value(Option option) {
        return values.getOrDefault(option.name(), option.fallback());
    }

    /// Returns all values of an option that may be repeated, in order.
    public List<String> values(Option option) {
        return List.copyOf(repeatedValues.getOrDefault(option.name(), List.of()));
    }

    /// Returns the value of an option, by its name.
    ///
    /// @throws IllegalStateException if the command has no such option
    public String value(String name) {
        return value(option(name));
    }

    /// Returns whether the option was given.
    public boolean has(String name) {
        return values.containsKey(option(name).name());
    }

    /// Returns the option's value as a path.
    ///
    /// @throws Failure if it is not a path
    public Path path(Option option) {
        try {
            return Path.of(value(option));
        } catch (InvalidPathException e) {
            throw usageError(option.name() + " is no path: " + e.getMessage());
        }
    }

    private Option option(String name) {
        for (Option option : command.options()) {
            if (option.name().equals(name)) {
                return option;
            }
        }
        throw new IllegalStateException(command.name() + " has no option " + name);
    }

    /// Returns the option's value as a number of at most nine digits.
    ///
    /// @throws Failure if it is not a number; `Integer.parseInt` would accept `+5`
    public int number(Option option) {
        String text = value(option);
        boolean isNumber =
                !text.isEmpty()
                        && text.length() <= 9
                        && text.chars().allMatch(c -> c >= '0' && c <= '9');
        if (!isNumber) {
            throw usageError(option.name() + " must be a number, was '" + text + "'");
        }
        return Integer.parseInt(text);
    }

    /// Returns a usage error with a reference to the command's help.
    public Failure usageError(String what) {
        return Failure.usageError(what + "; see tandem " + command.name() + " --help");
    }

    /// Returns how many of the following words belong to the option.
    private int addOption(String word, List<String> following) {
        int equals = word.indexOf('=');
        String name = equals < 0 ? word : word.substring(0, equals);
        Option option =
                command.options().stream()
                        .filter(known -> known.name().equals(name))
                        .findFirst()
                        .orElseThrow(() -> unknownOption(name));
        if (option.isFlag()) {
            addFlag(option, equals >= 0);
            return 0;
        }
        if (option.mayBeFlag() && equals < 0) {
            put(name, "");
            return 0;
        }
        if (equals < 0 && following.isEmpty()) {
            throw usageError("option '" + name + "' needs a value");
        }
        String value = equals < 0 ? following.getFirst() : word.substring(equals + 1);
        if (option.takesSeveral()) {
            repeatedValues.computeIfAbsent(name, _ -> new ArrayList<>()).add(value);
        } else {
            put(name, value);
        }
        return equals < 0 ? 1 : 0;
    }

    private Failure unknownOption(String name) {
        List<String> names =
                command.options().stream().map(option -> withoutDashes(option.name())).toList();
        String nearest = NameSuggestion.nearest(withoutDashes(name), names);
        String hint =
                nearest.isEmpty()
                        ? command.unknownOptionHint().apply(name)
                        : "did you mean --" + nearest + "?";
        String remark = hint.isEmpty() ? "" : " (" + hint + ")";
        return usageError("unknown option '" + name + "'" + remark);
    }

    private static String withoutDashes(String name) {
        return name.replaceFirst("^-+", "");
    }

    private void addFlag(Option flag, boolean hasValue) {
        if (hasValue) {
            throw usageError("option '" + flag.name() + "' takes no value");
        }
        put(flag.name(), "");
    }

    private void put(String name, String value) {
        if (values.put(name, value) != null) {
            throw usageError("option '" + name + "' is given twice");
        }
    }

    private void addOperand(String word) {
        if (word.isEmpty()) {
            throw usageError("an empty argument");
        }
        boolean hasRoom = operands.isEmpty() || command.takesSeveral();
        if (command.operand().isEmpty() || !hasRoom) {
            throw usageError("'" + word + "' is one argument too many");
        }
        operands.add(word);
    }
}
