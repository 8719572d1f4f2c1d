package dev.tandem.http.h2;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The streams of a connection by identifier, each with its state (RFC 9113, section 5.1).
///
/// A client opens odd identifiers in ascending order; one that is skipped is closed, and opening it
/// later is an error (section 5.1.1). Streams that are closed are removed by [#close(int)]; of the
/// last 1,024 of them the table still knows whether this endpoint has reset them, because their
/// frames may be in transit. Frames of older ones are ignored: the peer may be slow, and it costs
/// the [DefenceLedger]'s balance.
///
/// Confined to its connection's owner.
///
/// @param <S> what the engine keeps of a stream
public final class StreamTable<S> {
    private static final int CAPACITY_MIN = 4;
    private static final int[] NO_IDS = {};
    private static final StreamState[] NO_STATES = {};
    private static final @Nullable Object[] NOTHING = {};

    private static final Transition IDLE_ERROR =
            new Transition(
                    Transition.Outcome.CONNECTION_ERROR,
                    StreamState.IDLE,
                    ErrorCode.PROTOCOL_ERROR);

    private static final Transition SKIPPED_ERROR =
            new Transition(
                    Transition.Outcome.CONNECTION_ERROR,
                    StreamState.CLOSED_ENDED,
                    ErrorCode.PROTOCOL_ERROR);

    private static final Transition NOT_SENT =
            new Transition(Transition.Outcome.IGNORE, StreamState.CLOSED_RESET_RECEIVED, null);

    private final boolean isServer;

    /// Open addressing: the identifier and the stream at the same place; 0 is free. The length is a
    /// power of two, at least twice the number of streams, or 0.
    private int[] ids = NO_IDS;

    private StreamState[] states = NO_STATES;
    private @Nullable Object[] streams = NOTHING;
    private int count;
    private int activeCount;

    /// The highest odd identifier that was opened, or 0.
    private int highest;

    /// The first identifier that was opened, or 0; some clients begin above 1.
    private int lowest;

    /// The closed streams that this endpoint has reset; null for none.
    private @Nullable RecentStreams resets;

    /// The streams between others that the client has not opened; null for none.
    private @Nullable RecentStreams skipped;

    public StreamTable(Role role) {
        this.isServer = role == Role.SERVER;
    }

    /// Applies an event to the state of a stream, and returns what to do. HEADERS of a client open
    /// a stream, to which the engine then assigns its object by [#put].
    ///
    /// @param streamId not 0
    /// @throws IllegalStateException if this endpoint must not send the frame, which is a bug
    public Transition on(int streamId, StreamEvent event) {
        int place = find(streamId);
        if (place >= 0) {
            Transition transition = states[place].on(event);
            setState(place, transition.next());
            return transition;
        }
        StreamState state = absentState(streamId);
        if (event.isSent()) {
            if (state == StreamState.IDLE) {
                throw new IllegalStateException(event + " on idle stream " + streamId);
            }
            return NOT_SENT; // by a late response to a stream that was reset
        }
        if (state == StreamState.IDLE && event == StreamEvent.RECEIVE_HEADERS) {
            if (!isServer || (streamId & 1) == 0) {
                return IDLE_ERROR;
            }
            open(streamId);
        }
        return event == StreamEvent.RECEIVE_HEADERS && isSkipped(streamId)
                ? SKIPPED_ERROR
                : state.on(event);
    }

    /// Applies a frame that may have the flag END_STREAM.
    ///
    /// @return what to do with the frame; its next state is that after both events
    public Transition on(int streamId, StreamEvent event, boolean isEndStream) {
        Transition transition = on(streamId, event);
        if (!isEndStream || !transition.isProcessed()) {
            return transition;
        }
        StreamEvent end =
                event.isSent() ? StreamEvent.SEND_END_STREAM : StreamEvent.RECEIVE_END_STREAM;
        return on(streamId, end);
    }

    /// Opens the client's next stream.
    ///
    /// @return its identifier, or -1 if there is none left: the client needs another connection
    /// @throws IllegalStateException if this is a server's table
    public int openNext() {
        if (isServer) {
            throw new IllegalStateException("a server opens no streams");
        }
        if (highest == Integer.MAX_VALUE) {
            return -1;
        }
        int next = highest == 0 ? 1 : highest + 2;
        open(next);
        return next;
    }

    /// Assigns an object to an open stream.
    public void put(int streamId, S stream) {
        streams[placeOf(streamId)] = stream;
    }

    /// Returns the object of a stream, or null if it has none or is closed and removed.
    @SuppressWarnings("unchecked")
    public @Nullable S get(int streamId) {
        int place = find(streamId);
        return place < 0 ? null : (S) streams[place];
    }

    /// Returns the state of a stream.
    public StreamState state(int streamId) {
        int place = find(streamId);
        return place < 0 ? absentState(streamId) : states[place];
    }

