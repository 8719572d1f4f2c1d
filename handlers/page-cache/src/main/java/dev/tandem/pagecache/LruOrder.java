package dev.tandem.pagecache;

import org.jspecify.annotations.Nullable;

/// Evicts the least recently used page.
final class LruOrder implements EvictionOrder {
    private final PageList pages = new PageList();

    @Override
    public void add(Page page, boolean isKnown) {
        page.isReused = true; // all pages are worth compressing
        pages.addFirst(page);
    }

    @Override
    public void hit(Page page) {
        page.hit();
        pages.moveFirst(page);
    }

    @Override
    public @Nullable Page victim() {
        for (int i = pages.count(); i > 0; i--) {
            Page page = pages.last();
            if (page == null || page.pins == 0) {
                if (page != null) {
                    pages.remove(page);
                }
                return page;
            }
            pages.moveFirst(page);
        }
        return null;
    }

    @Override
    public void remove(Page page) {
        pages.remove(page);
    }

    @Override
    public int count() {
        return pages.count();
    }
}
