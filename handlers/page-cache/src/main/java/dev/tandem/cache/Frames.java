package dev.tandem.cache;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/// Memory outside of the heap, in frames of one size, got from the system in blocks as it is
/// needed and given back by the block. Guarded by the cache's lock, but for [#block], which any
/// thread may call for a frame that it knows to be in use.
final class Frames {
    /// 4 MiB: one call to the system for 64 frames, and the step in which memory is given back.
    private static final int BLOCK_BYTES = 4 << 20;

    /// A sixteenth of all memory at most: half the step in which [MemoryPressure] lets it grow, so
    /// that there is always room for a block then.
    private static final int BLOCK_SHARE = 16;

    /// What the kernel's direct reads ask for on all known disks.
    static final int ALIGNMENT = 4_096;

    private final int frameBytes;
    private final int configured;

    /// Of all blocks but the last, which has the rest.
    private final int perBlock;

    /// Free frames of blocks that are not being given back.
    private final BitSet free = new BitSet();

    /// Replaced as a whole, so that those who read need no lock.
    private volatile @Nullable Block[] blocks = new Block[0];

    private int limit;
    private int heldCount;

    /// Of blocks that are being given back and still in use.
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
    /// @param bytes the most memory
    Frames(int frameBytes, long bytes) {
        this.frameBytes = frameBytes;
        this.configured = Math.toIntExact(Math.min(bytes / frameBytes, Integer.MAX_VALUE / 4));
        this.limit = configured;
        this.perBlock = Math.clamp(configured / BLOCK_SHARE, 1, BLOCK_BYTES / frameBytes);
    }

    /// A frame, or -1 if there is none. Takes those of low numbers first, so that blocks of
    /// high ones fall empty.
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
            limit = heldCount; // the system has no more: what there is has to do
            return false;
        }
        blocks = grown;
        free.set(at * perBlock, at * perBlock + count);
        heldCount += count;
        freeCount += count;
        return true;
    }

    /// How many frames a block of that number has.
    private int count(int at) {
        return (int) Math.min(perBlock, configured - (long) at * perBlock);
    }

    /// Begins to give back the block with the highest number: its free frames are free no more,
    /// and when the last of those in use is given, its memory is the system's again.
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

    /// The blocks that are being given back and still in use: whose frames have to be given.
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
            throw new IllegalStateException("frame " + frame + " was given back");
        }
        return block;
    }

    /// The memory that the frame is in.
    MemorySegment block(int frame) {
        return owner(frame).memory;
    }

    /// Where in its block the frame begins, in bytes.
    long offset(int frame) {
        return (long) (frame % perBlock) * frameBytes;
    }

    MemorySegment segment(int frame) {
        return block(frame).asSlice(offset(frame), frameBytes);
    }

    int blockOf(int frame) {
        return frame / perBlock;
    }

    /// How many are got from the system at a time.
    int perBlock() {
        return perBlock;
    }

    int frameBytes() {
        return frameBytes;
    }

    /// How many frames there may be.
    int limit() {
        return limit;
    }

    /// Sets how many frames there may be; the caller has blocks leave until it is so.
    void limit(int frames) {
        limit = frames;
    }

    /// How many frames there are, without those of blocks that leave.
    int heldCount() {
        return heldCount;
    }

    /// How many could be taken now.
    int available() {
        int room = Math.min(limit, configured - releasing) - heldCount;
        boolean isAll = room == configured - heldCount; // with the last block, which is smaller
        return freeCount + Math.max(0, isAll ? room : room / perBlock * perBlock);
    }

    /// Blocks that are not given back to the system yet.
    int openBlocks() {
        int open = 0;
        for (Block block : blocks) {
            open += block == null ? 0 : 1;
        }
        return open;
    }
}
