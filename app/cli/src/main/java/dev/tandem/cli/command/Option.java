package dev.tandem.cli.command;

import java.util.ArrayList;
import java.util.List;

/// An option of a command, `--name VALUE` or `--name=VALUE`; a flag is `--name` alone.
///
/// @param name with its dashes
/// @param label the value's name in help; empty for a flag, `[=VALUE]` if the value is optional and
///     must follow an equals sign; `VALUE...` if the option may be repeated
/// @param fallback the default value; empty for a flag
/// @param help what it does, in a few words
public record Option(String name, String label, String fallback, String help) {

    /// Returns an option without a value.
    public static Option flag(String name, String help) {
        return new Option(name, "", "", help);
    }

    /// Returns all options of several lists, in order.
    @SafeVarargs
    public static List<Option> concat(List<Option>... lists) {
        var all = new ArrayList<Option>();
        for (List<Option> list : lists) {
            all.addAll(list);
        }
        return List.copyOf(all);
    }

    boolean isFlag() {
        return label.isEmpty();
    }

    /// Returns whether it may be repeated.
    boolean takesSeveral() {
        return label.endsWith("...");
    }

    boolean mayBeFlag() {
        return label.startsWith("[=");
    }

    /// Returns the option as it is typed.
    public String term() {
        return isFlag() || mayBeFlag() ? name + label : name + " " + label;
    }
}
