package dev.tandem.pagecache;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.function.DoubleSupplier;

/// The load of the processors that this process may run on. Load on other processors (of another
/// control group, or another `taskset`) does not affect it. Not thread safe.
final class ProcessorLoad implements DoubleSupplier {
    private static final String ALLOWED = "Cpus_allowed_list:";

    /// Columns of `cpuN user nice system idle iowait irq …`, in the kernel's ticks.
    private static final int IDLE = 4;

    private static final int IO_WAIT = 5;

    /// User, nice, system, idle, iowait, irq, softirq, steal; the other columns are included in
    /// user.
    private static final int LAST = 8;

    private final Path proc;
    private final DoubleSupplier fallback;
    private long busy;
    private long all;

    /// @param proc the folder `/proc`
    /// @param fallback the load where `proc` does not show it
    ProcessorLoad(Path proc, DoubleSupplier fallback) {
        this.proc = proc;
        this.fallback = fallback;
        sample();
    }

    /// Returns the load since the last call, 0 to 1; negative if unknown.
    @Override
    public double getAsDouble() {
        long busyBefore = busy;
        long allBefore = all;
        sample();
        // The sums decrease when a processor is taken away: the next call is correct again.
        return all <= allBefore || busy < busyBefore
                ? fallback.getAsDouble()
                : (double) (busy - busyBefore) / (all - allBefore);
    }

    private void sample() {
        BitSet allowed = allowed();
        busy = 0;
        all = 0;
        for (String line : lines("stat")) {
            String[] words = line.split(" +");
            if (words.length > LAST
                    && words[0].matches("cpu[0-9]{1,6}")
                    && allowed.get(Integer.parseInt(words[0].substring(3)))) {
                add(words);
            }
        }
    }

    private void add(String[] words) {
        for (int i = 1; i <= LAST; i++) {
            long ticks = words[i].matches("[0-9]{1,18}") ? Long.parseLong(words[i]) : 0;
            all += ticks;
            busy += i == IDLE || i == IO_WAIT ? 0 : ticks;
        }
    }

    /// Parses a list of numbers such as `0-3,8`.
    private BitSet allowed() {
        var allowed = new BitSet();
        for (String line : lines("self/status")) {
            if (line.startsWith(ALLOWED)) {
                for (String range : line.substring(ALLOWED.length()).strip().split(",")) {
                    add(range, allowed);
                }
            }
        }
        return allowed;
    }

    private static void add(String range, BitSet to) {
        if (range.matches("[0-9]{1,6}(-[0-9]{1,6})?")) {
            int dash = range.indexOf('-');
            int first = Integer.parseInt(dash < 0 ? range : range.substring(0, dash));
            int last = Integer.parseInt(range.substring(dash + 1));
            to.set(first, Math.max(first, last) + 1);
        }
    }

    private List<String> lines(String name) {
        try {
            return Files.readAllLines(proc.resolve(name));
        } catch (IOException | SecurityException _) {
            return List.of();
        }
    }
}
