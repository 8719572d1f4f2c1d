package dev.tandem.proxy;

import dev.tandem.engine.loop.LoopExchange;
import dev.tandem.http.Request;
import dev.tandem.upstream.LoopConnection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

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

    /// Maximum number of pieces of one client that are forwarded before other connections of the
    /// loop have their turn: 8, or 128 KiB.
    static final int PIECES_MAX = 8;

    private static final byte[] LAST_CHUNK = "0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] CRLF = {'\r', '\n'};
    private static final byte[] NOTHING = {};

    private final boolean isChunked;
    private final boolean isSmall;

    /// What was received and not forwarded yet.
    private byte[] start;

    private int count;

    /// Whether the first bytes, or all of a small body, were received.
    private boolean isReady;

    /// Whether all of it was received.
    private boolean isOver;

    private boolean isSent;

    BodyPump(Request request) {
        long length = request.contentLength();
        this.isChunked = length < 0;
        this.isSmall = length >= 0 && length <= SMALL_MAX;
        this.start = length == 0 ? NOTHING : new byte[isSmall ? (int) length : BUFFER];
        this.isReady = length == 0;
        this.isOver = length == 0;
        this.isSent = length == 0;
    }

    /// Receives the first bytes, before a connection is borrowed: data that arrives on it while the
    /// client is waited for would be read as the response.
    ///
    /// @return whether they were received
    boolean receiveFirst(LoopExchange x) throws IOException {
        while (!isReady) {
            int read = x.read(start, count, start.length - count);
            if (read == 0) {
                return false;
            }
            isOver = read < 0;
            count += Math.max(0, read);
            isReady = isOver || !isSmall || count == start.length;
        }
        return true;
    }

    /// Returns whether all of the content was passed to the connection.
    boolean isSent() {
        return isSent;
    }

    /// Forwards as much as was received and the upstream takes. The caller flushes the connection.
    void pump(LoopExchange x, LoopConnection to) throws IOException {
        for (int pieces = 0; !isSent && !to.isHeldUp(); pieces++) {
            if (count > 0) {
                writePiece(to);
            }
            if (isSmall || isOver) {
                finish(to);
            } else if (pieces == PIECES_MAX) {
                x.loop().execute(x::proceed);
                return;
            } else {
                int read = x.read(start, 0, start.length);
                if (read == 0) {
                    return;
                }
                isOver = read < 0;
                count = Math.max(0, read);
            }
        }
    }

    private void writePiece(LoopConnection to) throws IOException {
        if (isChunked) {
            byte[] size = (Integer.toHexString(count) + "\r\n").getBytes(StandardCharsets.US_ASCII);
            to.write(size, 0, size.length);
        }
        to.write(start, 0, count);
        if (isChunked) {
            to.write(CRLF, 0, CRLF.length);
        }
        count = 0;
        if (!isSmall) {
            to.flush(); // so that it is known whether the upstream takes more
        }
    }

    private void finish(LoopConnection to) throws IOException {
        if (isChunked) {
            to.write(LAST_CHUNK, 0, LAST_CHUNK.length);
        }
        start = NOTHING;
        isSent = true;
    }
}
