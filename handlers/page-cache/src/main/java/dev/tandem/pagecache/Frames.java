package dev.tandem.pagecache;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/// Memory outside of the heap, in frames of one size, allocated in blocks on demand and released in
/// blocks. Guarded by the cache's lock, except [#block], which any thread may call for a frame in
/// use.
final class Frames {
    /// 4 MiB: one allocation for 64 frames, and the unit in which memory is released.
    private static final int BLOCK_BYTES = 4 << 20;

    /// At most a sixteenth of all memory: half of the step by which [MemoryPressure] raises the
    /// limit, so that a block always fits.
    private static final int BLOCK_SHARE = 16;

    /// Alignment required by direct reads on all known disks.
    static final int ALIGNMENT = 4_096;

    private final int frameBytes;
    private final int configured;

    /// Frames in each block but the last, which has the remainder.
    private final int perBlock;

    /// Free frames of blocks that are not being released.
    private final BitSet free = new BitSet();

    /// Replaced as a whole, so that readers need no lock.
    private volatile @Nullable Block[] blocks = new Block[0];

    private int limit;
    private int heldCount;

    /// Frames of blocks that are being released and still in use.
    private int releasing;

    private int freeCount;

    private static final class Block {
        private final Arena arena = Arena.ofShared();
        private final MemorySegment memory;
        private int used;
        private boolean isReleasing;

        Block(long bytes) {
            memory = arena.allocate(bytes, ALIGNMENT);
        }
    }

    /// @param frameBytes a power of two
    /// @param bytes maximum memory
    Frames(int frameBytes, long bytes) {
        this.frameBytes = frameBytes;
        this.configured = Math.toIntExact(Math.min(bytes / frameBytes, Integer.MAX_VALUE / 4));
        this.limit = configured;
        this.perBlock = Math.clamp(configured / BLOCK_SHARE, 1, BLOCK_BYTES / frameBytes);
    }

    /// Allocates a frame; returns -1 if there is none. Prefers low numbers, so that blocks with
    /// high numbers become empty.
    int allocate() {
        int frame = free.nextSetBit(0);
        if (frame < 0) {
            if (!grow()) {
                return -1;
            }
            frame = free.nextSetBit(0);
        }
        free.clear(frame);
        freeCount--;
        owner(frame).used++;
        return frame;
    }

    void free(int frame) {
        Block block = owner(frame);
        block.used--;
        if (!block.isReleasing) {
            free.set(frame);
            freeCount++;
        } else if (block.used == 0) {
            removeBlock(frame / perBlock);
        }
    }

    private boolean grow() {
        @Nullable Block[] grown = blocks;
        int at = 0;
        while (at < grown.length && grown[at] != null) {
            at++;
        }
        int count = count(at);
        if (count <= 0 || heldCount + count > limit) {
            return false;
        }
        try {
            grown = Arrays.copyOf(grown, Math.max(grown.length, at + 1));
            grown[at] = new Block((long) count * frameBytes);
        } catch (OutOfMemoryError _) {
            limit = heldCount; // the system has no more memory
            return false;
        }
        blocks = grown;
        free.set(at * perBlock, at * perBlock + count);
        heldCount += count;
        freeCount += count;
        return true;
    }

    /// Returns the number of frames in a block.
    private int count(int at) {
        return (int) Math.min(perBlock, configured - (long) at * perBlock);
    }

    /// Starts to release the block with the highest number: its free frames become unavailable, and
    /// its memory is released when the last frame in use is freed.
    ///
    /// @return whether there was a block
    boolean releaseBlock() {
        for (int at = blocks.length - 1; at >= 0; at--) {
            Block block = blocks[at];
            if (block != null && !block.isReleasing) {
                block.isReleasing = true;
                int count = count(at);
                free.clear(at * perBlock, at * perBlock + count);
                freeCount -= count - block.used;
                heldCount -= count;
                releasing += count;
                if (block.used == 0) {
                    removeBlock(at);
                }
                return true;
            }
        }
        return false;
    }

    /// Returns the blocks that are being released and still in use, whose frames have to be freed.
    BitSet releasing() {
        var all = new BitSet();
        for (int at = 0; releasing > 0 && at < blocks.length; at++) {
            Block block = blocks[at];
            if (block != null && block.isReleasing) {
                all.set(at);
            }
        }
        return all;
    }

    private void removeBlock(int at) {
        Block block = blocks[at];
        @Nullable Block[] fewer = blocks.clone();
        fewer[at] = null;
        blocks = fewer;
        releasing -= count(at);
        if (block != null) {
            block.arena.close();
        }
    }

    private Block owner(int frame) {
        Block block = blocks[frame / perBlock];
        if (block == null) {
            throw new IllegalStateException("frame " + frame + " was released");
        }
        return block;
    }

    /// Returns the memory block that contains the frame.
    MemorySegment block(int frame) {
        return owner(frame).memory;
    }

    /// Returns the frame's offset in its block, in bytes.
    long offset(int frame) {
        return (long) (frame % perBlock) * frameBytes;
    }

    MemorySegment segment(int frame) {
        return block(frame).asSlice(offset(frame), frameBytes);
    }

    int blockOf(int frame) {
        return frame / perBlock;
    }

    /// Returns the number of frames allocated from the system at a time.
    int perBlock() {
        return perBlock;
    }

    int frameBytes() {
        return frameBytes;
    }

    /// Returns the maximum number of frames.
    int limit() {
        return limit;
    }

    /// Sets the maximum number of frames; the caller releases blocks to meet it.
    void limit(int frames) {
        limit = frames;
    }

    /// Returns the number of frames, without those of blocks being released.
    int heldCount() {
        return heldCount;
    }

    /// Returns how many frames could be allocated now.
    int available() {
        int room = Math.min(limit, configured - releasing) - heldCount;
        boolean isAll =
                room == configured - heldCount; // including the last block, which is smaller
        return freeCount + Math.max(0, isAll ? room : room / perBlock * perBlock);
    }

    /// Returns the number of blocks not yet released to the system.
    int openBlocks() {
        int open = 0;
        for (Block block : blocks) {
            open += block == null ? 0 : 1;
        }
        return open;
    }
}
