package dev.tandem.cli;

/// An option of a command, `--name VALUE` or `--name=VALUE`; a flag is `--name` alone.
///
/// @param name with its dashes
/// @param label what stands for the value in help; empty for a flag, `[=VALUE]` where the value may
///     be left away, and only stands behind an equals sign; `VALUE...` if it may be given several
///     times
/// @param fallback the value where none is given; empty for a flag
/// @param help what it does, in a few words
record Option(String name, String label, String fallback, String help) {

    /// An option without a value.
    static Option flag(String name, String help) {
        return new Option(name, "", "", help);
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
    String term() {
        return isFlag() || mayBeFlag() ? name + label : name + " " + label;
    }
}
