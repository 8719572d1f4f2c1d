package dev.tandem.net;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/// A poller that dispatches the events of a test, and records calls.
final class ScriptedPoller implements Poller {
    private final Map<Pollable, Integer> interests = new HashMap<>();
    private final Map<Pollable, ReadinessListener> readiness = new HashMap<>();
    private final Queue<Runnable> ready = new ArrayDeque<>();
    private final List<Pollable> closed = new ArrayList<>();
    private final List<Long> waits = new ArrayList<>();
    private int changes;
    private int wakeups;
    private boolean isClosed;

    /// Runs a task once, during the next change of interest, like a concurrent thread.
    private @Nullable Runnable meanwhile;

    /// Runs a task once, while the loop sleeps.
    private @Nullable Runnable duringSleep;

    private boolean isFailingToWakeUp;

    synchronized void report(Pollable pollable, int operations) {
        ReadinessListener listener = readiness.get(pollable);
        if (listener == null) {
            throw new IllegalStateException("not watched: " + pollable);
        }
        ready.add(() -> listener.ready(operations));
    }

    /// Returns the interest; -1 if it is not watched.
    synchronized int interest(Pollable pollable) {
        return interests.getOrDefault(pollable, -1);
    }

    /// How often [Poller#add] and [Poller#setInterest(Pollable, int)] were called.
    synchronized int changes() {
        return changes;
    }

    synchronized int wakeups() {
        return wakeups;
    }

    /// Returns the requested waits, in nanoseconds.
    synchronized List<Long> waits() {
        return List.copyOf(waits);
    }

    /// Returns the closed objects, in order.
    synchronized List<Pollable> closed() {
        return List.copyOf(closed);
    }

    synchronized boolean isClosed() {
        return isClosed;
    }

    void meanwhile(Runnable done) {
        meanwhile = done;
    }

    void duringSleep(Runnable done) {
        duringSleep = done;
    }

    void failToWakeUp() {
        isFailingToWakeUp = true;
    }

    @Override
    public void add(Pollable pollable, int interest, ReadinessListener listener) {
        synchronized (this) {
            readiness.put(pollable, listener);
            interests.put(pollable, interest);
            changes++;
        }
    }

    @Override
    public void setInterest(Pollable pollable, int interest) {
        synchronized (this) {
            interests.put(pollable, interest);
            changes++;
        }
        Runnable now = meanwhile;
        meanwhile = null;
        if (now != null) {
            now.run();
        }
    }

    @Override
    public synchronized void remove(Pollable pollable) {
        interests.remove(pollable);
        readiness.remove(pollable);
    }

    @Override
    public synchronized void closed(Pollable pollable) {
        closed.add(pollable);
    }

    @Override
    public void poll(long timeoutNanos) {
        synchronized (this) {
            waits.add(timeoutNanos);
        }
        Runnable now = duringSleep;
        duringSleep = null;
        if (now != null) {
            now.run();
        }
    }

    @Override
    public synchronized boolean hasNext() {
        return !ready.isEmpty();
    }

    @Override
    public boolean dispatchNext() {
        Runnable next;
        synchronized (this) {
            next = ready.poll();
        }
        if (next != null) {
            next.run();
        }
        return next != null;
    }

    @Override
    public synchronized void wakeup() {
        if (isFailingToWakeUp) {
            throw new OutOfMemoryError("on purpose");
        }
        wakeups++;
    }

    @Override
    public synchronized void close() {
        isClosed = true;
    }
}
