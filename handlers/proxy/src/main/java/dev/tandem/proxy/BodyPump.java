package dev.tandem.proxy;

import dev.tandem.http.Request;
import dev.tandem.upstream.UpstreamException;
import dev.tandem.upstream.UpstreamOptions;
import dev.tandem.upstream.Wire;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/// Passes a request's body on as it comes. Confined to the thread that runs the handler.
final class BodyPump {
    /// A body of up to 64 KiB was collected before the handler began, and fits what sockets hold:
    /// it is sent without a look at what comes back meanwhile.
    private static final long SMALL_MAX = 64 << 10;

    private static final int PIECE = 8 << 10;
    private static final byte[] LAST = "0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] CRLF = {'\r', '\n'};

    private final Request request;
    private final Wire wire;
    private final Reply reply;
    private final UpstreamOptions times;

    BodyPump(Request request, Wire wire, Reply reply, UpstreamOptions times) {
        this.request = request;
        this.wire = wire;
        this.reply = reply;
        this.times = times;
    }

    /// Sends what lies in the wire's output, and the body.
    ///
    /// @return whether all was sent; an upstream that answers before it has read all gets no more
    /// @throws UpstreamException if the upstream broke off and left no answer
    /// @throws IOException if the client is gone
    boolean pump() throws IOException {
        long length = request.contentLength();
        if (length == 0) {
            wire.flush();
            return true;
        }
        return length > 0 && length <= SMALL_MAX ? small() : large(length < 0);
    }

    private boolean small() throws IOException {
        byte[] body = request.body().readAllBytes();
        try {
            wire.put(body, 0, body.length);
            wire.flush();
            return true;
        } catch (UpstreamException e) {
            return leftAnAnswer(e);
        }
    }

    private boolean large(boolean isChunked) throws IOException {
        var piece = new byte[PIECE];
        InputStream body = request.body();
        boolean isGoingOn = true;
        try {
            for (int count = body.read(piece); isGoingOn && count >= 0; count = body.read(piece)) {
                if (isChunked) {
                    byte[] size =
                            (Integer.toHexString(count) + "\r\n")
                                    .getBytes(StandardCharsets.US_ASCII);
                    wire.put(size, 0, size.length);
                }
                wire.put(piece, 0, count);
                if (isChunked) {
                    wire.put(CRLF, 0, CRLF.length);
                }
                isGoingOn = flush();
                if (!isGoingOn) {
                    break;
                }
            }
            if (isGoingOn && isChunked) {
                wire.put(LAST, 0, LAST.length);
                isGoingOn = flush();
            }
        } catch (UpstreamException e) {
            isGoingOn = leftAnAnswer(e);
        }
        wire.block();
        return isGoingOn;
    }

    private boolean flush() throws IOException {
        wire.within(times.silenceMax());
        return wire.flush(this::take);
    }

    private boolean take(boolean isEnd) throws IOException {
        reply.take(wire.input(), isEnd);
        if (!reply.isDone()) {
            reply.flush();
        }
        return !reply.isDone();
    }

    /// The upstream takes no more: it may have answered why.
    private boolean leftAnAnswer(UpstreamException e) throws IOException {
        if (reply.isDone()) {
            return false;
        }
        if (wire.input().hasRemaining() || reply.hasBegun()) {
            return false;
        }
        try {
            wire.block();
            boolean isEnd = !wire.read();
            if (isEnd) {
                throw e;
            }
        } catch (UpstreamException _) {
            throw e;
        }
        reply.take(wire.input(), false);
        return false;
    }
}
