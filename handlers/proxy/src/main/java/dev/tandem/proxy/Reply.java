package dev.tandem.proxy;

import dev.tandem.http.Body;
import dev.tandem.http.Exchange;
import dev.tandem.http.Headers;
import dev.tandem.http.Status;
import dev.tandem.http.h1.ChunkedDecoder;
import dev.tandem.http.h1.Http1Limits;
import dev.tandem.http.h1.ResponseHead;
import dev.tandem.http.h1.ResponseHeadDecoder;
import dev.tandem.upstream.UpstreamException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Passes an upstream's answer to the client as it comes. Confined to the thread that runs the
/// handler.
///
/// ```
/// HEAD --final head--> FIXED, CHUNKS or UNTIL_CLOSE --end--> DONE
///  ^ | interim
///  +-+
/// ```
final class Reply {
    /// Of a head: less than a wire's input holds. 32 KB, twice what is taken from clients.
    private static final Http1Limits LIMITS =
            Http1Limits.DEFAULT.withHeadMax(32_000).withHeadersMax(200);

    private static final int INTERIMS_MAX = 16;
    private static final int PIECE = 16 << 10;

    private enum State {
        HEAD,
        FIXED,
        CHUNKS,
        UNTIL_CLOSE,
        UPGRADED,
        DONE
    }

    private final Exchange x;
    private final @Nullable String upgradeAsked;
    private final ResponseHeadDecoder decoder = new ResponseHeadDecoder(LIMITS);
    private State state = State.HEAD;
    private boolean hasBegun;
    private boolean isKeepAlive;
    private int interims;
    private long left;
    private @Nullable ChunkedDecoder chunks;
    private byte[] piece = {};
    private @Nullable OutputStream out;
    private boolean isUnflushed;
    private @Nullable String upgradedTo;

    /// @param upgradeAsked the protocol that the upstream was asked to change to, or null
    Reply(Exchange x, @Nullable String upgradeAsked) {
        this.x = x;
        this.upgradeAsked = upgradeAsked;
    }

    /// The protocol that the upstream has changed to, or null. What follows is in that.
    @Nullable String upgradedTo() {
        return upgradedTo;
    }

    /// Whether a byte of it has come.
    boolean hasBegun() {
        return hasBegun;
    }

    boolean isDone() {
        return state == State.DONE || state == State.UPGRADED;
    }

    /// Whether the head is passed on.
    boolean isAnswering() {
        return state != State.HEAD;
    }

    /// Whether the connection can carry another answer.
    boolean isKeepAlive() {
        return isKeepAlive && state == State.DONE;
    }

    /// Takes what came, all of it unless it goes beyond the answer's end.
    ///
    /// @param isEnd whether nothing follows
    /// @throws UpstreamException if it is no proper answer
    /// @throws IOException if the client is gone
    void take(ByteBuffer in, boolean isEnd) throws IOException {
        hasBegun |= in.hasRemaining();
        while (state == State.HEAD && in.hasRemaining() && takeHead(in)) {
            // Interim heads, until the final one.
        }
        switch (state) {
            case FIXED -> takeFixed(in);
            case CHUNKS -> takeChunks(in);
            case UNTIL_CLOSE -> pass(in, in.remaining());
            case HEAD, UPGRADED, DONE -> {}
        }
        if (isEnd && state == State.UNTIL_CLOSE) {
            end();
        }
        if (isEnd && !isDone()) {
            throw bad(hasBegun ? "the answer was cut" : "closed without an answer");
        }
    }

    /// Sends on what lies here, before a wait for more.
    void flush() throws IOException {
        OutputStream open = out;
        if (isUnflushed && open != null) {
            isUnflushed = false;
            open.flush();
        }
    }

    private static UpstreamException bad(String what) {
        return new UpstreamException(what, null);
    }

    // ---- The head.

