package dev.tandem.pagecache;

import org.jspecify.annotations.Nullable;

/// Two queues, as in S3-FIFO (Yang, Zhang, Qiu, Yue, Vigfusson: FIFO queues are all you need for
/// cache eviction, SOSP 2023). A new page passes through the small queue; if it is requested again
/// there, or was evicted not long ago and its file is used at least as often as that of the page it
/// would displace, it enters the main queue, where each hit keeps it for another round, up to
/// three.
final class S3FifoOrder implements EvictionOrder {
    /// The small queue's share is a tenth, as in the paper.
    private static final int SMALL_SHARE = 10;

    /// Maximum number of steps until any unpinned page is taken. On average at most three rounds
    /// are needed for each eviction; this bounds the worst case.
    private static final int STEPS_MAX = 4_096;

    private static final int ROUNDS_MAX = 3;

    private final PageList smallQueue = new PageList();
    private final PageList mainQueue = new PageList();

    @Override
    public void add(Page page, boolean isKnown) {
        page.hits = 0;
        page.isReused = isKnown;
        (isKnown && isFrequentEnough(page) ? mainQueue : smallQueue).addFirst(page);
    }

    /// Returns whether its file is used at least as often as that of the page it would displace.
    private boolean isFrequentEnough(Page page) {
        Page rival = mainQueue.last();
        return rival == null || page.file.uses >= rival.file.uses;
    }

    @Override
    public void hit(Page page) {
        page.hits = Math.min(ROUNDS_MAX, page.hits + 1);
    }

    @Override
    public @Nullable Page victim() {
        int steps = Math.min(STEPS_MAX, 4 * count());
        for (int i = 0; i <= steps; i++) {
            boolean isLate = i > steps / 2;
            boolean isFresh = smallQueue.count() * SMALL_SHARE > count();
            if (isLate) {
                isFresh = i % 2 == 0; // all pages of the other queue may be pinned
            }
            PageList from =
                    isFresh && smallQueue.count() > 0 || mainQueue.count() == 0
                            ? smallQueue
                            : mainQueue;
            Page page = from.last();
            if (page == null) {
                return null;
            }
            if (page.pins == 0 && (page.hits == 0 || isLate)) {
                from.remove(page);
                page.isReused |= page.hits > 0;
                return page;
            }
            requeue(page, from);
        }
        return null;
    }

    private void requeue(Page page, PageList from) {
        if (from == smallQueue && page.hits > 0) {
            from.remove(page);
            page.isReused = true;
            page.hits = 0;
            mainQueue.addFirst(page);
        } else {
            page.hits = Math.max(0, page.hits - 1);
            from.moveFirst(page);
        }
    }

    @Override
    public void remove(Page page) {
        PageList list = page.list;
        if (list != null) {
            list.remove(page);
        }
    }

    @Override
    public int count() {
        return smallQueue.count() + mainQueue.count();
    }
}
