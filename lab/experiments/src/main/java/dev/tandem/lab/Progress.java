package dev.tandem.lab;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.function.LongSupplier;

/// Prints what was done and about how long the rest takes: a line each, and on a terminal a bar
/// under them. Confined to one thread.
final class Progress {
    private static final int BAR_WIDTH = 40;

    /// A quarter: the plan counts as if this part of it had been measured already, so that one slow
    /// step at the beginning does not multiply the estimate.
    private static final double ASSUMED = 0.25;

    /// Goes to the start of the line and clears it (ECMA-48).
    private static final String CLEAR = "\r\033[K";

    private final PrintStream out;
    private final boolean hasBar;
    private final LongSupplier nanos;
    private long beganNanos;
    private double planned = 1;
    private double done;
    private boolean isBarShown;

    /// @param hasBar whether to draw a bar, for a terminal
    /// @param nanos a clock
    Progress(PrintStream out, boolean hasBar, LongSupplier nanos) {
        this.out = out;
        this.hasBar = hasBar;
        this.nanos = nanos;
        this.beganNanos = nanos.getAsLong();
    }

    /// Begins.
    ///
    /// @param seconds planned duration of all steps
    void plan(double seconds) {
        planned = Math.max(1, seconds);
        done = 0;
        beganNanos = nanos.getAsLong();
        showBar();
    }

    /// @param seconds planned duration of this step
    /// @param what was found
    void step(double seconds, String what) {
        done = Math.min(planned, done + seconds);
        long left = secondsLeft();
        if (hasBar) {
            say("  " + what);
        } else {
            say(String.format(Locale.ROOT, "%3d:%02d left  %s", left / 60, left % 60, what));
        }
    }

    /// Prints a line of its own, whatever is shown.
    void say(String line) {
        hideBar();
        out.println(line);
        showBar();
        out.flush();
    }

    /// Ends the bar.
    void end() {
        hideBar();
        out.flush();
        planned = 0;
    }

    private long secondsLeft() {
        double real = (nanos.getAsLong() - beganNanos) / 1e9;
        double assumed = ASSUMED * planned;
        return Math.round((planned - done) * (real + assumed) / (done + assumed));
    }

    private void hideBar() {
        if (isBarShown) {
            out.print(CLEAR);
            isBarShown = false;
        }
    }

    private void showBar() {
        if (!hasBar || planned <= 1) {
            return;
        }
        boolean hasBlocks = out.charset().equals(StandardCharsets.UTF_8);
        int full = (int) Math.round(BAR_WIDTH * done / planned);
        long left = secondsLeft();
        out.print(
                "  "
                        + (hasBlocks ? "━" : "#").repeat(full)
                        + (hasBlocks ? "╌" : ".").repeat(BAR_WIDTH - full)
                        + String.format(
                                Locale.ROOT,
                                "  %3.0f %%  %d:%02d left",
                                100 * done / planned,
                                left / 60,
                                left % 60));
        out.flush();
        isBarShown = true;
    }
}
