package dev.tandem.lab;

import java.io.PrintStream;
import java.util.Locale;

/// Says what was done and about how long the rest takes, a line each: reads well in a pipe, too.
final class Progress {
    private final PrintStream out;
    private final long beganNanos = System.nanoTime();
    private final double planned;
    private double done;

    /// @param planned how long all of it should take, in seconds
    Progress(PrintStream out, double planned) {
        this.out = out;
        this.planned = Math.max(1, planned);
    }

    /// @param seconds how long this step was planned to take
    /// @param what was found
    void step(double seconds, String what) {
        done = Math.min(planned, done + seconds);
        double real = (System.nanoTime() - beganNanos) / 1e9;
        // What was slower than planned until now will be so.
        double slower = done > 0 ? Math.max(1, real / done) : 1;
        long left = Math.round((planned - done) * slower);
        out.printf(Locale.ROOT, "%3d:%02d left  %s%n", left / 60, left % 60, what);
        out.flush();
    }
}
