package dev.tandem.net;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/// Tells what a test says is ready, and keeps what it was asked for.
final class ScriptedPoller implements Poller {
    private final Map<Pollable, Integer> interests = new HashMap<>();
    private final Map<Pollable, ReadinessListener> readiness = new HashMap<>();
    private final Queue<Runnable> ready = new ArrayDeque<>();
    private final List<Pollable> closed = new ArrayList<>();
    private final List<Long> waits = new ArrayList<>();
    private int changes;
    private int wakeups;
    private boolean isClosed;

    /// Run once, within the next change of interest: what another thread does at that moment.
    private @Nullable Runnable meanwhile;

    synchronized void tell(Pollable pollable, int operations) {
        ReadinessListener told = readiness.get(pollable);
        if (told == null) {
            throw new IllegalStateException("not watched: " + pollable);
        }
        ready.add(() -> told.ready(operations));
    }

    /// What is asked for of it; -1 if it is not watched.
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

    /// The waits that were asked for, in nanoseconds.
    synchronized List<Long> waits() {
        return List.copyOf(waits);
    }

    /// What it was told is closed, in that order.
    synchronized List<Pollable> closed() {
        return List.copyOf(closed);
    }

    synchronized boolean isClosed() {
        return isClosed;
    }

    void meanwhile(Runnable done) {
        meanwhile = done;
    }

    @Override
    public void add(Pollable pollable, int interest, ReadinessListener told) {
        synchronized (this) {
            readiness.put(pollable, told);
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
    public synchronized void poll(long timeoutNanos) {
        waits.add(timeoutNanos);
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
        wakeups++;
    }

    @Override
    public synchronized void close() {
        isClosed = true;
    }
}
