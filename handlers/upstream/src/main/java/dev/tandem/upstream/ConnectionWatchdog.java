package dev.tandem.upstream;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Closes connections whose time-out has expired, or whose client has disconnected. Reads and
/// writes block in one system call each, and closing a channel ends them; a time-out for each would
/// cost two more calls. One thread for all connections of a pool, which checks ten times a second
/// while there are any. Thread safe.
final class ConnectionWatchdog {
    /// Maximum delay of a time-out: 100 ms; practical time-outs are seconds.
    private static final long CHECK_INTERVAL_NANOS = 100_000_000;

    private final String name;
    private final Runnable periodicTask;
    private final Set<UpstreamConnection> connections = ConcurrentHashMap.newKeySet();
    private volatile @Nullable Thread thread;
    private volatile boolean isShutDown;

    /// @param periodicTask runs with every check
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

    /// Returns whether to continue: until the last connection is removed, since time-outs remain in
    /// effect after shutdown.
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
                // Adding the first connection wakes this thread; the time limit covers a missed
                // wake-up.
                LockSupport.parkNanos(10 * CHECK_INTERVAL_NANOS);
            } else {
                checkAll();
                LockSupport.parkNanos(CHECK_INTERVAL_NANOS);
            }
        }
    }

    /// An error, such as for lack of memory, does not end the checks: without them no time-out
    /// would be in effect until the restart.
    private void checkAll() {
        try {
            long now = System.nanoTime();
            for (UpstreamConnection connection : connections) {
                check(connection, now);
            }
            periodicTask.run();
        } catch (RuntimeException | Error e) {
            Log.failed("the checks of connections failed", e);
        }
    }

    /// A failed check of one connection does not affect the others.
    private static void check(UpstreamConnection connection, long nowNanos) {
        try {
            connection.check(nowNanos);
        } catch (RuntimeException | Error e) {
            connection.close();
            Log.failed("the check of a connection failed", e);
        }
    }

    /// Ends the thread once all connections are removed.
    void shutdown() {
        isShutDown = true;
        LockSupport.unpark(thread);
    }
}
