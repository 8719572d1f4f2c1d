package dev.tandem.cache;

/// What compressing pages of a file has shown of all of it. Guarded by the cache's lock.
final class Trials {
    /// A page of each eighth of a file has to be tried, or all where there are fewer: a few pages
    /// at its beginning say little of a large one.
    private static final int STRETCHES = 8;

    /// A sixteenth: who saves less of what was tried does not shrink.
    private static final int SAVED_SHARE = 16;

    /// Whole ones; the rest behind them, which may be too small to be tried, counts to the last.
    private final int pageCount;

    private final int stretches;

    /// A bit for each stretch of which a page was tried.
    private int tried;

    private long triedBytes;
    private long savedBytes;

    /// @param size of the file, in bytes
    Trials(long size, int pageBytes) {
        this.pageCount = Math.toIntExact(Math.max(1, size / pageBytes));
        this.stretches = Math.min(pageCount, STRETCHES);
    }

    /// @param index of the page
    /// @param length of the page, in bytes
    /// @param saved of it, in bytes; 0 if it is not kept compressed
    void add(int index, int length, int saved) {
        tried |= 1 << stretch(index);
        triedBytes += length;
        savedBytes += saved;
    }

    /// Whether nothing is known of the page's stretch, and what was tried did not shrink.
    boolean wants(int index) {
        return (tried & 1 << stretch(index)) == 0 && savedBytes * SAVED_SHARE <= triedBytes;
    }

    private int stretch(int index) {
        return (int) ((long) Math.min(index, pageCount - 1) * stretches / pageCount);
    }

    /// Whether more pages are to be tried.
    boolean isOpen() {
        return tried != (1 << stretches) - 1 && savedBytes * SAVED_SHARE <= triedBytes;
    }

    /// Whether the file is known not to shrink.
    boolean isRigid() {
        boolean isKnown = tried == (1 << stretches) - 1;
        return isKnown && savedBytes * SAVED_SHARE < triedBytes;
    }
}
