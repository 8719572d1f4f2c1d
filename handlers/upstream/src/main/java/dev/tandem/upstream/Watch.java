package dev.tandem.upstream;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Closes wires whose time is over, or whose answer nobody wants. Reads and writes block in the
/// kernel, in one system call each, and closing a channel ends them; a time-out for each would
/// cost two more calls. One thread for all wires of some upstreams, which looks ten times a second
/// while there is any. Safe for all threads.
final class Watch {
    /// How late a time-out may be: 100 ms, where the shortest of use are seconds.
    private static final long LOOK_NANOS = 100_000_000;

    private final String name;
    private final Runnable chore;
    private final Set<Wire> wires = ConcurrentHashMap.newKeySet();
    private volatile @Nullable Thread thread;
    private volatile boolean isEnded;

    /// @param chore done with every look
    Watch(String name, Runnable chore) {
        this.chore = chore;
        this.name = name;
    }

    void add(Wire wire) {
        wires.add(wire);
        if (thread == null || isEnded) {
            start();
        } else if (wires.size() == 1) {
            LockSupport.unpark(thread);
        }
    }

    void remove(Wire wire) {
        wires.remove(wire);
    }

    private synchronized void start() {
        if (thread == null) {
            thread = Thread.ofPlatform().name(name).daemon().start(this::run);
        }
    }

    /// Goes on until the last is removed: what has begun keeps its time-outs.
    private synchronized boolean goesOn() {
        boolean isOver = isEnded && wires.isEmpty();
        if (isOver) {
            thread = null;
        }
        return !isOver;
    }

    private void run() {
        while (goesOn()) {
            if (wires.isEmpty()) {
                // Whoever adds the first wakes this; the time is for one who just missed it.
                LockSupport.parkNanos(10 * LOOK_NANOS);
            } else {
                long now = System.nanoTime();
                wires.forEach(wire -> look(wire, now));
                chore.run();
                LockSupport.parkNanos(LOOK_NANOS);
            }
        }
    }

    /// Whatever is wrong with one, the others' time-outs go on.
    private static void look(Wire wire, long nowNanos) {
        try {
            wire.look(nowNanos);
        } catch (RuntimeException e) {
            Log.LOG.log(System.Logger.Level.ERROR, "a look at a connection failed", e);
            wire.close();
        }
    }

    /// No more is to come, though what has begun may go on.
    void end() {
        isEnded = true;
        LockSupport.unpark(thread);
    }
}
