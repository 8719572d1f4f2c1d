package dev.tandem.proxy;

import dev.tandem.http.Body;
import dev.tandem.http.Exchange;
import dev.tandem.http.HeadLimits;
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
import java.nio.channels.WritableByteChannel;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Forwards an upstream's response to the client as it arrives. Confined to the loop.
///
/// ```
/// HEAD --final head--> FIXED, CHUNKS, UNTIL_CLOSE or DROPPED --end--> DONE
///  ^ | interim
///  +-+
/// ```
///
/// The end of a message follows from RFC 9112, section 6.3, alone. If a head announces content that
/// its message cannot have, the upstream may send that content all the same, at any time: the
/// message is complete, and its connection is not reused.
final class UpstreamResponse {
    /// Limits of a head: 32 KB, less than a connection's input buffer, and twice the limit for
    /// clients.
    private static final HeadLimits HEADS =
            HeadLimits.DEFAULT.withHeadMax(32_000).withHeadersMax(200);

    private static final Http1Limits LIMITS = Http1Limits.DEFAULT.withHeads(HEADS);

    private static final int INTERIMS_MAX = 16;
    private static final int BUFFER = 16 << 10;

    /// How much content of a 205 is read and dropped in order to keep its connection: 64 KiB.
    private static final long DROPPED_MAX = 64 << 10;

    private enum State {
        HEAD,
        FIXED,
        CHUNKS,
        UNTIL_CLOSE,
        /// A 205, which is forwarded once its content has been read.
        DROPPED,
        UPGRADED,
        DONE
    }

    private final Exchange x;
    private final @Nullable String requestedUpgrade;
    private final ResponseHeadDecoder decoder = new ResponseHeadDecoder(HEADS);
    private State state = State.HEAD;
    private boolean hasStarted;
    private boolean isKeepAlive;

    /// Whether an interim response announced content, which may arrive at any time.
    private boolean isContentDue;

    private int interimCount;
    private long left;
    private @Nullable ChunkedDecoder chunks;
    private @Nullable ResponseHead dropped;
    private byte[] buffer = {};
    private @Nullable OutputStream out;
    private boolean isUnflushed;
    private boolean hasSurplus;
    private @Nullable String upgradedTo;

    /// @param requestedUpgrade the protocol to which the upstream was asked to upgrade, or null
    UpstreamResponse(Exchange x, @Nullable String requestedUpgrade) {
        this.x = x;
        this.requestedUpgrade = requestedUpgrade;
    }

    /// Returns the protocol to which the upstream has upgraded, or null. Further data is in that
    /// protocol.
    @Nullable String upgradedTo() {
        return upgradedTo;
    }

    /// Returns whether any data was received.
    boolean hasStarted() {
        return hasStarted;
    }

    boolean isDone() {
        return state == State.DONE || state == State.UPGRADED;
    }

    /// Returns whether the connection can carry another response.
    boolean isKeepAlive() {
        return isKeepAlive && state == State.DONE;
    }

    /// Consumes interim heads, and the final one.
    ///
    /// @param in has an array
    void receiveHeads(ByteBuffer in) throws IOException {
        hasStarted |= in.hasRemaining();
        while (state == State.HEAD && in.hasRemaining() && readHead(in)) {
            // Interim heads, until the final one.
        }
    }

    boolean isInHead() {
        return state == State.HEAD;
    }

    /// Returns whether the content is forwarded as it is, so that it can be received from a buffer
    /// without an array.
    boolean takesDirect() {
        return state == State.FIXED || state == State.UNTIL_CLOSE;
    }

    /// Returns whether there was input behind the response.
    boolean hasSurplus() {
        return hasSurplus;
    }

    /// Consumes received data, up to the end of the response.
    ///
    /// @param isEnd whether no more data follows
    /// @throws UpstreamException if the response is malformed
    /// @throws IOException if the client has disconnected
    void receive(ByteBuffer in, boolean isEnd) throws IOException {
        receiveHeads(in);
        switch (state) {
            case FIXED -> readFixed(in);
            case CHUNKS -> readChunks(in);
            case DROPPED -> drop(in);
            case UNTIL_CLOSE -> write(in, in.remaining());
            case HEAD, UPGRADED, DONE -> {}
        }
        if (isEnd && state == State.UNTIL_CLOSE) {
            finish();
        }
        if (isEnd && !isDone()) {
            throw malformed(
                    hasStarted ? "the response was truncated" : "closed without a response");
        }
    }

