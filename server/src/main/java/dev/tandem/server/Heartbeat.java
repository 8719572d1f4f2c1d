package dev.tandem.server;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/// What is done ten times a second while there is work, and not at all while there is none.
final class Heartbeat {
    private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /// After so many beats without a request it rests: 10 s, so that what is learned by the second
    /// is learned to the end.
    private static final int QUIET_BEATS = 100;

    private final List<Runnable> tasks = new ArrayList<>();
    private final AtomicBoolean isAwake = new AtomicBoolean();
    private final Thread thread = new Thread(null, this::run, "tandem-heartbeat", 0, false);
    private volatile boolean isResting;
    private volatile boolean isStopped;

    Heartbeat(Runnable first) {
        tasks.add(first);
        thread.setDaemon(true);
    }

    /// Before it is started.
    void add(Runnable task) {
        tasks.add(task);
    }

    void start() {
        thread.start();
    }

    void stop() {
        isStopped = true;
        LockSupport.unpark(thread);
    }

    /// There is work. Costs two reads of memory that hardly ever changes.
    ///
    /// No call is lost. The store is before the second read in an order that all threads see
    /// alike (both are volatile), as [#rest] stores before it reads: at least one of the two
    /// sees the other's (Dekker). Where the flag was up already no store is needed: who lowers
    /// it begins to count quiet beats anew, and does not rest before the hundredth.
    void wake() {
        if (!isAwake.get()) {
            isAwake.set(true);
        }
        if (isResting) {
            isResting = false;
            LockSupport.unpark(thread);
        }
    }

    private void run() {
        int quiet = 0;
        while (!isStopped) {
            tasks.forEach(Runnable::run);
            quiet = isAwake.getAndSet(false) ? 0 : quiet + 1;
            if (quiet >= QUIET_BEATS) {
                rest();
                quiet = 0;
            }
            LockSupport.parkNanos(this, INTERVAL_NANOS);
        }
    }

    private void rest() {
        isResting = true;
        while (isResting && !isStopped && !isAwake.get()) {
            LockSupport.park(this);
        }
        isResting = false;
    }
}
