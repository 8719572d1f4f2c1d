package dev.tandem.proxy;

import dev.tandem.engine.loop.LoopExchange;
import dev.tandem.http.Request;
import dev.tandem.upstream.LoopConnection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Forwards a request's content as it arrives. Confined to the loop.
///
/// ```
///   START --first bytes, or all of a small one--> READY --pump, again and again--> SENT
/// ```
final class BodyPump {
    /// Content up to 64 KiB is received completely before it is forwarded.
    private static final long SMALL_MAX = 64 << 10;

    /// Size of a piece: 16 KiB.
    static final int BUFFER = 16 << 10;

    /// How much is received first without memory for more: 1 KiB.
    private static final int LITTLE = 1 << 10;

    /// Maximum number of pieces of one client that are forwarded before other connections of the
    /// loop have their turn: 8, or 128 KiB.
    static final int PIECES_MAX = 8;

    private static final byte[] LAST_CHUNK = "0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] CRLF = {'\r', '\n'};
    private static final byte[] NOTHING = {};

    private final boolean isChunked;
    private final long length;

    /// Whether all of it is received before any of it is forwarded.
    private boolean isWhole;

    /// What was received and not forwarded yet.
    private byte[] start = NOTHING;

    private int count;

    /// Whether the first bytes, or all of a small body, were received.
    private boolean isReady;

    /// Whether all of it was received.
    private boolean isOver;

    private boolean isSent;

    BodyPump(Request request) {
        this.length = request.contentLength();
        this.isChunked = length < 0;
        this.isWhole = length >= 0 && length <= SMALL_MAX;
        this.isReady = length == 0;
        this.isOver = length == 0;
        this.isSent = length == 0;
    }

    /// Receives the first bytes, before a connection is borrowed: data that arrives on it while the
    /// client is waited for would be read as the response. A small body is not received as a whole
    /// if clients make the server hold too much already.
    ///
    /// @param scratch at least [#BUFFER] bytes, not used after the call
    /// @return whether they were received
    boolean receiveFirst(LoopExchange x, byte[] scratch) throws IOException {
        if (isReady) {
            return true;
        }
        if (isWhole && start.length == 0) {
            isWhole = x.tryHoldInput((int) length);
            start = isWhole ? new byte[(int) length] : NOTHING;
        }
        isReady = isWhole ? receivedWhole(x) : receivedPiece(x, scratch);
        return isReady;
    }

    private boolean receivedWhole(LoopExchange x) throws IOException {
        while (!isOver && count < start.length) {
            int read = x.read(start, count, start.length - count);
            if (read == 0) {
                return false;
            }
            isOver = read < 0;
            count += Math.max(0, read);
        }
        return true;
    }

    private boolean receivedPiece(LoopExchange x, byte[] scratch) throws IOException {
        int read = x.read(scratch, 0, x.tryHoldInput(BUFFER) ? BUFFER : LITTLE);
        isOver = read < 0;
        count = Math.max(0, read);
        start = Arrays.copyOf(scratch, count);
        boolean _ = x.tryHoldInput(count);
        return read != 0;
    }

    /// Returns whether all of the content was passed to the connection.
    boolean isSent() {
        return isSent;
    }

    /// Forwards as much as was received and the upstream takes. The caller flushes the connection.
    ///
    /// @param scratch as of [#receiveFirst]
    void pump(LoopExchange x, LoopConnection to, byte[] scratch) throws IOException {
        for (int pieces = 0; !isSent && !to.isHeldUp(); pieces++) {
            if (count > 0) {
                writePiece(to, start, count);
                count = 0;
                start = NOTHING;
                boolean _ = x.tryHoldInput(0);
            } else if (isWhole || isOver) {
                finish(to);
            } else if (pieces >= PIECES_MAX) {
                x.loop().execute(x::proceed);
                return;
            } else {
                int read = x.read(scratch, 0, BUFFER);
                if (read == 0) {
                    return;
                }
                isOver = read < 0;
                if (read > 0) {
                    writePiece(to, scratch, read);
                }
            }
        }
    }

    private void writePiece(LoopConnection to, byte[] bytes, int size) throws IOException {
        if (isChunked) {
            byte[] line = (Integer.toHexString(size) + "\r\n").getBytes(StandardCharsets.US_ASCII);
            to.write(line, 0, line.length);
        }
        to.write(bytes, 0, size);
        if (isChunked) {
            to.write(CRLF, 0, CRLF.length);
        }
        if (!isWhole) {
            to.flush(); // so that it is known whether the upstream takes more
        }
    }

    private void finish(LoopConnection to) throws IOException {
        if (isChunked) {
            to.write(LAST_CHUNK, 0, LAST_CHUNK.length);
        }
        isSent = true;
    }
}
