package dev.tandem.cache;

import org.jspecify.annotations.Nullable;

/// Two queues, as S3-FIFO has them (Yang, Zhang, Qiu, Yue, Vigfusson: FIFO queues are all you
/// need for cache eviction, SOSP 2023). A new page goes through a short one; if it is asked for
/// again meanwhile, or was here not long ago and is of a file asked for no
/// less than what would go for it, it goes to the long one, where each hit keeps it
/// for a round, up to three.
final class QueuesOrder implements HotOrder {
    /// The short queue's share is a tenth, as in the paper.
    private static final int SHORT_SHARE = 10;

    /// A victim is found in so many steps, or the next is taken that can be. Three rounds of
    /// hits for each page that goes are the most in the mean; this bounds the worst case.
    private static final int STEPS_MAX = 4_096;

    private static final int ROUNDS_MAX = 3;

    private final PageList fresh = new PageList();
    private final PageList proven = new PageList();

    @Override
    public void add(Page page, boolean isKnown) {
        page.hits = 0;
        page.isProven = isKnown;
        (isKnown && isLiked(page) ? proven : fresh).addFirst(page);
    }

    /// Whether its file is asked for more often than that of the page that would go for it.
    private boolean isLiked(Page page) {
        Page rival = proven.last();
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
            boolean isFresh = fresh.count() * SHORT_SHARE > count();
            if (isLate) {
                isFresh = i % 2 == 0; // all of the other may be pinned
            }
            PageList from = isFresh && fresh.count() > 0 || proven.count() == 0 ? fresh : proven;
            Page page = from.last();
            if (page == null) {
                return null;
            }
            if (page.pins == 0 && (page.hits == 0 || isLate)) {
                from.remove(page);
                page.isProven |= page.hits > 0;
                return page;
            }
            goRound(page, from);
        }
        return null;
    }

    private void goRound(Page page, PageList from) {
        if (from == fresh && page.hits > 0) {
            from.remove(page);
            page.isProven = true;
            page.hits = 0;
            proven.addFirst(page);
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
        return fresh.count() + proven.count();
    }
}