    /// Removes a closed stream.
    ///
    /// @throws IllegalStateException if it is not closed
    public void close(int streamId) {
        int place = placeOf(streamId);
        StreamState state = states[place];
        if (!state.isClosed()) {
            throw new IllegalStateException("stream " + streamId + " is " + state);
        }
        if (state == StreamState.CLOSED_RESET_SENT && isRecent(streamId)) {
            RecentStreams known = resets == null ? new RecentStreams() : resets;
            resets = known;
            known.add(streamId);
        }
        remove(place);
    }

    /// Returns how many streams are in the table, including closed ones that were not removed.
    public int count() {
        return count;
    }

    /// Returns how many streams count for the maximum number of concurrent streams.
    public int activeCount() {
        return activeCount;
    }

    /// Returns the highest identifier that the client has opened, or 0; for GOAWAY.
    public int highestId() {
        return highest;
    }

    /// Frees memory if there are no streams. A connection that is idle calls it.
    public void trim() {
        if (count == 0) {
            ids = NO_IDS;
            states = NO_STATES;
            streams = NOTHING;
        }
    }

    /// Calls `action` with the object of each stream that has one, in no particular order. It must
    /// not change the table.
    @SuppressWarnings("unchecked")
    public void forEach(Consumer<? super S> action) {
        for (Object stream : streams) {
            if (stream != null) {
                action.accept((S) stream);
            }
        }
    }

    // ---- Streams that are not in the table.

    private StreamState absentState(int streamId) {
        if ((streamId & 1) == 0 || streamId > highest) {
            return StreamState.IDLE;
        }
        return isRecent(streamId) && !contains(resets, streamId)
                ? StreamState.CLOSED_ENDED
                : StreamState.CLOSED_RESET_SENT;
    }

    private static boolean contains(@Nullable RecentStreams set, int streamId) {
        return set != null && set.contains(streamId);
    }

    private boolean isRecent(int streamId) {
        return highest - streamId >>> 1 < RecentStreams.WINDOW;
    }

    /// Returns whether the client has never opened a stream below its highest.
    private boolean isSkipped(int streamId) {
        return (streamId & 1) == 1
                && streamId < highest
                && (streamId < lowest || isRecent(streamId) && contains(skipped, streamId));
    }

    /// Moves the windows of remembered streams to a new highest identifier.
    private void advance(int streamId) {
        if (resets != null) {
            resets.advance(highest, streamId);
        }
        if (skipped != null) {
            skipped.advance(highest, streamId);
        }
        if (highest == 0) {
            lowest = streamId;
        } else {
            int first = Math.max(highest + 2, streamId - 2 * (RecentStreams.WINDOW - 1));
            for (int id = first; id < streamId; id += 2) {
                RecentStreams known = skipped == null ? new RecentStreams() : skipped;
                skipped = known;
                known.add(id);
            }
        }
        highest = streamId;
    }

    // ---- The map.

    private void open(int streamId) {
        advance(streamId);
        if (2 * (count + 1) > ids.length) {
            rehash(Math.max(CAPACITY_MIN, 2 * ids.length));
        }
        int place = place(streamId);
        while (ids[place] != 0) {
            place = place + 1 & ids.length - 1;
        }
        ids[place] = streamId;
        states[place] = StreamState.OPEN;
        count++;
        activeCount++;
    }

    private void setState(int place, StreamState next) {
        if (states[place].isActive() && !next.isActive()) {
            activeCount--;
        }
        states[place] = next;
    }

    private int placeOf(int streamId) {
        int place = find(streamId);
        if (place < 0) {
            throw new IllegalStateException("no stream " + streamId);
        }
        return place;
    }

    private int find(int streamId) {
        if (count == 0) {
            return -1;
        }
        int place = place(streamId);
        while (ids[place] != streamId) {
            if (ids[place] == 0) {
                return -1;
            }
            place = place + 1 & ids.length - 1;
        }
        return place;
    }

    /// Removes an entry, and moves those behind it that would not be found any more.
    private void remove(int removed) {
        count--;
        if (count == 0 && ids.length > CAPACITY_MIN) {
            trim();
            return;
        }
        int mask = ids.length - 1;
        int hole = removed;
        int next = hole + 1 & mask;
        while (ids[next] != 0) {
            int distance = next - place(ids[next]) & mask;
            if (distance >= (next - hole & mask)) {
                ids[hole] = ids[next];
                states[hole] = states[next];
                streams[hole] = streams[next];
                hole = next;
            }
            next = next + 1 & mask;
        }
        ids[hole] = 0;
        streams[hole] = null;
    }

    private void rehash(int capacity) {
        int[] oldIds = ids;
        StreamState[] oldStates = states;
        @Nullable Object[] oldStreams = streams;
        ids = new int[capacity];
        states = new StreamState[capacity];
        streams = new @Nullable Object[capacity];
        for (int i = 0; i < oldIds.length; i++) {
            if (oldIds[i] != 0) {
                int place = place(oldIds[i]);
                while (ids[place] != 0) {
                    place = place + 1 & capacity - 1;
                }
                ids[place] = oldIds[i];
                states[place] = oldStates[i];
                streams[place] = oldStreams[i];
            }
        }
    }

    /// Consecutive identifiers of a client have consecutive places.
    private int place(int streamId) {
        return streamId >>> 1 & ids.length - 1;
    }
}
