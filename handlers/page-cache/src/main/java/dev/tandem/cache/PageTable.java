package dev.tandem.cache;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The pages that are held of a file, by their index: as large as they are many, however large
/// the file is. A page lies at its home or behind it, without a gap (open addressing with linear
/// probing; Knuth, The Art of Computer Programming, volume 3, section 6.4, algorithms L and R).
/// Guarded by the cache's lock.
final class PageTable {
    private static final int SLOTS_MIN = 2;
    private static final @Nullable Page[] NONE = {};

    /// Two for a page at least: who looks for one that is not there soon finds a gap; eight at
    /// most, once it has shrunk.
    private static final int SLOTS_PER_PAGE = 2;

    private static final int SHRINK_AT = 4 * SLOTS_PER_PAGE;

    /// As many as a power of two, or none.
    private @Nullable Page[] slots = NONE;

    private int count;

    @Nullable Page get(int index) {
        return count == 0 ? null : slots[find(index)];
    }

    /// Where the page is, or the gap in which it would be.
    private int find(int index) {
        int at = homeSlot(index);
        for (Page page = slots[at]; page != null && page.index != index; page = slots[at]) {
            at = next(at);
        }
        return at;
    }

    /// By the golden ratio, which keeps neighbours apart and their like.
    private int homeSlot(int index) {
        return index * 0x9E3779B9 >>> Integer.numberOfLeadingZeros(slots.length - 1);
    }

    private int next(int at) {
        return at + 1 & slots.length - 1;
    }

    /// Puts a page in, of an index of which there is none. If there is no heap for that, all is
    /// as before.
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

    /// Takes a page out, if there is one.
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
            // It stays as large as it was, until the next one goes.
        }
    }

    /// Moves those behind a gap into it that would not be found beyond it.
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

    /// All of them now, in no order.
    List<Page> all() {
        var all = new ArrayList<Page>(count);
        for (Page page : slots) {
            if (page != null) {
                all.add(page);
            }
        }
        return all;
    }

    /// What it takes on the heap beside its pages, about.
    long heapBytes() {
        return 4L * slots.length;
    }
}
