package dev.tandem.lab;

import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Gets `/hello` at a constant rate on one TLS connection that lasts as long as the soak, and
/// measures from when each request was due. Its own thread sends; any thread may read.
final class SoakProbe implements AutoCloseable {
    private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /// What a reading interval may hold, and more.
    private static final int TIMES_MAX = 1 << 16;

    private final SoakPlace place;
    private final SoakContents contents;
    private final SoakTally tally;
    private final Thread thread;
    private final long[] times = new long[TIMES_MAX];

    /// Guarded by this.
    private int count;

    private volatile boolean isStopped;

    /// @param tally receives each request as a run
    SoakProbe(SoakPlace place, SoakContents contents, SoakTally tally) {
        this.place = place;
        this.contents = contents;
        this.tally = tally;
        this.thread = Thread.ofPlatform().name("lab-probe").daemon().start(this::run);
    }

    private void run() {
        @Nullable Caller caller = null;
        long due = System.nanoTime();
        while (!isStopped) {
            try {
                caller = caller == null ? place.newTrust().connect(place.tls(), "TLSv1.3") : caller;
                contents.expect("/hello", caller.get("/hello"));
                tally.good();
                add(System.nanoTime() - due);
            } catch (IOException e) {
                tally.failed(e);
                close(caller);
                caller = null;
            }
            due += INTERVAL_NANOS;
            LockSupport.parkNanos(due - System.nanoTime());
        }
        close(caller);
    }

    private static void close(@Nullable Caller caller) {
        try {
            if (caller != null) {
                caller.close();
            }
        } catch (IOException e) {
            // It is closed all the same.
        }
    }

    private synchronized void add(long nanos) {
        if (count < TIMES_MAX) {
            times[count++] = nanos;
        }
    }

    /// Returns the times since the last call, ascending, in nanoseconds.
    synchronized long[] take() {
        long[] taken = Arrays.copyOf(times, count);
        count = 0;
        Arrays.sort(taken);
        return taken;
    }

    /// Returns NaN if there is none.
    static double quantile(long[] sorted, double share) {
        return sorted.length == 0
                ? Double.NaN
                : sorted[(int) Math.min(sorted.length - 1L, (long) (share * sorted.length))];
    }

    @Override
    public void close() {
        isStopped = true;
        LockSupport.unpark(thread);
    }
}
