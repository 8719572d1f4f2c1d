package dev.tandem.engine;

import java.nio.ByteBuffer;
import java.util.Arrays;

/// A connection's input that was received and not used yet: an incomplete head, the beginning of a
/// body, pipelined requests. Empty, and without an array, on an idle connection. Confined to the
/// connection's owner.
public final class UnreadInput {
    /// Maximum number of bytes that are read ahead while a request is queued or runs: 64 KiB.
    public static final int MOST = 65_536;

    private static final byte[] NOTHING = {};

    private byte[] bytes = NOTHING;
    private int from;

    public boolean isEmpty() {
        return from == bytes.length;
    }

    public int size() {
        return bytes.length - from;
    }

    /// Returns the number of bytes that may be added.
    public int space() {
        return space(MOST);
    }

    /// Returns the number of bytes that may be added if the maximum is `most`.
    public int space(int most) {
        return Math.max(0, most - size());
    }

    /// Keeps a copy of the bytes; replaces what was kept.
    public void keep(byte[] source, int from, int to) {
        bytes = from < to ? Arrays.copyOfRange(source, from, to) : NOTHING;
        this.from = 0;
    }

    /// Keeps a copy of the buffer's remaining bytes; replaces what was kept.
    public void keep(ByteBuffer source) {
        drop();
        if (source.hasRemaining()) {
            bytes = new byte[source.remaining()];
            source.get(bytes);
        }
    }

    /// Keeps a copy of the buffer's remaining bytes, behind what is kept.
    public void add(ByteBuffer more) {
        if (more.hasRemaining()) {
            int size = size();
            byte[] all = Arrays.copyOfRange(bytes, from, from + size + more.remaining());
            more.get(all, size, all.length - size);
            bytes = all;
            from = 0;
        }
    }

    public void drop() {
        bytes = NOTHING;
        from = 0;
    }

    /// Moves the input to the beginning of `to`.
    ///
    /// @return number of bytes
    public int moveTo(byte[] to) {
        int size = size();
        System.arraycopy(bytes, from, to, 0, size);
        drop();
        return size;
    }

    /// Returns the array in which the input lies between [#from()] and [#to()]. Changed only by a
    /// decoder of heads, which unfolds lines in place.
    public byte[] bytes() {
        return bytes;
    }

    public int from() {
        return from;
    }

    public int to() {
        return bytes.length;
    }

    /// Removes the first bytes.
    public void used(int count) {
        from += count;
        if (isEmpty()) {
            drop();
        }
    }

    /// Returns the input without removing it.
    public ByteBuffer view() {
        return ByteBuffer.wrap(bytes, from, size());
    }
}
