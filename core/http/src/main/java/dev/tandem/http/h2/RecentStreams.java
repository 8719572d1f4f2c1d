package dev.tandem.http.h2;

/// A set of the client's streams among the last 1,024, one bit for each.
final class RecentStreams {
    /// How many streams are remembered; a power of two.
    static final int WINDOW = 1_024;

    private final long[] bits = new long[WINDOW / Long.SIZE];

    /// Adds a stream, which is one of the last [#WINDOW].
    void add(int streamId) {
        int bit = streamId >>> 1;
        bits[word(bit)] |= 1L << bit;
    }

    /// Returns whether a stream, which is one of the last [#WINDOW], was added.
    boolean contains(int streamId) {
        int bit = streamId >>> 1;
        return (bits[word(bit)] & 1L << bit) != 0;
    }

    /// Forgets the streams that are replaced by those above `highest`, up to `next`.
    void advance(int highest, int next) {
        int last = next >>> 1;
        int first = Math.max((highest + 1) >>> 1, last - WINDOW + 1);
        for (int bit = first; bit <= last; bit++) {
            bits[word(bit)] &= ~(1L << bit);
        }
    }

    private static int word(int bit) {
        return bit / Long.SIZE & WINDOW / Long.SIZE - 1;
    }
}
