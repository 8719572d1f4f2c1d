package dev.tandem.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A response prepared as the bytes to send. Immutable and thread-safe.
public final class PreparedResponse {
    private final int status;
    private final byte[] headerLines;
    private final ByteBuffer body;

    /// The last extended response. The race is harmless: a record is published safely, and a thread
    /// that does not see it creates another.
    private @Nullable With last;

    private record With(StaticHeaders more, PreparedResponse response) {}

    /// Null until requested. A race to set it is harmless: all threads create equal ones.
    private volatile byte @Nullable [] headerBlock;

    /// @param status of the response
    /// @param fields the lines of the header section, each terminated by CRLF, with
    ///     `Content-Length` if the status allows it, and without `Date` and `Connection`, which the
    ///     server adds
    /// @param body a direct buffer with the content between position and limit, which must not be
    ///     modified; empty if the status allows no content
    /// @throws IllegalArgumentException if a client could not detect where the response ends
    public PreparedResponse(int status, String fields, ByteBuffer body) {
        if (!body.isDirect()) {
            throw new IllegalArgumentException("the body must be a direct buffer");
        }
        boolean isEmpty = !Status.allowsContent(status);
        boolean isLengthMissing =
                Status.isEmptyByLength(status)
                        && !("\r\n" + fields)
                                .toLowerCase(Locale.ROOT)
                                .contains("\r\ncontent-length: 0\r\n");
        if (isEmpty && body.hasRemaining() || isLengthMissing) {
            throw new IllegalArgumentException(
                    "a response of status " + status + " has no content");
        }
        this.status = status;
        this.headerLines = fields.getBytes(StandardCharsets.ISO_8859_1);
        this.body = body.asReadOnlyBuffer();
    }

    /// Returns this response with additional headers, except those that it has already. The result
    /// is cached until other headers are requested.
    PreparedResponse with(StaticHeaders more) {
        With known = last;
        if (known == null || known.more != more) {
            String all = more.appendTo(new String(headerLines, StandardCharsets.ISO_8859_1));
            known = new With(more, new PreparedResponse(status, all, body));
            last = known;
        }
        return known.response;
    }

    public int status() {
        return status;
    }

    /// Returns the header lines, which must not be modified.
    public byte[] headerLines() {
        return headerLines;
    }

    /// Returns status and headers in the encoding of another protocol, which is created by the
    /// first call and must not be modified.
    ///
    /// @param encoder always the same, for example HTTP/2's
    public byte[] headerBlock(Function<PreparedResponse, byte[]> encoder) {
        byte[] known = headerBlock;
        if (known == null) {
            known = encoder.apply(this);
            headerBlock = known;
        }
        return known;
    }

    /// Returns the content. Its position and limit must not be changed: use a duplicate.
    public ByteBuffer body() {
        return body;
    }
}
