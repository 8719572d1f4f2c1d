package dev.tandem.cache;

import java.nio.file.Path;
import java.util.BitSet;

/// What is known of a file in one state. Guarded by the cache's lock.
final class FileRecord {
    /// What it takes on the heap, about, with its path; counted as held. Besides, it takes what
    /// its pages do that are held, and a bit for each up to the last that does not shrink.
    static final int HEAP_BYTES = 512;

    /// A million pages: what follows in a file of more than 64 GiB is tried again, so that what
    /// is known of one file takes no more than 128 KiB.
    private static final int RIGID_MAX = 1 << 20;

    final Path path;
    final FileState state;
    final int pageCount;
    final PageTable pages = new PageTable();

    /// Pages that do not become smaller, and are not tried again.
    private final BitSet rigid = new BitSet(1);

    private final Trials trials;

    /// How often it was used, of late: halved now and then.
    int uses;

    /// False once another state, or none, is known of its path: nothing is loaded any more.
    boolean isCurrent = true;

    /// Whether it is left to the kernel's cache: nothing is loaded meanwhile.
    boolean isLeft;

    FileRecord(Path path, FileState state, int pageBytes) {
        this.path = path;
        this.state = state;
        this.trials = new Trials(state.size(), pageBytes);
        this.pageCount = Math.toIntExact((state.size() + pageBytes - 1) / pageBytes);
    }

    /// Whether all of it is in memory, or being read.
    boolean isWhole() {
        return pages.count() == pageCount;
    }

    /// Whether pages are to be tried, to learn whether the file shrinks. Written under the lock,
    /// read by all.
    volatile boolean isOnTrial = true;

    boolean mayLoad() {
        return isCurrent && !isLeft;
    }

    boolean isRigid(int index) {
        return rigid.get(index);
    }

    /// Whether all of it is known not to shrink, by the pages that were tried.
    boolean isRigid() {
        return trials.isRigid();
    }

    boolean wantsTrial(Page page) {
        return trials.wants(page.index);
    }

    /// A page shrank, by so many bytes.
    void shrank(Page page, int saved) {
        trials.add(page.index, page.length, saved);
        isOnTrial = trials.isOpen();
    }

    void markRigid(Page page) {
        trials.add(page.index, page.length, 0);
        isOnTrial = trials.isOpen();
        if (page.index < RIGID_MAX) {
            rigid.set(page.index);
        }
    }

    int hash(int index) {
        int hash = (path.hashCode() * 31 + index) * 0x9E3779B9;
        return hash ^ hash >>> 15;
    }

    long heapBytes() {
        return HEAP_BYTES + pages.heapBytes() + rigid.size() / Byte.SIZE;
    }
}
