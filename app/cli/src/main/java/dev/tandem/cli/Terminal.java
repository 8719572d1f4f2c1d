package dev.tandem.cli;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/// Where a command prints, and whether a person looks on.
///
/// @param out for what was asked for
/// @param err for what went wrong
/// @param isColoured whether `out` is a terminal that may be coloured
record Terminal(PrintStream out, PrintStream err, boolean isColoured) {

    /// Set by the launcher, which finds it out for nothing; the JDK would load a line editor.
    private static final String PROPERTY = "tandem.terminal";

    static Terminal ofProcess() {
        return new Terminal(System.out, System.err, Boolean.getBoolean(PROPERTY));
    }

    String bold(String text) {
        return isColoured ? "\033[1m" + text + "\033[0m" : text;
    }

    String dim(String text) {
        return isColoured ? "\033[2m" + text + "\033[0m" : text;
    }

    String accent(String text) {
        return isColoured ? "\033[36m" + text + "\033[0m" : text;
    }

    /// `sign` where it can be shown, else `plain`.
    String sign(String sign, String plain) {
        return isColoured && out.charset().equals(StandardCharsets.UTF_8) ? sign : plain;
    }
}
