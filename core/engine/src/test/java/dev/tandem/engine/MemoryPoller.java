package dev.tandem.engine;

import dev.tandem.net.Poller;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// Reports readiness of objects in memory, level-triggered.
final class MemoryPoller implements Poller {
    private final Map<Pollable, Watch> watches = new LinkedHashMap<>();
    private final List<Event> fetched = new ArrayList<>();
    private int next;
    private boolean isWoken;

    /// What can be ready.
    interface Readable extends Pollable {
        /// [Poller#READ], [Poller#WRITE], both or none.
        int readyOperations();
    }

    private record Event(Watch watch, int operations) {}

    private static final class Watch {
        private final Readable what;
        private final ReadinessListener readiness;
        private int interest;

        Watch(Readable what, int interest, ReadinessListener readiness) {
            this.what = what;
            this.interest = interest;
            this.readiness = readiness;
        }
    }

    @Override
    public synchronized void add(Pollable pollable, int interest, ReadinessListener readiness) {
        Watch before = watches.put(pollable, new Watch((Readable) pollable, interest, readiness));
        if (before != null) {
            throw new IllegalStateException("added twice");
        }
        notifyAll();
    }

    @Override
    public synchronized void setInterest(Pollable pollable, int interest) {
        Watch watch = watches.get(pollable);
        if (watch != null) {
            watch.interest = interest;
            notifyAll();
        }
    }

    @Override
    public synchronized void remove(Pollable pollable) {
        watches.remove(pollable);
    }

    /// Something may have become ready, also for the client: a current wait ends.
    synchronized void changed() {
        wakeup();
    }

    @Override
    public synchronized void poll(long timeoutNanos) {
        next = 0;
        fetched.clear();
        long until = System.nanoTime() + timeoutNanos;
        collect();
        while (fetched.isEmpty() && !isWoken && timeoutNanos != 0) {
            long left = timeoutNanos < 0 ? TimeUnit.DAYS.toNanos(1) : until - System.nanoTime();
            if (left <= 0) {
                break;
            }
            await(left);
            collect();
        }
        isWoken = false;
    }

    private void await(long nanos) {
        try {
            TimeUnit.NANOSECONDS.timedWait(this, nanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private void collect() {
        for (Watch watch : watches.values()) {
            int operations = watch.what.readyOperations() & watch.interest;
            if (operations != NONE) {
                fetched.add(new Event(watch, operations));
                watch.interest = (watch.interest & ONCE) != 0 ? NONE : watch.interest;
            }
        }
    }

    @Override
    public boolean hasNext() {
        return next < fetched.size();
    }

    @Override
    public boolean dispatchNext() {
        if (!hasNext()) {
            return false;
        }
        Event event = fetched.get(next);
        next++;
        boolean isCurrent;
        synchronized (this) {
            isCurrent = watches.get(event.watch.what) == event.watch;
        }
        if (isCurrent) {
            event.watch.readiness.ready(event.operations);
        }
        return true;
    }

    @Override
    public synchronized void wakeup() {
        isWoken = true;
        notifyAll();
    }

    @Override
    public void close() {
        // Nothing is open.
    }
}
