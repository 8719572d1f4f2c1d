package dev.tandem.upstream;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Closes wires whose time is over, or whose answer nobody wants. Reads and writes block in the
/// kernel, in one system call each, and closing a channel ends them; a time-out for each would
/// cost two more calls. One thread for all wires of some upstreams, which looks ten times a second
/// while there is any. Safe for all threads.
final class ConnectionWatchdog {
    /// How late a time-out may be: 100 ms, where the shortest of use are seconds.
    private static final long CHECK_INTERVAL_NANOS = 100_000_000;

    private final String name;
    private final Runnable periodicTask;
    private final Set<UpstreamConnection> connections = ConcurrentHashMap.newKeySet();
    private volatile @Nullable Thread thread;
    private volatile boolean isShutDown;

    /// @param periodicTask done with every look
    ConnectionWatchdog(String name, Runnable periodicTask) {
        this.periodicTask = periodicTask;
        this.name = name;
    }

    void add(UpstreamConnection connection) {
        connections.add(connection);
        if (thread == null || isShutDown) {
            start();
        } else if (connections.size() == 1) {
            LockSupport.unpark(thread);
        }
    }

    void remove(UpstreamConnection connection) {
        connections.remove(connection);
    }

    private synchronized void start() {
        if (thread == null) {
            thread = Thread.ofPlatform().name(name).daemon().start(this::run);
        }
    }

    /// Goes on until the last is removed: what has begun keeps its time-outs.
    private synchronized boolean continues() {
        boolean isOver = isShutDown && connections.isEmpty();
        if (isOver) {
            thread = null;
        }
        return !isOver;
    }

    private void run() {
        while (continues()) {
            if (connections.isEmpty()) {
                // Whoever adds the first wakes this; the time is for one who just missed it.
                LockSupport.parkNanos(10 * CHECK_INTERVAL_NANOS);
            } else {
                long now = System.nanoTime();
                connections.forEach(connection -> check(connection, now));
                periodicTask.run();
                LockSupport.parkNanos(CHECK_INTERVAL_NANOS);
            }
        }
    }

    /// Whatever is wrong with one, the others' time-outs go on.
    private static void check(UpstreamConnection connection, long nowNanos) {
        try {
            connection.check(nowNanos);
        } catch (RuntimeException e) {
            Log.LOG.log(System.Logger.Level.ERROR, "a look at a connection failed", e);
            connection.close();
        }
    }

    /// No more is to come, though what has begun may go on.
    void shutdown() {
        isShutDown = true;
        LockSupport.unpark(thread);
    }
}
