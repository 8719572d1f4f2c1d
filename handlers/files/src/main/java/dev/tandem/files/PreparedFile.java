package dev.tandem.files;

import dev.tandem.http.KnownHeader;
import dev.tandem.http.PreparedResponse;
import dev.tandem.http.RequestHead;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A file's content in memory, with prepared responses. Immutable; shared by all threads.
final class PreparedFile {
    private static final ByteBuffer EMPTY = ByteBuffer.allocateDirect(0);

    private final FileMetadata metadata;
    private final String etag;
    private final ByteBuffer bytes;
    private final PreparedResponse whole;
    private final PreparedResponse notModified;

    /// @param bytes a direct buffer, at position 0
    PreparedFile(FileMetadata metadata, ByteBuffer bytes) {
        this.metadata = metadata;
        this.etag = metadata.etag();
        this.bytes = bytes;
        this.whole = new PreparedResponse(200, wholeHeaders(metadata, bytes.limit()), bytes);
        this.notModified = new PreparedResponse(304, lines(metadata.notModifiedHeaders()), EMPTY);
    }

    /// Returns the response to a GET or HEAD, or null if a worker has to evaluate the request's
    /// conditions or ranges. Allocates nothing.
    @Nullable PreparedResponse response(RequestHead head) {
        boolean isConditional = head.has(KnownHeader.IF_NONE_MATCH);
        // If-Modified-Since is ignored if there is an If-None-Match (RFC 9110, section 13.1.3), and
        // browsers send both. All other combinations are left to a worker.
        if (head.has(KnownHeader.RANGE)
                || head.has(KnownHeader.IF_MATCH)
                || head.has(KnownHeader.IF_UNMODIFIED_SINCE)
                || head.has(KnownHeader.IF_RANGE)
                || isConditional && !head.isExactly(KnownHeader.IF_NONE_MATCH, etag)
                || !isConditional && head.has(KnownHeader.IF_MODIFIED_SINCE)) {
            return null;
        }
        return isConditional ? notModified : whole;
    }

    FileMetadata metadata() {
        return metadata;
    }

    /// Returns the memory, which the garbage collector frees after its last use.
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
