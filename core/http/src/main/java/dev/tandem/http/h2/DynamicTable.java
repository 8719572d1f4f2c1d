package dev.tandem.http.h2;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The dynamic table of a decoder (RFC 7541, sections 2.3.2 and 4): a ring of headers, the newest
/// first. Grows with its content, so an idle connection has what its client has filled. Confined to
/// its decoder.
final class DynamicTable {
    private static final int EXPECTED = 4;
    private static final @Nullable HeaderField[] NOTHING = {};

    /// The length is a power of two, or 0.
    private @Nullable HeaderField[] ring = NOTHING;

    /// The place of the newest header.
    private int newest;

    private int count;
    private int size;
    private int sizeMax;

    DynamicTable(int sizeMax) {
        this.sizeMax = sizeMax;
    }

    int sizeMax() {
        return sizeMax;
    }

    int count() {
        return count;
    }

    int size() {
        return size;
    }

    /// Returns a header, or null if there is none.
    ///
    /// @param index 0 for the newest
    @Nullable HeaderField get(int index) {
        return index < 0 || index >= count ? null : ring[newest - index & ring.length - 1];
    }

    /// Changes the maximum size, and evicts what exceeds it (RFC 7541, section 4.3).
    void resize(int bytes) {
        sizeMax = bytes;
        evict(bytes);
    }

    /// Evicts what must make room, then adds a header unless it is larger than the table (RFC 7541,
    /// section 4.4).
    void add(HeaderField field) {
        evict(sizeMax - field.size());
        if (field.size() > sizeMax) {
            return;
        }
        if (count == ring.length) {
            grow();
        }
        newest = newest + 1 & ring.length - 1;
        ring[newest] = field;
        count++;
        size += field.size();
    }

    private void evict(int most) {
        while (count > 0 && size > most) {
            int oldest = newest - count + 1 & ring.length - 1;
            HeaderField field = ring[oldest];
            size -= field == null ? 0 : field.size();
            ring[oldest] = null;
            count--;
        }
        if (count == 0) {
            ring = NOTHING;
            newest = 0;
        }
    }

    private void grow() {
        @Nullable HeaderField[] grown =
                new @Nullable HeaderField[Math.max(EXPECTED, 2 * ring.length)];
        for (int i = 0; i < count; i++) {
            grown[count - 1 - i] = ring[newest - i & ring.length - 1];
        }
        ring = grown;
        newest = count == 0 ? grown.length - 1 : count - 1;
    }

    /// Returns the names and values, the newest first, for tests.
    @Override
    public String toString() {
        var texts = new String[count];
        Arrays.setAll(texts, i -> text(get(i)));
        return String.join("\n", texts);
    }

    private static String text(@Nullable HeaderField field) {
        return field == null ? "" : field.name().text() + ": " + field.value();
    }
}
