package dev.tandem.cli.command;

import java.util.ArrayList;
import java.util.List;

/// An option of a command, `--name VALUE` or `--name=VALUE`; a flag is `--name` alone.
///
/// @param name with its dashes
/// @param label what stands for the value in help; empty for a flag, `[=VALUE]` where the value may
///     be left away, and only stands behind an equals sign; `VALUE...` if it may be given several
///     times
/// @param fallback the value where none is given; empty for a flag
/// @param help what it does, in a few words
public record Option(String name, String label, String fallback, String help) {

    /// An option without a value.
    public static Option flag(String name, String help) {
        return new Option(name, "", "", help);
    }

    /// All options of several lists, in their order.
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

    /// Whether it may be given several times.
    boolean takesSeveral() {
        return label.endsWith("...");
    }

    boolean mayBeFlag() {
        return label.startsWith("[=");
    }

    /// As it is typed.
    public String term() {
        return isFlag() || mayBeFlag() ? name + label : name + " " + label;
    }
}
