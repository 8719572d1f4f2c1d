package dev.tandem.cache;

import org.jspecify.annotations.Nullable;

/// Pages in a row, linked through themselves. A page is in at most one. Guarded by the cache's
/// lock.
final class PageList {
    private @Nullable Page first;
    private @Nullable Page last;
    private int count;

    void addFirst(Page page) {
        if (page.list != null) {
            throw new IllegalStateException("in a list already");
        }
        page.list = this;
        page.after = first;
        if (first == null) {
            last = page;
        } else {
            first.before = page;
        }
        first = page;
        count++;
    }

    void remove(Page page) {
        if (page.list != this) {
            throw new IllegalStateException("not in this list");
        }
        Page before = page.before;
        Page after = page.after;
        if (before == null) {
            first = after;
        } else {
            before.after = after;
        }
        if (after == null) {
            last = before;
        } else {
            after.before = before;
        }
        page.before = null;
        page.after = null;
        page.list = null;
        count--;
    }

    void moveFirst(Page page) {
        remove(page);
        addFirst(page);
    }

    @Nullable Page last() {
        return last;
    }

    int count() {
        return count;
    }
}
