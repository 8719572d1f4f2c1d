package dev.tandem.cli.command;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/// Output of a command, and whether it is a terminal.
///
/// @param out for results
/// @param err for errors
/// @param isColoured whether `out` is a terminal that supports colours
public record Terminal(PrintStream out, PrintStream err, boolean isColoured) {

    /// Set by the launcher, which detects a terminal at no cost; the JDK would load a line editor.
    private static final String PROPERTY = "tandem.terminal";

    public static Terminal ofProcess() {
        return new Terminal(System.out, System.err, Boolean.getBoolean(PROPERTY));
    }

    public String bold(String text) {
        return isColoured ? "\033[1m" + text + "\033[0m" : text;
    }

    public String dim(String text) {
        return isColoured ? "\033[2m" + text + "\033[0m" : text;
    }

    public String accent(String text) {
        return isColoured ? "\033[36m" + text + "\033[0m" : text;
    }

    /// Returns `sign` if it can be shown, else `plain`.
    public String sign(String sign, String plain) {
        return isColoured && out.charset().equals(StandardCharsets.UTF_8) ? sign : plain;
    }
}
