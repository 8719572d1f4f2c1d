package dev.tandem.engine.http2;

import dev.tandem.http.h2.Priority;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// The streams that have content to send and a window for it, by priority (RFC 9218, section 10):
/// the most urgent first; of one urgency, incremental ones in turns, others one after the other.
/// Confined to the loop.
final class ReadyStreams {
    private static final int LEVELS = Priority.URGENCY_MAX + 1;

    private static final @Nullable ArrayDeque<Http2Stream>[] NOTHING = empty(0);

    private @Nullable ArrayDeque<Http2Stream>[] levels = NOTHING;
    private int size;

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static @Nullable ArrayDeque<Http2Stream>[] empty(int length) {
        return new ArrayDeque[length];
    }

    int size() {
        return size;
    }

    /// Adds a stream behind those of its urgency.
    void add(Http2Stream stream) {
        if (levels.length == 0) {
            levels = empty(LEVELS);
        }
        int urgency = stream.priority().urgency();
        ArrayDeque<Http2Stream> level = levels[urgency];
        if (level == null) {
            level = new ArrayDeque<>(4);
            levels[urgency] = level;
        }
        level.add(stream);
        size++;
    }

    /// Returns the stream that is next; null if there is none.
    @Nullable Http2Stream first() {
        if (size > 0) {
            for (ArrayDeque<Http2Stream> level : levels) {
                if (level != null && !level.isEmpty()) {
                    return level.peek();
                }
            }
        }
        return null;
    }

    /// Puts the first stream behind the others of its urgency.
    void rotate(Http2Stream first) {
        ArrayDeque<Http2Stream> level = levels[first.priority().urgency()];
        if (level != null && level.size() > 1) {
            level.add(level.remove());
        }
    }

    /// Removes a stream. Called before its priority is changed.
    void remove(Http2Stream stream) {
        ArrayDeque<Http2Stream> level = levels[stream.priority().urgency()];
        if (level != null && level.remove(stream)) {
            size--;
        }
    }

    /// Frees memory if there are none.
    void trim() {
        if (size == 0) {
            levels = NOTHING;
        }
    }
}
