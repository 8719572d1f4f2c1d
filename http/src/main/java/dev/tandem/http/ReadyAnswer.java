package dev.tandem.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// An answer laid ready as the bytes that will be sent. Immutable; may be shared by all threads.
public final class ReadyAnswer {
    private final int status;
    private final byte[] fields;
    private final ByteBuffer body;

    /// @param status of the answer
    /// @param fields the header section's lines, each ended by CRLF, with `Content-Length` where
    ///     the status allows it, and without `Date` and `Connection`, which the server adds
    /// @param body a direct buffer with the content between position and limit, which no one
    ///     changes
    public ReadyAnswer(int status, String fields, ByteBuffer body) {
        if (!body.isDirect()) {
            throw new IllegalArgumentException("the body must be a direct buffer");
        }
        this.status = status;
        this.fields = fields.getBytes(StandardCharsets.ISO_8859_1);
        this.body = body.asReadOnlyBuffer();
    }

    public int status() {
        return status;
    }

    /// The header lines. Not to be changed.
    public byte[] fields() {
        return fields;
    }

    /// The content. Its position and limit are not to be changed: take a duplicate.
    public ByteBuffer body() {
        return body;
    }
}
