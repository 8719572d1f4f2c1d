package dev.tandem.engine.http1;

import dev.tandem.engine.site.Resolved;
import dev.tandem.http.RequestTarget;
import dev.tandem.http.h1.Http1RequestHead;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Recent request lines and their results: most requests repeat an earlier one, and then neither
/// target nor route is parsed again, nor anything allocated. Each line has one slot, found by a few
/// of its bytes; a new line replaces the one that is there. Confined to its thread's context. Not
/// for simple requests ([Http1RequestHead#isHttp09()]), whose lines may be too short.
final class TargetCache {
    /// Longer request lines are not cached: such a cache would hold more bytes chosen by clients
    /// than by the site.
    private static final int LINE_MAX = 256;

    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final @Nullable Entry[] entries;

    private record Entry(byte[] line, Resolved resolved) {}

    /// @param size maximum number of lines; a power of two
    TargetCache(int size) {
        entries = new Entry[size];
    }

    /// Returns the result of the head's method and target, or null.
    @Nullable Resolved find(Http1RequestHead head) {
        byte[] bytes = head.bytes();
        int from = head.methodFrom();
        int to = head.targetTo();
        Entry entry = entries[place(bytes, from, to)];
        if (entry != null && Arrays.equals(entry.line, 0, entry.line.length, bytes, from, to)) {
            return entry.resolved;
        }
        return null;
    }

    void put(Http1RequestHead head, Resolved resolved) {
        int from = head.methodFrom();
        int to = head.targetTo();
        // An absolute form's response depends on the connection, too.
        boolean isOrigin = resolved.target().form() == RequestTarget.Form.ORIGIN;
        if (isOrigin && to - from <= LINE_MAX) {
            byte[] line = Arrays.copyOfRange(head.bytes(), from, to);
            entries[place(head.bytes(), from, to)] = new Entry(line, resolved);
        }
    }

    /// Returns the slot by the length and the last 24 bytes (of a line of at least 8): paths differ
    /// at their ends. The bytes before are not read, so a client can make lines collide, which only
    /// causes misses.
    private int place(byte[] bytes, int from, int to) {
        long hash = to - from;
        int last = Math.max(from, to - 24);
        int at = to - 8;
        while (at > last) {
            hash = mix(hash ^ (long) LONG.get(bytes, at));
            at -= 8;
        }
        // A request line has more bytes after the target, so eight are always there.
        hash = mix(hash ^ (long) LONG.get(bytes, last));
        return (int) (hash >>> 32) & (entries.length - 1);
    }

    private static long mix(long bits) {
        return bits * 0x9E3779B97F4A7C15L ^ bits >>> 29;
    }
}
