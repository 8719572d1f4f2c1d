package dev.tandem.cli.command;

import java.util.List;

/// A command of `tandem`.
///
/// @param name its words, such as `serve` or `lab target`: those with the same first word are a
///     group
/// @param operand what stands for its operand in help, such as `DIR`; `DIR...` if it takes
///     several, `[DIR]` if it may be left out, empty if it takes none
/// @param help what it does, in a few words
/// @param details more, one line each; may be empty
/// @param options in the order of help
/// @param action what it does
public record Command(
        String name,
        String operand,
        String help,
        List<String> details,
        List<Option> options,
        Action action) {

    /// What a command does.
    @FunctionalInterface
    public interface Action {
        /// @throws Failure if it cannot; the message is shown
        void run(Arguments arguments);
    }

    /// As it is typed, without options.
    public String synopsis() {
        return operand.isEmpty() ? name : name + " " + operand;
    }

    /// Whether there must be an operand: one in brackets may be left out.
    boolean needsOperand() {
        return !operand.isEmpty() && !operand.startsWith("[");
    }

    boolean takesSeveral() {
        return operand.endsWith("...");
    }

    /// The words of the name.
    public List<String> words() {
        return List.of(name.split(" "));
    }
}