    /// Flushes buffered data before a wait for more.
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
            case MALFORMED -> throw malformed("response rejected: " + decoder.error().reason());
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
                            "response rejected: interim "
                                    + head.status()
                                    + " that is not expected");
                } else {
                    isContentDue |= announcesContent(head);
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
            throw malformed("response rejected: 101 without the requested protocol");
        }
        state = State.UPGRADED;
        upgradedTo = protocol;
        copyHeaders(head.headers());
    }

    private static boolean announcesContent(ResponseHead head) {
        return head.isChunked() || head.contentLength() > 0;
    }

    private void startResponse(ResponseHead head, ByteBuffer in) throws IOException {
        isKeepAlive = head.isKeepAlive() && !isContentDue;
        boolean isForHead = x.method().equals("HEAD");
        long length = head.isChunked() ? -1 : head.contentLength();
        if (!isForHead && Status.isEmptyByLength(head.status())) {
            startDropping(head, length, in);
            return;
        }
        x.status(head.status());
        copyHeaders(head.headers());
        if (Status.endsWithHead(head.status()) || isForHead) {
            // Some upstreams send the content of a response to HEAD all the same: until they close,
            // if they announce no length.
            isKeepAlive &= !announcesContent(head) && (length == 0 || !isForHead);
            state = State.DONE;
            x.send(new Body.Stream(length, _ -> {}));
        } else if (length >= 0 && length <= Math.min(in.remaining(), BUFFER)) {
            state = State.DONE;
            int from = in.arrayOffset() + in.position();
            in.position(in.position() + (int) length);
            x.send(Arrays.copyOfRange(in.array(), from, from + (int) length));
        } else {
            startStream(head, length);
        }
    }

    private void copyHeaders(Headers headers) {
        HeaderFilter filter = HeaderFilter.of(headers);
        for (int i = 0; i < headers.size(); i++) {
            if (filter.isReturned(headers.name(i))) {
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

    // ---- Content.

    /// Starts to drop the content of a 205: it belongs to the message (RFC 9112, section 6.3) but
    /// is not forwarded (RFC 9110, section 15.3.6). Content that is too long or ends with the
    /// connection is not read.
    private void startDropping(ResponseHead head, long length, ByteBuffer in) throws IOException {
        dropped = head;
        state = State.DROPPED;
        left = length;
        if (head.isChunked()) {
            chunks = new ChunkedDecoder(LIMITS);
            buffer = new byte[BUFFER];
            left = DROPPED_MAX;
        } else if (length < 0 || length > DROPPED_MAX) {
            isKeepAlive = false;
            left = 0;
        }
        drop(in);
    }

    private void drop(ByteBuffer in) throws IOException {
        ChunkedDecoder decoding = chunks;
        boolean isComplete;
        if (decoding == null) {
            int count = (int) Math.min(left, in.remaining());
            in.position(in.position() + count);
            left -= count;
            isComplete = left == 0;
        } else {
            int count = 1;
            while (count > 0 && !decoding.isDone() && left > 0) {
                count = decoding.decode(in, buffer, 0, buffer.length);
                left -= count;
            }
            checkChunks(decoding);
            isComplete = decoding.isDone() || left <= 0;
            isKeepAlive &= !isComplete || decoding.isDone();
        }
        ResponseHead head = dropped;
        if (isComplete && head != null) {
            state = State.DONE;
            x.status(head.status());
            copyHeaders(head.headers());
            x.send();
        }
    }

    private void readFixed(ByteBuffer in) throws IOException {
        int count = (int) Math.min(left, in.remaining());
        left -= count;
        write(in, count);
        if (left == 0) {
            hasSurplus = in.hasRemaining();
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
        checkChunks(decoding);
        if (decoding.isDone()) {
            Headers trailers = decoding.trailers();
            HeaderFilter filter = HeaderFilter.of(trailers);
            for (int i = 0; i < trailers.size(); i++) {
                if (filter.isReturned(trailers.name(i))) {
                    x.trailer(trailers.name(i), trailers.value(i));
                }
            }
            finish();
        }
    }

    private static void checkChunks(ChunkedDecoder decoding) throws UpstreamException {
        if (decoding.error() != null) {
            throw malformed("response rejected: " + decoding.error().reason());
        }
    }

    private void write(ByteBuffer in, int count) throws IOException {
        OutputStream open = out;
        if (open == null || count == 0) {
            return;
        }
        isUnflushed = true;
        if (in.hasArray()) {
            open.write(in.array(), in.arrayOffset() + in.position(), count);
            in.position(in.position() + count);
        } else if (open instanceof WritableByteChannel channel) {
            int end = in.limit();
            in.limit(in.position() + count);
            channel.write(in);
            in.limit(end);
        } else {
            var copy = new byte[count];
            in.get(copy);
            open.write(copy);
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