    /// @return whether a head was complete
    private boolean takeHead(ByteBuffer in) throws IOException {
        int from = in.arrayOffset() + in.position();
        return switch (decoder.decode(in.array(), from, from + in.remaining())) {
            case INCOMPLETE -> false;
            case MALFORMED -> throw bad("answer refused: " + decoder.error().reason());
            case COMPLETE -> {
                in.position(in.position() + decoder.length());
                ResponseHead head = decoder.head();
                decoder.reset();
                if (head.status() >= 200) {
                    begin(head, in);
                } else if (head.status() == 101 && upgradeAsked != null) {
                    upgrade(head);
                } else if (head.status() == 101 || ++interims > INTERIMS_MAX) {
                    throw bad("answer refused: interim " + head.status() + " that is not expected");
                }
                yield true;
            }
        };
    }

    private void upgrade(ResponseHead head) throws UpstreamException {
        String protocol = head.headers().first("Upgrade");
        if (protocol == null
                || !protocol.equalsIgnoreCase(upgradeAsked)
                || !head.headers().hasToken("Connection", "upgrade")) {
            throw bad("answer refused: 101 without the protocol that was asked for");
        }
        state = State.UPGRADED;
        upgradedTo = protocol;
        passFields(head.headers());
    }

    private void begin(ResponseHead head, ByteBuffer in) throws IOException {
        isKeepAlive = head.isKeepAlive();
        x.status(head.status());
        passFields(head.headers());
        boolean isForHead = x.method().equals("HEAD");
        long length = head.isChunked() ? -1 : head.contentLength();
        if (isForHead || !Status.allowsContent(head.status())) {
            // Some send the content of a HEAD's answer all the same, and it may be on its way.
            isKeepAlive &= !isForHead || length == 0;
            state = State.DONE;
            x.send(new Body.Stream(length, _ -> {}));
        } else if (length >= 0 && length <= in.remaining()) {
            state = State.DONE;
            int from = in.arrayOffset() + in.position();
            in.position(in.position() + (int) length);
            x.send(Arrays.copyOfRange(in.array(), from, from + (int) length));
        } else {
            beginStream(head, length);
        }
    }

    private void passFields(Headers headers) {
        for (int i = 0; i < headers.size(); i++) {
            if (Fields.comesBack(headers, headers.name(i))) {
                x.addHeader(headers.name(i), headers.value(i));
            }
        }
    }

    private void beginStream(ResponseHead head, long length) throws IOException {
        if (length >= 0) {
            x.header("Content-Length", Long.toString(length));
            left = length;
            state = State.FIXED;
        } else if (head.isChunked()) {
            chunks = new ChunkedDecoder(LIMITS);
            piece = new byte[PIECE];
            state = State.CHUNKS;
        } else {
            isKeepAlive = false;
            state = State.UNTIL_CLOSE;
        }
        out = x.outputStream();
        isUnflushed = true;
    }

    // ---- The content.

    private void takeFixed(ByteBuffer in) throws IOException {
        int count = (int) Math.min(left, in.remaining());
        left -= count;
        pass(in, count);
        if (left == 0) {
            end();
        }
    }

    private void takeChunks(ByteBuffer in) throws IOException {
        ChunkedDecoder decoding = chunks;
        OutputStream open = out;
        if (decoding == null || open == null) {
            throw new IllegalStateException("no chunks are expected");
        }
        int count = 1;
        while (count > 0 && !decoding.isDone()) {
            count = decoding.decode(in, piece, 0, piece.length);
            open.write(piece, 0, count);
            isUnflushed |= count > 0;
        }
        if (decoding.error() != null) {
            throw bad("answer refused: " + decoding.error().reason());
        }
        if (decoding.isDone()) {
            Headers trailers = decoding.trailers();
            for (int i = 0; i < trailers.size(); i++) {
                if (Fields.comesBack(trailers, trailers.name(i))) {
                    x.trailer(trailers.name(i), trailers.value(i));
                }
            }
            end();
        }
    }

    private void pass(ByteBuffer in, int count) throws IOException {
        OutputStream open = out;
        if (open != null && count > 0) {
            open.write(in.array(), in.arrayOffset() + in.position(), count);
            in.position(in.position() + count);
            isUnflushed = true;
        }
    }

    private void end() throws IOException {
        state = State.DONE;
        OutputStream open = out;
        if (open != null) {
            open.close();
        }
    }
}
