package dev.tandem.http.h1;

import dev.tandem.http.Headers;
import dev.tandem.http.MalformedMessage;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Takes a request's body out of the bytes that follow its head (RFC 9112, sections 6 and 7), and
/// never one byte of what follows the body. Confined to whoever reads the body.
public sealed interface BodyDecoder permits FixedLengthDecoder, ChunkedDecoder {

    /// The decoder for what `head` announces.
    static BodyDecoder of(Http1RequestHead head, Http1Limits limits) {
        return head.isChunked()
                ? new ChunkedDecoder(limits)
                : new FixedLengthDecoder(Math.max(0, head.contentLength()));
    }

    /// Moves bytes of the body from `in` to `to[offset]` and on, at most `length` of them, and
    /// returns how many. Framing is consumed on the way, also where `length` is 0. After 0 where
    /// `length` was not: the body is done, or is bad, or more input is needed, and `in` is empty.
    int decode(ByteBuffer in, byte[] to, int offset, int length);

    /// Whether the whole body was decoded, with what ends it.
    boolean isDone();

    /// Why the framing is refused, or null. It stays refused, and no more input is consumed: where
    /// the next request begins is not known.
    @Nullable MalformedMessage error();

    /// The fields after the body; empty until it is done, and where there are none.
    Headers trailers();
}
