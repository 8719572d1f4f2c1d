package dev.tandem.cli.command;

import java.util.List;
import java.util.function.UnaryOperator;

/// A command of `tandem`.
///
/// @param name its words, such as `serve` or `lab target`: those with the same first word form a
///     group
/// @param operand its operand's name in help, such as `DIR`; `DIR...` if it takes several, `[DIR]`
///     if it is optional, empty if it takes none
/// @param help what it does, in a few words
/// @param details more help, one line each; may be empty
/// @param options in the order of help
/// @param action what it does
/// @param unknownOptionHint returns what to do about an option that it does not have, as a phrase;
///     may be empty
public record Command(
        String name,
        String operand,
        String help,
        List<String> details,
        List<Option> options,
        Action action,
        UnaryOperator<String> unknownOptionHint) {

    public Command(
            String name,
            String operand,
            String help,
            List<String> details,
            List<Option> options,
            Action action) {
        this(name, operand, help, details, options, action, _ -> "");
    }

    /// What a command does.
    @FunctionalInterface
    public interface Action {
        /// @throws Failure if it fails; the message is shown
        void run(Arguments arguments);
    }

    /// Returns the command line without options.
    public String synopsis() {
        return operand.isEmpty() ? name : name + " " + operand;
    }

    /// Returns whether an operand is required: one in brackets is optional.
    boolean needsOperand() {
        return !operand.isEmpty() && !operand.startsWith("[");
    }

    boolean takesSeveral() {
        return operand.endsWith("...");
    }

    /// Returns the words of the name.
    public List<String> words() {
        return List.of(name.split(" "));
    }
}
