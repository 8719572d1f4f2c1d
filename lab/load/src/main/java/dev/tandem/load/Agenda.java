package dev.tandem.load;

import java.util.PriorityQueue;

/// What is to be done at a time. Confined to one thread.
final class Agenda {
    private final PriorityQueue<Entry> entries = new PriorityQueue<>();
    private long added;

    /// What is told when its time has come.
    interface Due {
        /// @param dueNanos when it was to be told
        void due(long dueNanos);
    }

    private record Entry(long atNanos, long order, Due due) implements Comparable<Entry> {
        @Override
        public int compareTo(Entry other) {
            int byTime = Long.compare(atNanos - other.atNanos, 0);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }

    void add(long atNanos, Due due) {
        entries.add(new Entry(atNanos, added, due));
        added++;
    }

    /// Tells what is due; not what is added meanwhile and due at once.
    void tell(long nowNanos) {
        long before = added;
        Entry first = entries.peek();
        while (first != null && first.atNanos - nowNanos <= 0 && first.order < before) {
            entries.remove();
            first.due.due(first.atNanos);
            first = entries.peek();
        }
    }

    /// How long until the next, 0 if it is due; -1 if there is none.
    long waitNanos(long nowNanos) {
        Entry first = entries.peek();
        return first == null ? -1 : Math.max(0, first.atNanos - nowNanos);
    }
}
