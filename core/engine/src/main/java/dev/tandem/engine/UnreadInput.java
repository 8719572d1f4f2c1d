package dev.tandem.engine;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A connection's input that was received and not used yet: an incomplete head, the beginning of a
/// body, pipelined requests. Empty, and without an array, on an idle connection. Confined to the
/// connection's owner.
///
/// What it holds counts in a [MemoryBudget] until it is closed.
public final class UnreadInput {
    /// Maximum number of bytes that are read ahead while a request is queued or runs: 64 KiB.
    public static final int MOST = 65_536;

    private static final byte[] NOTHING = {};

    /// Null once the connection is closed.
    private @Nullable MemoryBudget budget;

    private byte[] bytes = NOTHING;
    private int from;

    /// @param budget in which it counts
    public UnreadInput(MemoryBudget budget) {
        this.budget = budget;
    }

    private void hold(byte[] next) {
        MemoryBudget counting = budget;
        if (counting != null && next.length != bytes.length) {
            counting.add(next.length - bytes.length);
        }
        bytes = next;
        from = 0;
    }

    /// The connection is closed: what is held, and will be, no longer counts.
    public void close() {
        MemoryBudget counting = budget;
        budget = null;
        if (counting != null && bytes.length > 0) {
            counting.add(-bytes.length);
        }
    }

    /// Whether more should be read ahead: the budget has room.
    public boolean mayReadAhead() {
        return budget != null && budget.hasRoom();
    }

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
        hold(from < to ? Arrays.copyOfRange(source, from, to) : NOTHING);
    }

    /// Keeps a copy of the buffer's remaining bytes; replaces what was kept.
    public void keep(ByteBuffer source) {
        if (source.hasRemaining()) {
            var copy = new byte[source.remaining()];
            source.get(copy);
            hold(copy);
        } else {
            drop();
        }
    }

    /// Keeps a copy of the buffer's remaining bytes, behind what is kept.
    public void add(ByteBuffer more) {
        if (more.hasRemaining()) {
            int size = size();
            byte[] all = Arrays.copyOfRange(bytes, from, from + size + more.remaining());
            more.get(all, size, all.length - size);
            hold(all);
        }
    }

    public void drop() {
        hold(NOTHING);
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
