package dev.tandem.load;

import java.util.PriorityQueue;

/// A queue of timers, ordered by time. Confined to one thread.
final class TimerQueue {
    private final PriorityQueue<Entry> entries = new PriorityQueue<>();
    private long added;

    /// Is called when its time has come.
    interface Timer {
        /// @param dueNanos the time it was scheduled for
        void fire(long dueNanos);
    }

    private record Entry(long atNanos, long order, Timer timer) implements Comparable<Entry> {
        @Override
        public int compareTo(Entry other) {
            int byTime = Long.compare(atNanos - other.atNanos, 0);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }

    void add(long atNanos, Timer due) {
        entries.add(new Entry(atNanos, added, due));
        added++;
    }

    /// Fires the timers that are due, except those that are added meanwhile and due at once.
    void fireDue(long nowNanos) {
        long before = added;
        Entry first = entries.peek();
        while (first != null && first.atNanos - nowNanos <= 0 && first.order < before) {
            entries.remove();
            first.timer.fire(first.atNanos);
            first = entries.peek();
        }
    }

    /// The time until the next timer, 0 if it is due; -1 if there is none.
    long waitNanos(long nowNanos) {
        Entry first = entries.peek();
        return first == null ? -1 : Math.max(0, first.atNanos - nowNanos);
    }
}
