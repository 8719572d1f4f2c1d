package dev.tandem.testkit;

import java.util.Arrays;

/// Times in nanoseconds, all kept, and their exact quantiles. Confined to one thread.
public final class Latencies {
    private long[] nanos = new long[1024];
    private int count;

    public void add(long time) {
        if (count == nanos.length) {
            nanos = Arrays.copyOf(nanos, 2 * count);
        }
        nanos[count++] = time;
    }

    public int count() {
        return count;
    }

    /// @param part 0.99 for the 99th percentile
    /// @return 0 if there are none
    public double millis(double part) {
        if (count == 0) {
            return 0;
        }
        long[] sorted = Arrays.copyOf(nanos, count);
        Arrays.sort(sorted);
        return sorted[(int) Math.min(count - 1, (long) (part * count))] / 1e6;
    }
}
