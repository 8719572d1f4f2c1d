package dev.tandem.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// An answer laid ready as the bytes that will be sent. Immutable; may be shared by all threads.
public final class PreparedResponse {
    private final int status;
    private final byte[] headerLines;
    private final ByteBuffer body;

    /// What was made of this one last. Racy, and harmless: a record is published safely, and who
    /// does not see it makes another.
    private @Nullable With last;

    private record With(StaticHeaders more, PreparedResponse answer) {}

    /// @param status of the answer
    /// @param fields the header section's lines, each ended by CRLF, with `Content-Length` where
    ///     the status allows it, and without `Date` and `Connection`, which the server adds
    /// @param body a direct buffer with the content between position and limit, which no one
    ///     changes
    public PreparedResponse(int status, String fields, ByteBuffer body) {
        if (!body.isDirect()) {
            throw new IllegalArgumentException("the body must be a direct buffer");
        }
        this.status = status;
        this.headerLines = fields.getBytes(StandardCharsets.ISO_8859_1);
        this.body = body.asReadOnlyBuffer();
    }

    /// This answer with more fields, where it has not its own of the name. Makes it once, and again
    /// only if other fields were asked for meanwhile.
    PreparedResponse with(StaticHeaders more) {
        With known = last;
        if (known == null || known.more != more) {
            String all = more.appendTo(new String(headerLines, StandardCharsets.ISO_8859_1));
            known = new With(more, new PreparedResponse(status, all, body));
            last = known;
        }
        return known.answer;
    }

    public int status() {
        return status;
    }

    /// The header lines. Not to be changed.
    public byte[] headerLines() {
        return headerLines;
    }

    /// The content. Its position and limit are not to be changed: take a duplicate.
    public ByteBuffer body() {
        return body;
    }
}
