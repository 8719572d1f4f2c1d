package dev.tandem.files;

import dev.tandem.files.FileLookup.Document;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// Caches the results of look-ups. A look-up takes a dozen system calls, most of them for resolving
/// the path and the root: 10 microseconds, where one check of the file takes 1.6. During the
/// recheck time that check is sufficient: a file that is unchanged is still in the root.
///
/// Each path has one slot, in which a new path replaces another. Thread safe.
final class ResolvedFiles {

    /// A power of two.
    private static final int SIZE = 1_024;

    private final AtomicReferenceArray<@Nullable ResolvedFile> files =
            new AtomicReferenceArray<>(SIZE);
    private final long recheckNanos;

    /// A file that was found.
    ///
    /// @param tail the requested path
    /// @param checkedNanos time before the look-up, by [System#nanoTime()]
    /// @param variants the other variants of the file; of a variant on demand, those that it
    ///     belongs to
    record ResolvedFile(
            String tail,
            Document document,
            FileMetadata metadata,
            long checkedNanos,
            Variants variants) {

        /// Creates a file without other variants.
        ResolvedFile(String tail, Document document, FileMetadata metadata, long checkedNanos) {
            this(tail, document, metadata, checkedNanos, Variants.NONE);
        }

        /// Returns the same with other metadata and variants.
        ResolvedFile with(FileMetadata other, Variants variants) {
            return new ResolvedFile(tail, document, other, checkedNanos, variants);
        }
    }

    ResolvedFiles(long recheckNanos) {
        this.recheckNanos = recheckNanos;
    }

    /// Returns the file found at a path within the recheck time, or null.
    @Nullable ResolvedFile get(String tail, long nowNanos) {
        ResolvedFile file = files.get(index(tail));
        boolean isGood =
                file != null
                        && nowNanos - file.checkedNanos < recheckNanos
                        && file.tail.equals(tail);
        return isGood ? file : null;
    }

    /// Adds a file. One that is not stable is not kept, since it may change without a visible
    /// difference.
    void put(ResolvedFile file) {
        if (file.metadata.isStable()) {
            files.set(index(file.tail), file);
        } else {
            remove(file.tail);
        }
    }

    void remove(String tail) {
        int index = index(tail);
        ResolvedFile file = files.get(index);
        if (file != null && file.tail.equals(tail)) {
            files.compareAndSet(index, file, null);
        }
    }

    private static int index(String tail) {
        int hash = tail.hashCode();
        return (hash ^ hash >>> 16) & SIZE - 1;
    }
}
