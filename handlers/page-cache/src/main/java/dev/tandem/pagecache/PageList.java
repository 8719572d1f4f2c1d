package dev.tandem.pagecache;

import org.jspecify.annotations.Nullable;

/// An intrusive doubly linked list of pages. A page is in at most one list. Guarded by the cache's
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
        page.next = first;
        if (first == null) {
            last = page;
        } else {
            first.previous = page;
        }
        first = page;
        count++;
    }

    void remove(Page page) {
        if (page.list != this) {
            throw new IllegalStateException("not in this list");
        }
        Page previous = page.previous;
        Page next = page.next;
        if (previous == null) {
            first = next;
        } else {
            previous.next = next;
        }
        if (next == null) {
            last = previous;
        } else {
            next.previous = previous;
        }
        page.previous = null;
        page.next = null;
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
