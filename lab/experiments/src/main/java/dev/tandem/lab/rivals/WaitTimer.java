package dev.tandem.lab.rivals;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Ends waits of sockets that have taken too long, from a thread of its own: so a wait needs no
/// system call except the read or write itself. Up to a tick late, never early. Safe for use by any
/// thread.
final class WaitTimer {
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Set<BlockingSocket> sockets = ConcurrentHashMap.newKeySet();
    private final Thread thread;
    private volatile boolean isStopped;

    WaitTimer() {
        thread = Thread.ofPlatform().daemon().name("cutter").unstarted(this::run);
    }

    /// Further calls do nothing.
    synchronized void start() {
        if (thread.getState() == Thread.State.NEW) {
            thread.start();
        }
    }

    private void run() {
        while (!isStopped) {
            LockSupport.parkNanos(TICK_NANOS);
            expireWaits(System.nanoTime());
        }
    }

    void watch(BlockingSocket socket) {
        sockets.add(socket);
    }

    void unwatch(BlockingSocket socket) {
        sockets.remove(socket);
    }

    /// Ends the waits that have taken too long.
    ///
    /// @param nowNanos as [System#nanoTime()]
    void expireWaits(long nowNanos) {
        for (BlockingSocket socket : sockets) {
            socket.timeOutIfLate(nowNanos);
        }
    }

    /// Ends no more waits: the server has stopped accepting, and closes its connections itself.
    void stop() {
        isStopped = true;
        LockSupport.unpark(thread);
    }
}
