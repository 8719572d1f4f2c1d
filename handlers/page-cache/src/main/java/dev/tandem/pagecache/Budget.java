package dev.tandem.pagecache;

import java.util.ArrayList;
import java.util.BitSet;

/// Sets the memory limit of the pages, and releases memory above it. Guarded by the cache's lock.
final class Budget {
    /// An eighth of the configured memory is kept, however short of memory the machine is.
    private static final int LEAST_SHARE = 8;

    /// Maximum number of checks between two walks through all pages.
    private static final int WALK_INTERVAL_MAX = 16;

    private final CacheContext context;
    private final FileRecords records;
    private final MemoryPressure pressure;
    private final int configured;

    /// Number of checks between the last walk and the next, and since the last one.
    private int walkInterval;

    private int checksSinceWalk;

    Budget(CacheContext context, FileRecords records, MemoryPressure pressure) {
        this.context = context;
        this.records = records;
        this.pressure = pressure;
        this.configured = context.residents().frames().limit();
    }

    /// Adjusts the limit to the result of a check.
    ///
    /// @param spare see [MemoryPressure#spareBytes()]
    /// @param externalBytes other memory that holds files, in bytes
    void adjust(long spare, long externalBytes) {
        Frames frames = context.residents().frames();
        int least = Math.min(frames.limit(), configured / LEAST_SHARE);
        int others = Math.toIntExact(externalBytes / frames.frameBytes());
        shrink(Math.max(least, pressure.frameLimit(spare, frames.heldCount() + others) - others));
    }

    /// Releases memory until the limit is met.
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

    /// Pages that were in use during the last walk are walked through again: if a page was pinned,
    /// other pages in its block may have been loaded since. The interval doubles each time, since a
    /// walk visits all pages.
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
