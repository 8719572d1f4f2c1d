package dev.tandem.pagecache;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.BitSet;

/// Frames divided into cells of one size, as in a slab allocator. A free cell's first four bytes
/// contain the index of the next free cell in its frame; an empty frame is freed at once. Guarded
/// by the cache's lock.
final class Cells {
    private static final int NONE = -1;
    private static final ValueLayout.OfInt LINK = ValueLayout.JAVA_INT;

    private final Frames frames;
    private final int cellBytes;
    private final int perFrame;

    /// By frame: those with a free cell.
    private final BitSet partial = new BitSet();

    private int[] heads = new int[0];
    private int[] used = new int[0];
    private int frameCount;
    private long usedCells;

    /// @param cellBytes a power of two; at least 32, at most half a frame
    Cells(Frames frames, int cellBytes) {
        this.frames = frames;
        this.cellBytes = cellBytes;
        this.perFrame = frames.frameBytes() / cellBytes;
    }

    /// Adds an allocated frame.
    void addFrame(int frame) {
        if (frame >= heads.length) {
            int grown = Math.max(frame + 1, heads.length * 2);
            heads = Arrays.copyOf(heads, grown);
            used = Arrays.copyOf(used, grown);
        }
        MemorySegment block = frames.block(frame);
        long at = frames.offset(frame);
        for (int i = 0; i < perFrame; i++) {
            block.set(LINK, at + (long) i * cellBytes, i + 1 < perFrame ? i + 1 : NONE);
        }
        heads[frame] = 0;
        used[frame] = 0;
        partial.set(frame);
        frameCount++;
    }

    /// Allocates a cell; returns -1 if none is free.
    int allocate() {
        int frame = partial.nextSetBit(0);
        if (frame < 0) {
            return NONE;
        }
        int index = heads[frame];
        int cell = frame * perFrame + index;
        heads[frame] = frames.block(frame).get(LINK, offset(cell));
        used[frame]++;
        usedCells++;
        if (heads[frame] == NONE) {
            partial.clear(frame);
        }
        return cell;
    }

    void free(int cell) {
        int frame = cell / perFrame;
        frames.block(frame).set(LINK, offset(cell), heads[frame]);
        heads[frame] = cell % perFrame;
        used[frame]--;
        usedCells--;
        partial.set(frame);
        if (used[frame] == 0) {
            partial.clear(frame);
            frameCount--;
            frames.free(frame);
        }
    }

    int frameOf(int cell) {
        return cell / perFrame;
    }

    MemorySegment block(int cell) {
        return frames.block(cell / perFrame);
    }

    /// Returns the cell's offset in its block, in bytes.
    long offset(int cell) {
        return frames.offset(cell / perFrame) + (long) (cell % perFrame) * cellBytes;
    }

    long freeCount() {
        return (long) frameCount * perFrame - usedCells;
    }

    int frameCount() {
        return frameCount;
    }
}
