package dev.tandem.cache;

import java.util.ArrayList;
import java.util.BitSet;

/// Sets how much memory the pages may have, and gives back what is more. Guarded by the cache's
/// lock.
final class Budget {
    /// An eighth of what was configured is always ours, whatever else is short of memory.
    private static final int LEAST_SHARE = 8;

    /// The most looks from one walk through all pages to the next.
    private static final int WAIT_MAX = 16;

    private final Hold hold;
    private final FileRecords records;
    private final Pressure pressure;
    private final int configured;

    /// How many looks it is from the last walk to the next, and how many there were.
    private int wait;

    private int waited;

    Budget(Hold hold, FileRecords records, Pressure pressure) {
        this.hold = hold;
        this.records = records;
        this.pressure = pressure;
        this.configured = hold.residents().frames().limit();
    }

    /// Goes by what a look has found.
    ///
    /// @param spare as [Pressure#spare()]
    /// @param beside what others hold of files, in bytes
    void fit(long spare, long beside) {
        Frames frames = hold.residents().frames();
        int least = Math.min(frames.limit(), configured / LEAST_SHARE);
        int others = Math.toIntExact(beside / frames.frameBytes());
        shrink(Math.max(least, pressure.frames(spare, frames.held() + others) - others));
    }

    /// Gives memory back until no more is held.
    void shrink(int limit) {
        Frames frames = hold.residents().frames();
        frames.limit(limit);
        boolean isMore = true;
        boolean isLess = false;
        while (isMore && frames.held() > limit) {
            isMore = frames.leave();
            isLess = true;
        }
        BitSet leaving = frames.leaving();
        if (!leaving.isEmpty() && (isLess || isTimeToWalk())) {
            wait = isLess ? 1 : Math.min(WAIT_MAX, 2 * wait);
            waited = 0;
            dropIn(leaving);
        }
    }

    /// What was in use the last time is seen to again: of a frame whose page was pinned, the rest
    /// may have been used since. More and more rarely, since each time all pages are looked at.
    private boolean isTimeToWalk() {
        waited++;
        return waited >= wait;
    }

    private void dropIn(BitSet blocks) {
        var going = new ArrayList<Page>();
        for (FileRecord file : records.all()) {
            for (Page page : file.pages.all()) {
                if (hold.residents().isIn(page, blocks)) {
                    going.add(page);
                }
            }
        }
        going.forEach(hold.residents()::drop);
    }
}
