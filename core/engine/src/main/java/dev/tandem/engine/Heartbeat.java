package dev.tandem.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Runs periodic tasks ten times a second while there is work, and not at all while there is none.
public final class Heartbeat {
    private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /// Number of beats that it continues without a request: 10 s, so that statistics with intervals
    /// of a second are completed.
    private static final int QUIET_BEATS = 100;

    private final List<Runnable> tasks = new ArrayList<>();
    private final IdleSleep sleep = new IdleSleep();
    private final Thread thread = new Thread(null, this::run, "tandem-heartbeat", 0, false);
    private volatile boolean isStopped;

    /// Confined to its thread.
    private int quiet;

    Heartbeat(Runnable first) {
        tasks.add(first);
        thread.setDaemon(true);
    }

    /// Adds a task. Called before the start.
    public void add(Runnable task) {
        tasks.add(task);
    }

    public void start() {
        thread.start();
    }

    void stop() {
        isStopped = true;
        LockSupport.unpark(thread);
    }

    /// Starts the next beats soon, since there is work. May be called by any thread; no call is
    /// lost ([IdleSleep]).
    void wake() {
        if (sleep.call()) {
            LockSupport.unpark(thread);
        }
    }

    private void run() {
        while (!isStopped) {
            try {
                beat();
            } catch (Throwable e) {
                logFailure(e);
            }
            LockSupport.parkNanos(this, INTERVAL_NANOS);
        }
    }

    private void beat() {
        runAll();
        quiet = sleep.wasCalled() ? 0 : quiet + 1;
        if (quiet >= QUIET_BEATS) {
            rest();
            quiet = 0;
        }
    }

    /// A task that fails, such as for lack of memory, must end neither the others nor this thread:
    /// without it nothing would open the accept gate again.
    private void runAll() {
        for (Runnable task : tasks) {
            try {
                task.run();
            } catch (Throwable e) {
                logFailure(e);
            }
        }
    }

    private static void logFailure(Throwable why) {
        try {
            Log.LOG.log(System.Logger.Level.ERROR, "a periodic task failed", why);
        } catch (Throwable e) {
            // It cannot be reported.
        }
    }

    private void rest() {
        sleep.begin();
        while (sleep.lasts() && !isStopped) {
            LockSupport.park(this);
        }
        sleep.end();
    }
}
