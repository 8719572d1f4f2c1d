package dev.tandem.files;

import dev.tandem.files.FileLookup.Document;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// Where files were found lately. Finding one takes a dozen system calls, most of them for the
/// walks along its path and the root's: 10 microseconds, where one look at the file takes 1.6.
/// For the recheck time, that one look is enough: a file that is still the same one is still in
/// the root.
///
/// Each path has one place, and newcomers take it from others. Shared by all threads.
final class ResolvedFiles {

    /// A power of two.
    private static final int SIZE = 1_024;

    private final AtomicReferenceArray<@Nullable ResolvedFile> files =
            new AtomicReferenceArray<>(SIZE);
    private final long recheckNanos;

    /// What was found.
    ///
    /// @param tail the path it was asked for by
    /// @param checkedNanos when, by the clock of [System#nanoTime()]; from before the look
    /// @param variants the other forms of it; of one that is made, those it is one of
    record ResolvedFile(
            String tail,
            Document document,
            FileMetadata metadata,
            long checkedNanos,
            Variants variants) {

        /// What has no other form.
        ResolvedFile(String tail, Document document, FileMetadata metadata, long checkedNanos) {
            this(tail, document, metadata, checkedNanos, Variants.NONE);
        }

        /// The same with another label and forms.
        ResolvedFile with(FileMetadata other, Variants variants) {
            return new ResolvedFile(tail, document, other, checkedNanos, variants);
        }
    }

    ResolvedFiles(long recheckNanos) {
        this.recheckNanos = recheckNanos;
    }

    /// What was found at a path not longer ago than the recheck time.
    @Nullable ResolvedFile get(String tail, long nowNanos) {
        ResolvedFile file = files.get(index(tail));
        boolean isGood =
                file != null
                        && nowNanos - file.checkedNanos < recheckNanos
                        && file.tail.equals(tail);
        return isGood ? file : null;
    }

    /// A file that is not settled is not kept: it may look the same when it is not.
    void put(ResolvedFile file) {
        if (file.metadata.isStable()) {
            files.set(index(file.tail), file);
        } else {
            remove(file.tail);
        }
    }

    void remove(String tail) {
        files.set(index(tail), null);
    }

    private static int index(String tail) {
        int hash = tail.hashCode();
        return (hash ^ hash >>> 16) & SIZE - 1;
    }
}
