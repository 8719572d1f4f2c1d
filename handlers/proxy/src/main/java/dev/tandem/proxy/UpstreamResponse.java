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
final class UpstreamResponse {
    /// Of a head: less than a wire's input holds. 32 KB, twice what is taken from clients.
    private static final Http1Limits LIMITS =
            Http1Limits.DEFAULT.withHeadMax(32_000).withHeadersMax(200);

    private static final int INTERIMS_MAX = 16;
    private static final int BUFFER = 16 << 10;

    private enum State {
        HEAD,
        FIXED,
        CHUNKS,
        UNTIL_CLOSE,
        UPGRADED,
        DONE
    }

    private final Exchange x;
    private final @Nullable String requestedUpgrade;
    private final ResponseHeadDecoder decoder = new ResponseHeadDecoder(LIMITS);
    private State state = State.HEAD;
    private boolean hasStarted;
    private boolean isKeepAlive;
    private int interimCount;
    private long left;
    private @Nullable ChunkedDecoder chunks;
    private byte[] buffer = {};
    private @Nullable OutputStream out;
    private boolean isUnflushed;
    private @Nullable String upgradedTo;

    /// @param requestedUpgrade the protocol that the upstream was asked to change to, or null
    UpstreamResponse(Exchange x, @Nullable String requestedUpgrade) {
        this.x = x;
        this.requestedUpgrade = requestedUpgrade;
    }

    /// The protocol that the upstream has changed to, or null. What follows is in that.
    @Nullable String upgradedTo() {
        return upgradedTo;
    }

    /// Whether a byte of it has come.
    boolean hasStarted() {
        return hasStarted;
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
    void receive(ByteBuffer in, boolean isEnd) throws IOException {
        hasStarted |= in.hasRemaining();
        while (state == State.HEAD && in.hasRemaining() && readHead(in)) {
            // Interim heads, until the final one.
        }
        switch (state) {
            case FIXED -> readFixed(in);
            case CHUNKS -> readChunks(in);
            case UNTIL_CLOSE -> write(in, in.remaining());
            case HEAD, UPGRADED, DONE -> {}
        }
        if (isEnd && state == State.UNTIL_CLOSE) {
            finish();
        }
        if (isEnd && !isDone()) {
            throw malformed(hasStarted ? "the answer was cut" : "closed without an answer");
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

    private static UpstreamException malformed(String what) {
        return new UpstreamException(what, null);
    }

    // ---- The head.

    /// @return whether a head was complete
    private boolean readHead(ByteBuffer in) throws IOException {
        int from = in.arrayOffset() + in.position();
        return switch (decoder.decode(in.array(), from, from + in.remaining())) {
            case INCOMPLETE -> false;
            case MALFORMED -> throw malformed("answer refused: " + decoder.error().reason());
            case COMPLETE -> {
                in.position(in.position() + decoder.length());
                ResponseHead head = decoder.head();
                decoder.reset();
                if (head.status() >= 200) {
                    startResponse(head, in);
                } else if (head.status() == 101 && requestedUpgrade != null) {
                    upgrade(head);
                } else if (head.status() == 101 || ++interimCount > INTERIMS_MAX) {
                    throw malformed(
                            "answer refused: interim " + head.status() + " that is not expected");
                }
                yield true;
            }
        };
    }

    private void upgrade(ResponseHead head) throws UpstreamException {
        String protocol = head.headers().first("Upgrade");
        if (protocol == null
                || !protocol.equalsIgnoreCase(requestedUpgrade)
                || !head.headers().hasToken("Connection", "upgrade")) {
            throw malformed("answer refused: 101 without the protocol that was asked for");
        }
        state = State.UPGRADED;
        upgradedTo = protocol;
        copyHeaders(head.headers());
    }

    private void startResponse(ResponseHead head, ByteBuffer in) throws IOException {
        isKeepAlive = head.isKeepAlive();
        x.status(head.status());
        copyHeaders(head.headers());
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
            startStream(head, length);
        }
    }

    private void copyHeaders(Headers headers) {
        for (int i = 0; i < headers.size(); i++) {
            if (HeaderFilter.isReturned(headers, headers.name(i))) {
                x.addHeader(headers.name(i), headers.value(i));
            }
        }
    }

    private void startStream(ResponseHead head, long length) throws IOException {
        if (length >= 0) {
            x.header("Content-Length", Long.toString(length));
            left = length;
            state = State.FIXED;
        } else if (head.isChunked()) {
            chunks = new ChunkedDecoder(LIMITS);
            buffer = new byte[BUFFER];
            state = State.CHUNKS;
        } else {
            isKeepAlive = false;
            state = State.UNTIL_CLOSE;
        }
        out = x.outputStream();
        isUnflushed = true;
    }

    // ---- The content.

    private void readFixed(ByteBuffer in) throws IOException {
        int count = (int) Math.min(left, in.remaining());
        left -= count;
        write(in, count);
        if (left == 0) {
            finish();
        }
    }

    private void readChunks(ByteBuffer in) throws IOException {
        ChunkedDecoder decoding = chunks;
        OutputStream open = out;
        if (decoding == null || open == null) {
            throw new IllegalStateException("no chunks are expected");
        }
        int count = 1;
        while (count > 0 && !decoding.isDone()) {
            count = decoding.decode(in, buffer, 0, buffer.length);
            open.write(buffer, 0, count);
            isUnflushed |= count > 0;
        }
        if (decoding.error() != null) {
            throw malformed("answer refused: " + decoding.error().reason());
        }
        if (decoding.isDone()) {
            Headers trailers = decoding.trailers();
            for (int i = 0; i < trailers.size(); i++) {
                if (HeaderFilter.isReturned(trailers, trailers.name(i))) {
                    x.trailer(trailers.name(i), trailers.value(i));
                }
            }
            finish();
        }
    }

    private void write(ByteBuffer in, int count) throws IOException {
        OutputStream open = out;
        if (open != null && count > 0) {
            open.write(in.array(), in.arrayOffset() + in.position(), count);
            in.position(in.position() + count);
            isUnflushed = true;
        }
    }

    private void finish() throws IOException {
        state = State.DONE;
        OutputStream open = out;
        if (open != null) {
            open.close();
        }
    }
}
