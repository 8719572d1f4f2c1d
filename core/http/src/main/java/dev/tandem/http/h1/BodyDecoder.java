package dev.tandem.http.h1;

import dev.tandem.http.Headers;
import dev.tandem.http.MalformedMessage;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Decodes a message body from the bytes that follow the head (RFC 9112, sections 6 and 7), and
/// consumes no byte after the body. Confined to the reader of the body.
public sealed interface BodyDecoder permits FixedLengthDecoder, ChunkedDecoder {

    /// Returns the decoder for the framing that `head` specifies.
    static BodyDecoder of(Http1RequestHead head, Http1Limits limits) {
        return head.isChunked()
                ? new ChunkedDecoder(limits)
                : new FixedLengthDecoder(Math.max(0, head.contentLength()));
    }

    /// Copies at most `length` bytes of the body from `in` to `to[offset]` and on, and returns
    /// their number. Consumes framing in between, even if `length` is 0. A result of 0 for another
    /// `length` means that the body is complete or malformed, or that more input is needed and `in`
    /// is empty.
    int decode(ByteBuffer in, byte[] to, int offset, int length);

    /// Returns whether the complete body was decoded, including its end.
    boolean isDone();

    /// Returns the error in the framing, or null. After an error no more input is consumed, because
    /// the start of the next request is unknown.
    @Nullable MalformedMessage error();

    /// Returns the trailer fields; empty until the body is complete, and if there are none.
    Headers trailers();
}
