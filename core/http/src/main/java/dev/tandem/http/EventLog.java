package dev.tandem.http;

import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/// The events of a channel, each encoded once, as a list that only grows at its end. A subscriber
/// is a position in it, so an event that waits for many clients exists once; what no subscriber and
/// no replay needs any more is free.
///
/// Appended to by one thread at a time; read by any.
final class EventLog {
    private static final byte[] NOTHING = {};

    /// An event, or the end.
    static final class Entry {
        private final String id;
        private final byte[] bytes;

        /// How many bytes all events have up to the end of this one.
        private final long endOffset;

        private final boolean isEnd;
        private volatile @Nullable Entry next;

        private Entry(String id, byte[] bytes, long endOffset, boolean isEnd) {
            this.id = id;
            this.bytes = bytes;
            this.endOffset = endOffset;
            this.isEnd = isEnd;
        }

        /// Returns its id; empty if it has none.
        String id() {
            return id;
        }

        byte[] bytes() {
            return bytes;
        }

        /// Whether it is no event, but the end of all.
        boolean isEnd() {
            return isEnd;
        }

        @Nullable Entry next() {
            return next;
        }
    }

    /// Before all ids that are chosen here: those of an earlier channel, before the server was
    /// restarted for example, are not known in this one.
    private final String idPrefix;

    private final int replayEventsMax;
    private final int replayBytesMax;
    private long sequence;
    private int replayEvents;
    private volatile Entry last;

    /// The event before the first that is kept for replay.
    private Entry beforeReplay;

    EventLog(int replayEventsMax, int replayBytesMax) {
        this.replayEventsMax = replayEventsMax;
        this.replayBytesMax = replayBytesMax;
        int random = ThreadLocalRandom.current().nextInt();
        this.idPrefix = Integer.toUnsignedString(random, Character.MAX_RADIX) + "-";
        this.last = new Entry(nextId(), NOTHING, 0, false);
        this.beforeReplay = last;
    }

    /// Returns an id for an event without one; empty if none are replayed.
    private String nextId() {
        return replayEventsMax == 0 ? "" : idPrefix + sequence++;
    }

    /// @throws IllegalArgumentException if the event has more bytes than `bytesMax` as it is sent
    void append(Event event, int bytesMax) {
        Event known = event.id().isEmpty() ? event.withId(nextId()) : event;
        byte[] bytes = known.encoded();
        if (bytes.length > bytesMax) {
            throw new IllegalArgumentException(
                    "an event has " + bytes.length + " bytes, but unsentMax is " + bytesMax);
        }
        add(new Entry(known.id(), bytes, last.endOffset + bytes.length, false));
        replayEvents++;
        while (replayEvents > replayEventsMax || bytesBehind(beforeReplay) > replayBytesMax) {
            Entry first = beforeReplay.next;
            if (first == null) {
                break;
            }
            beforeReplay = first;
            replayEvents--;
        }
    }

    /// No event follows.
    void end() {
        add(new Entry(last.id, NOTHING, last.endOffset, true));
    }

    private void add(Entry entry) {
        Entry before = last;
        before.next = entry;
        last = entry;
    }

    Entry last() {
        return last;
    }

    /// Returns the event before the first that is kept for replay.
    Entry beforeReplay() {
        return beforeReplay;
    }

    /// Returns the event with an id, if nothing that followed it is lost.
    @Nullable Entry find(String id) {
        for (Entry e = beforeReplay; e != null; e = e.next) {
            if (!id.isEmpty() && e.id.equals(id)) {
                return e;
            }
        }
        return null;
    }

    /// Returns how many bytes of events follow an event.
    long bytesBehind(Entry entry) {
        return last.endOffset - entry.endOffset;
    }
}
