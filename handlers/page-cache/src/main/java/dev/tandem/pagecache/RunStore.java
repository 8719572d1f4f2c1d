package dev.tandem.pagecache;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/// Stores byte strings in runs of cells of one size: in a single run if there is one that is long
/// enough, otherwise in the longest ones. Any free cell can be used, and a string in a single run
/// can be read in place (decision 0018). The first eight bytes of a run contain the next run and
/// the number of its own cells; a run never crosses a frame.
final class RunStore implements PageStore {
    /// 512: a page of 64 KiB compressed to 41 % wastes 1 % in its last cell.
    static final int CELL_BYTES = 512;

    private static final int HEADER_BYTES = 2 * Integer.BYTES;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;

    private final Frames frames;
    private final int perFrame;

    /// By frame: its free cells; null for frames that are not in the store.
    private @Nullable BitSet[] free = new BitSet[0];

    /// By frame: the length of its longest run of free cells.
    private int[] longest = new int[0];

    /// By that length: the frames.
    private final BitSet[] byLongest;

    private int frameCount;

    /// An allocated run.
    private record Run(int cell, int count) {}

    RunStore(Frames frames) {
        this.frames = frames;
        this.perFrame = frames.frameBytes() / CELL_BYTES;
        this.byLongest = new BitSet[perFrame + 1];
        Arrays.setAll(byLongest, _ -> new BitSet());
    }

    @Override
    public int put(MemorySegment bytes, int length) {
        int location = NONE;
        int last = NONE;
        for (int from = 0; from < length; ) {
            Run run = allocate(count(length - from));
            if (run == null) {
                freeRuns(location, from);
                return NONE;
            }
            int size = Math.min(length - from, capacity(run.count));
            write(run, bytes.asSlice(from, size));
            if (last == NONE) {
                location = run.cell;
            } else {
                block(last).set(INT, offset(last), run.cell);
            }
            last = run.cell;
            from += size;
        }
        return location;
    }

    private void write(Run run, MemorySegment bytes) {
        MemorySegment block = block(run.cell);
        long at = offset(run.cell);
        block.set(INT, at, NONE);
        block.set(INT, at + Integer.BYTES, run.count);
        MemorySegment.copy(bytes, 0, block, at + HEADER_BYTES, bytes.byteSize());
    }

    /// Allocates a run of `count` cells, or else the longest available; null if no cell is free.
    private @Nullable Run allocate(int count) {
        for (int length = Math.min(count, perFrame); length <= perFrame; length++) {
            int frame = byLongest[length].nextSetBit(0);
            if (frame >= 0) {
                return allocateIn(frame, Math.min(count, perFrame));
            }
        }
        for (int length = Math.min(count, perFrame) - 1; length > 0; length--) {
            int frame = byLongest[length].nextSetBit(0);
            if (frame >= 0) {
                return allocateIn(frame, length);
            }
        }
        return null;
    }

    /// Allocates cells from the shortest run of the frame that is long enough.
    private Run allocateIn(int frame, int count) {
        BitSet cells = cells(frame);
        int best = NONE;
        int bestLength = Integer.MAX_VALUE;
        for (int from = cells.nextSetBit(0); from >= 0; ) {
            int to = cells.nextClearBit(from);
            if (to - from >= count && to - from < bestLength) {
                best = from;
                bestLength = to - from;
            }
            from = cells.nextSetBit(to);
        }
        cells.clear(best, best + count);
        updateLongest(frame, cells);
        return new Run(frame * perFrame + best, count);
    }

    private BitSet cells(int frame) {
        BitSet cells = free[frame];
        if (cells == null) {
            throw new IllegalStateException("frame " + frame + " is not in the store");
        }
        return cells;
    }

    /// Files a frame under the length of its longest run.
    private void updateLongest(int frame, BitSet cells) {
        int length = 0;
        for (int from = cells.nextSetBit(0); from >= 0; ) {
            int to = cells.nextClearBit(from);
            length = Math.max(length, to - from);
            from = cells.nextSetBit(to);
        }
        byLongest[longest[frame]].clear(frame);
        byLongest[length].set(frame);
        longest[frame] = length;
    }

    @Override
    public @Nullable MemorySegment view(int location, int length) {
        MemorySegment block = block(location);
        long at = offset(location);
        boolean isWhole = capacity(block.get(INT, at + Integer.BYTES)) >= length;
        return isWhole ? block.asSlice(at + HEADER_BYTES, length) : null;
    }

    @Override
    public void copyTo(int location, int length, MemorySegment to) {
        int cell = location;
        for (int from = 0; from < length; ) {
            MemorySegment block = block(cell);
            long at = offset(cell);
            int size = Math.min(capacity(block.get(INT, at + Integer.BYTES)), length - from);
            MemorySegment.copy(block, at + HEADER_BYTES, to, from, size);
            cell = block.get(INT, at);
            from += size;
        }
    }

    @Override
    public void free(int location, int length) {
        freeRuns(location, length);
    }

    /// Frees the runs that contain `length` bytes.
    private void freeRuns(int location, int length) {
        int cell = location;
        for (int left = length; left > 0; ) {
            MemorySegment block = block(cell);
            int next = block.get(INT, offset(cell));
            int count = block.get(INT, offset(cell) + Integer.BYTES);
            freeRun(cell, count);
            left -= capacity(count);
            cell = next;
        }
    }

    private void freeRun(int cell, int count) {
        int frame = cell / perFrame;
        int from = cell % perFrame;
        BitSet cells = cells(frame);
        cells.set(from, from + count);
        if (cells.nextClearBit(0) < perFrame) {
            updateLongest(frame, cells);
            return;
        }
        byLongest[longest[frame]].clear(frame);
        free[frame] = null;
        frameCount--;
        frames.free(frame);
    }

    @Override
    public void addFrame(int frame) {
        if (frame >= free.length) {
            int grown = Math.max(frame + 1, free.length * 2);
            free = Arrays.copyOf(free, grown);
            longest = Arrays.copyOf(longest, grown);
        }
        var cells = new BitSet(perFrame);
        cells.set(0, perFrame);
        free[frame] = cells;
        updateLongest(frame, cells);
        frameCount++;
    }

    @Override
    public boolean isInFrame(int location, int length, IntPredicate isFrame) {
        int cell = location;
        for (int left = length; left > 0; ) {
            if (isFrame.test(cell / perFrame)) {
                return true;
            }
            MemorySegment block = block(cell);
            left -= capacity(block.get(INT, offset(cell) + Integer.BYTES));
            cell = block.get(INT, offset(cell));
        }
        return false;
    }

    @Override
    public int storedBytes(int length) {
        return count(length) * CELL_BYTES;
    }

    @Override
    public int frameCount() {
        return frameCount;
    }

    private MemorySegment block(int cell) {
        return frames.block(cell / perFrame);
    }

    /// Returns the cell's offset in its block, in bytes.
    private long offset(int cell) {
        return frames.offset(cell / perFrame) + (long) (cell % perFrame) * CELL_BYTES;
    }

    /// Returns how many bytes a run of `count` cells holds.
    private static int capacity(int count) {
        return count * CELL_BYTES - HEADER_BYTES;
    }

    private static int count(int length) {
        return (length + HEADER_BYTES + CELL_BYTES - 1) / CELL_BYTES;
    }
}
