package dev.tandem.pagecache;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The cached pages of a file by their index. Its size depends on the number of pages, not on the
/// size of the file. A hash table with open addressing and linear probing (Knuth, The Art of
/// Computer Programming, volume 3, section 6.4, algorithms L and R). Guarded by the cache's lock.
final class PageTable {
    private static final int SLOTS_MIN = 2;
    private static final @Nullable Page[] NONE = {};

    /// At least two slots for each page, so that an unsuccessful search soon finds a gap; at most
    /// eight before the table shrinks.
    private static final int SLOTS_PER_PAGE = 2;

    private static final int SHRINK_AT = 4 * SLOTS_PER_PAGE;

    /// Its length is a power of two, or zero.
    private @Nullable Page[] slots = NONE;

    private int count;

    @Nullable Page get(int index) {
        return count == 0 ? null : slots[find(index)];
    }

    /// Returns the page's slot, or the gap where it would be inserted.
    private int find(int index) {
        int at = homeSlot(index);
        for (Page page = slots[at]; page != null && page.index != index; page = slots[at]) {
            at = next(at);
        }
        return at;
    }

    /// Multiplicative hashing by the golden ratio, which spreads consecutive indexes.
    private int homeSlot(int index) {
        return index * 0x9E3779B9 >>> Integer.numberOfLeadingZeros(slots.length - 1);
    }

    private int next(int at) {
        return at + 1 & slots.length - 1;
    }

    /// Inserts a page whose index is absent. If the heap is exhausted, the table is unchanged.
    void put(Page page) {
        if ((count + 1) * SLOTS_PER_PAGE > slots.length) {
            resize(Math.max(SLOTS_MIN, slots.length * 2));
        }
        slots[find(page.index)] = page;
        count++;
    }

    private void resize(int length) {
        @Nullable Page[] from = slots;
        slots = new Page[length];
        for (Page page : from) {
            if (page != null) {
                slots[find(page.index)] = page;
            }
        }
    }

    /// Removes a page, if present.
    void remove(int index) {
        if (count == 0) {
            return;
        }
        int gap = find(index);
        if (slots[gap] == null) {
            return;
        }
        slots[gap] = null;
        close(gap);
        count--;
        if (count == 0) {
            slots = NONE;
        } else if (count * SHRINK_AT <= slots.length) {
            shrink();
        }
    }

    private void shrink() {
        try {
            resize(slots.length / 2);
        } catch (OutOfMemoryError _) {
            // The table keeps its size until the next removal.
        }
    }

    /// Moves pages behind a gap into it that would otherwise not be found.
    private void close(int from) {
        int gap = from;
        int at = next(gap);
        for (Page page = slots[at]; page != null; page = slots[at]) {
            int mask = slots.length - 1;
            boolean isGapOnItsWay = (at - homeSlot(page.index) & mask) >= (at - gap & mask);
            if (isGapOnItsWay) {
                slots[gap] = page;
                slots[at] = null;
                gap = at;
            }
            at = next(at);
        }
    }

    int count() {
        return count;
    }

    /// Returns all pages, in no order.
    List<Page> all() {
        var all = new ArrayList<Page>(count);
        for (Page page : slots) {
            if (page != null) {
                all.add(page);
            }
        }
        return all;
    }

    /// Returns the approximate size on the heap, without the pages.
    long heapBytes() {
        return 4L * slots.length;
    }
}
