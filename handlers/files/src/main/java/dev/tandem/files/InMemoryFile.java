package dev.tandem.files;

import dev.tandem.files.FileLookup.Document;
import dev.tandem.files.ResolvedFiles.ResolvedFile;
import dev.tandem.http.KnownHeader;
import dev.tandem.http.PreparedResponse;
import dev.tandem.http.RequestHead;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// A file held in memory, with its answers laid ready. Shared by all threads.
///
/// How long it is answered without a look at the disk, counted from the last look:
///
///     0 ......... recheck ......... 2 recheck .........
///     | fresh     | stale           | old
///     | answered  | the first       | no one is answered
///     |           | is sent to look |
///     |           | others answered |
///
/// So a crowd does not wait for one look, and yet, if whoever was sent to look never does (its
/// request is refused, its worker hangs on a broken disk), no change stays unseen for longer than
/// twice the recheck time.
final class InMemoryFile {
    private static final ByteBuffer EMPTY = ByteBuffer.allocateDirect(0);

    private final Document document;
    private final FileMetadata metadata;
    private final String etag;
    private final ByteBuffer bytes;
    private final PreparedResponse whole;
    private final PreparedResponse notModified;

    /// Time of the last look; of the clock of [System#nanoTime()].
    private volatile long checkedNanos;

    /// Whether someone was sent to look since.
    private final AtomicBoolean isCheckClaimed = new AtomicBoolean();

    /// Set by each hit, cleared by the eviction's hand. A race costs a second chance, no more.
    private boolean wasUsed;

    private InMemoryFile(
            Document document, FileMetadata metadata, ByteBuffer bytes, long checkedNanos) {
        this.document = document;
        this.metadata = metadata;
        this.etag = metadata.etag();
        this.bytes = bytes;
        this.whole = new PreparedResponse(200, wholeHeaders(metadata, bytes.limit()), bytes);
        this.notModified = new PreparedResponse(304, lines(metadata.notModifiedHeaders()), EMPTY);
        this.checkedNanos = checkedNanos;
    }

    /// Reads a file into memory. Null if it is no longer as it was found: the stamp is compared
    /// after the reading too, and a file that is settled cannot change without changing its
    /// stamp.
    ///
    /// @param place of a file that is settled
    /// @throws OutOfMemoryError if the process may have no more memory outside of the heap
    static @Nullable InMemoryFile load(ResolvedFile place) throws IOException {
        Document document = place.document();
        if (!place.metadata().isStable()) {
            throw new IllegalArgumentException("not settled: " + document);
        }
        Path path = document.path();
        ByteBuffer bytes = ByteBuffer.allocateDirect(Math.toIntExact(document.stamp().size()));
        try (FileChannel file =
                FileChannel.open(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            int count = 0;
            while (bytes.hasRemaining() && count >= 0) {
                count = file.read(bytes);
            }
        }
        if (bytes.hasRemaining() || !document.isUnchanged()) {
            return null;
        }
        return new InMemoryFile(document, place.metadata(), bytes.flip(), place.checkedNanos());
    }

    /// Holds what was made of a file.
    ///
    /// @param bytes a direct buffer, at its beginning
    static InMemoryFile of(ResolvedFile file, ByteBuffer bytes) {
        return new InMemoryFile(file.document(), file.metadata(), bytes, file.checkedNanos());
    }

    /// The answer to a GET or HEAD, or null if a worker has to look first. Allocates nothing.
    @Nullable PreparedResponse response(RequestHead head, long nowNanos, long recheckNanos) {
        boolean isConditional = head.has(KnownHeader.IF_NONE_MATCH);
        // If-Modified-Since does not count beside If-None-Match (RFC 9110, section 13.1.3), and
        // browsers send both. Every other combination is for a worker.
        if (head.has(KnownHeader.RANGE)
                || head.has(KnownHeader.IF_MATCH)
                || head.has(KnownHeader.IF_UNMODIFIED_SINCE)
                || head.has(KnownHeader.IF_RANGE)
                || isConditional && !head.isExactly(KnownHeader.IF_NONE_MATCH, etag)
                || !isConditional && head.has(KnownHeader.IF_MODIFIED_SINCE)) {
            return null;
        }
        if (!canServe(nowNanos - checkedNanos, recheckNanos)) {
            return null;
        }
        if (!wasUsed) { // written rarely, so that processors share the line
            wasUsed = true;
        }
        return isConditional ? notModified : whole;
    }

    private boolean canServe(long ageNanos, long recheckNanos) {
        if (ageNanos < recheckNanos) {
            return true;
        }
        return ageNanos < 2 * recheckNanos
                && (isCheckClaimed.getPlain() || !isCheckClaimed.compareAndSet(false, true));
    }

    /// Whether the file on the disk is still the one held.
    boolean isSameAs(Document found) {
        return document.equals(found);
    }

    /// What is said of it.
    FileMetadata metadata() {
        return metadata;
    }

    /// The disk was looked at, after `nowNanos`, and has the same file still.
    void recordCheck(long nowNanos) {
        if (nowNanos - checkedNanos > 0) { // a slow worker must not turn the time back
            checkedNanos = nowNanos;
            isCheckClaimed.set(false);
        }
    }

    /// Whether there was a hit since the last call.
    boolean testAndClearUsed() {
        boolean was = wasUsed;
        wasUsed = false;
        return was;
    }

    /// The memory that the collector frees when no one uses it any more.
    ByteBuffer bytes() {
        return bytes;
    }

    private static String wholeHeaders(FileMetadata metadata, int length) {
        return lines(metadata.notModifiedHeaders())
                + lines(metadata.contentHeaders())
                + line("Content-Length", Integer.toString(length));
    }

    private static String lines(List<String> headers) {
        var lines = new StringBuilder();
        for (int i = 0; i < headers.size(); i += 2) {
            lines.append(line(headers.get(i), headers.get(i + 1)));
        }
        return lines.toString();
    }

    private static String line(String name, String value) {
        return name + ": " + value + "\r\n";
    }
}
