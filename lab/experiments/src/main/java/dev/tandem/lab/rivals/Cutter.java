package dev.tandem.lab.rivals;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Ends waits of sockets that have taken too long, from a thread of its own: so a wait needs no
/// system call but the read or write itself. Up to a tick late, never early. Safe for use by any
/// thread.
final class Cutter {
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Set<BlockingSocket> sockets = ConcurrentHashMap.newKeySet();
    private final Thread thread;
    private volatile boolean isStopped;

    Cutter() {
        thread = Thread.ofPlatform().daemon().name("cutter").unstarted(this::run);
    }

    /// Again: does nothing.
    synchronized void start() {
        if (thread.getState() == Thread.State.NEW) {
            thread.start();
        }
    }

    private void run() {
        while (!isStopped) {
            LockSupport.parkNanos(TICK_NANOS);
            look(System.nanoTime());
        }
    }

    void watch(BlockingSocket socket) {
        sockets.add(socket);
    }

    void forget(BlockingSocket socket) {
        sockets.remove(socket);
    }

    /// Cuts what has waited for too long.
    ///
    /// @param nowNanos as [System#nanoTime()]
    void look(long nowNanos) {
        for (BlockingSocket socket : sockets) {
            socket.cutIfLate(nowNanos);
        }
    }

    /// Nothing is cut any more: the server has stopped accepting, and ends its connections itself.
    void stop() {
        isStopped = true;
        LockSupport.unpark(thread);
    }
}
