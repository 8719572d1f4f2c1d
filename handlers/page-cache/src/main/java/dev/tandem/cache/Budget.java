package dev.tandem.cache;

import java.util.ArrayList;
import java.util.BitSet;

/// Sets how much memory the pages may have, and gives back what is more. Guarded by the cache's
/// lock.
final class Budget {
    /// An eighth of what was configured is always ours, whatever else is short of memory.
    private static final int LEAST_SHARE = 8;

    /// The most looks from one walk through all pages to the next.
    private static final int WALK_INTERVAL_MAX = 16;

    private final CacheContext context;
    private final FileRecords records;
    private final MemoryPressure pressure;
    private final int configured;

    /// How many looks it is from the last walk to the next, and how many there were.
    private int walkInterval;

    private int checksSinceWalk;

    Budget(CacheContext context, FileRecords records, MemoryPressure pressure) {
        this.context = context;
        this.records = records;
        this.pressure = pressure;
        this.configured = context.residents().frames().limit();
    }

    /// Goes by what a look has found.
    ///
    /// @param spare as [MemoryPressure#spareBytes()]
    /// @param externalBytes what others hold of files, in bytes
    void adjust(long spare, long externalBytes) {
        Frames frames = context.residents().frames();
        int least = Math.min(frames.limit(), configured / LEAST_SHARE);
        int others = Math.toIntExact(externalBytes / frames.frameBytes());
        shrink(Math.max(least, pressure.frameLimit(spare, frames.heldCount() + others) - others));
    }

    /// Gives memory back until no more is held.
    void shrink(int limit) {
        Frames frames = context.residents().frames();
        frames.limit(limit);
        boolean isMore = true;
        boolean isLess = false;
        while (isMore && frames.heldCount() > limit) {
            isMore = frames.releaseBlock();
            isLess = true;
        }
        BitSet leaving = frames.releasing();
        if (!leaving.isEmpty() && (isLess || isWalkDue())) {
            walkInterval = isLess ? 1 : Math.min(WALK_INTERVAL_MAX, 2 * walkInterval);
            checksSinceWalk = 0;
            dropPagesIn(leaving);
        }
    }

    /// What was in use the last time is seen to again: of a frame whose page was pinned, the rest
    /// may have been used since. More and more rarely, since each time all pages are looked at.
    private boolean isWalkDue() {
        checksSinceWalk++;
        return checksSinceWalk >= walkInterval;
    }

    private void dropPagesIn(BitSet blocks) {
        var going = new ArrayList<Page>();
        for (FileRecord file : records.all()) {
            for (Page page : file.pages.all()) {
                if (context.residents().isIn(page, blocks)) {
                    going.add(page);
                }
            }
        }
        going.forEach(context.residents()::drop);
    }
}
