package dev.tandem.cache;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.IntPredicate;

/// Keeps byte strings in chains of cells of one size, each with the number of the next in its
/// first four bytes. Any free cell serves anyone: nothing is lost between sizes, whatever comes
/// and goes (decision 0018).
final class ChainStore implements Store {
    /// 512: a page of 64 KiB compressed to 41 % loses 0.9 % to its half-filled last cell, and
    /// 0.8 % to links.
    static final int CELL_BYTES = 512;

    private static final int LINK_BYTES = Integer.BYTES;
    private static final int ROOM = CELL_BYTES - LINK_BYTES;
    private static final ValueLayout.OfInt LINK = ValueLayout.JAVA_INT;

    private final Cells cells;

    ChainStore(Frames frames) {
        this.cells = new Cells(frames, CELL_BYTES);
    }

    @Override
    public int put(MemorySegment bytes, int length) {
        int count = count(length);
        if (cells.free() < count) {
            return NONE;
        }
        int next = NONE;
        // From the end, so that each link is known when its cell is written.
        for (int i = count - 1; i >= 0; i--) {
            int cell = cells.take();
            MemorySegment block = cells.block(cell);
            long at = cells.offset(cell);
            block.set(LINK, at, next);
            int from = i * ROOM;
            int size = Math.min(ROOM, length - from);
            MemorySegment.copy(bytes, from, block, at + LINK_BYTES, size);
            next = cell;
        }
        return next;
    }

    @Override
    public void get(int place, int length, MemorySegment to) {
        int cell = place;
        for (int from = 0; from < length; from += ROOM) {
            MemorySegment block = cells.block(cell);
            long at = cells.offset(cell);
            MemorySegment.copy(block, at + LINK_BYTES, to, from, Math.min(ROOM, length - from));
            cell = block.get(LINK, at);
        }
    }

    @Override
    public void free(int place, int length) {
        int cell = place;
        for (int left = count(length); left > 0; left--) {
            int next = cells.block(cell).get(LINK, cells.offset(cell));
            cells.give(cell);
            cell = next;
        }
    }

    @Override
    public void add(int frame) {
        cells.add(frame);
    }

    @Override
    public boolean touches(int place, int length, IntPredicate is) {
        int cell = place;
        for (int left = count(length); left > 0; left--) {
            if (is.test(cells.frameOf(cell))) {
                return true;
            }
            cell = cells.block(cell).get(LINK, cells.offset(cell));
        }
        return false;
    }

    @Override
    public int charge(int length) {
        return count(length) * CELL_BYTES;
    }

    @Override
    public int frameCount() {
        return cells.frameCount();
    }

    private static int count(int length) {
        return (length + ROOM - 1) / ROOM;
    }
}
