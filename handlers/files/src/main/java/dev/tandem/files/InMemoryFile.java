package dev.tandem.files;

import dev.tandem.files.FileLookup.Document;
import dev.tandem.files.ResolvedFiles.ResolvedFile;
import dev.tandem.http.PreparedResponse;
import dev.tandem.http.RequestHead;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// A file held in memory, with prepared responses. Shared by all threads.
///
/// How long it is sent without a check of the disk, counted from the last check:
///
///     0 ......... recheck ......... 2 recheck .........
///     | fresh     | stale           | expired
///     | sent      | first request   | not sent
///     |           | checks the disk |
///     |           | others get it   |
///
/// So many requests do not wait for one check; and yet, if the request that was chosen for the
/// check never makes it (it is rejected, or its worker hangs on a broken disk), no change stays
/// invisible for longer than twice the recheck time.
final class InMemoryFile {
    private final Document document;
    private final PreparedFile prepared;

    /// Time of the last check, by [System#nanoTime()].
    private volatile long checkedNanos;

    /// Whether a request was chosen for the check since.
    private final AtomicBoolean isCheckClaimed = new AtomicBoolean();

    /// Set by each hit, cleared by the eviction's hand. A race grants a second chance, no more.
    private boolean wasUsed;

    private InMemoryFile(
            Document document, FileMetadata metadata, ByteBuffer bytes, long checkedNanos) {
        this.document = document;
        this.prepared = new PreparedFile(metadata, bytes);
        this.checkedNanos = checkedNanos;
    }

    /// Reads a file into memory. Returns null if it has changed: the stamp is compared after the
    /// reading, too, and a stable file cannot change without a change of its stamp.
    ///
    /// @param file a stable file
    /// @throws OutOfMemoryError if the process cannot allocate more memory outside of the heap
    static @Nullable InMemoryFile load(ResolvedFile file) throws IOException {
        Document document = file.document();
        if (!file.metadata().isStable()) {
            throw new IllegalArgumentException("not stable: " + document);
        }
        Path path = document.path();
        ByteBuffer bytes = ByteBuffer.allocateDirect(Math.toIntExact(document.stamp().size()));
        try (FileChannel channel =
                FileChannel.open(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            int count = 0;
            while (bytes.hasRemaining() && count >= 0) {
                count = channel.read(bytes);
            }
        }
        if (bytes.hasRemaining() || !document.isUnchanged()) {
            return null;
        }
        return new InMemoryFile(document, file.metadata(), bytes.flip(), file.checkedNanos());
    }

    /// Returns a file that was compressed on demand.
    ///
    /// @param bytes a direct buffer, at position 0
    static InMemoryFile of(ResolvedFile file, ByteBuffer bytes) {
        return new InMemoryFile(file.document(), file.metadata(), bytes, file.checkedNanos());
    }

    /// Returns the response to a GET or HEAD, or null if a worker has to check the disk first.
    /// Allocates nothing.
    @Nullable PreparedResponse response(RequestHead head, long nowNanos, long recheckNanos) {
        PreparedResponse response = prepared.response(head);
        if (response == null || !canServe(nowNanos - checkedNanos, recheckNanos)) {
            return null;
        }
        if (!wasUsed) { // written rarely, so that processors share the cache line
            wasUsed = true;
        }
        return response;
    }

    private boolean canServe(long ageNanos, long recheckNanos) {
        if (ageNanos < recheckNanos) {
            return true;
        }
        return ageNanos < 2 * recheckNanos
                && (isCheckClaimed.getPlain() || !isCheckClaimed.compareAndSet(false, true));
    }

    /// Returns whether the file on disk is still the one held.
    boolean isSameAs(Document found) {
        return document.equals(found);
    }

    /// Returns its metadata.
    FileMetadata metadata() {
        return prepared.metadata();
    }

    /// Records a check, made after `nowNanos`, that found the same file.
    void recordCheck(long nowNanos) {
        if (nowNanos - checkedNanos > 0) { // a slow worker must not set the time back
            checkedNanos = nowNanos;
            isCheckClaimed.set(false);
        }
    }

    /// Returns whether there was a hit since the last call.
    boolean testAndClearUsed() {
        boolean was = wasUsed;
        wasUsed = false;
        return was;
    }

    /// Returns the memory, which the garbage collector frees after its last use.
    ByteBuffer bytes() {
        return prepared.bytes();
    }
}
