package dev.tandem.http.websocket;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.Deflater;

/// Compresses messages, each by itself (RFC 7692, section 7.2.1). It has 256 KiB of native memory,
/// so it is shared by sessions: of each thread, or with a lock. Not safe for use by several threads
/// at a time.
///
/// A session's window may be smaller than the deflater's, which cannot be set: then each part of a
/// message of that size is compressed by itself, so that nothing refers to more than the window.
public final class Deflation implements AutoCloseable {
    /// The length of the end of a flushed block, which is omitted.
    private static final int TAIL = 4;

    private final Deflater deflater;

    /// @param level 1 (fast) to 9 (small)
    public Deflation(int level) {
        deflater = new Deflater(level, true);
    }

    /// Compresses a message; its bytes are consumed.
    ///
    /// @param windowBits of the session, 8 to 15
    public byte[] deflate(ByteBuffer message, int windowBits) {
        var out = new byte[64 + message.remaining() / 2];
        int length = 0;
        do {
            ByteBuffer part = message.duplicate();
            int count = Math.min(message.remaining(), 1 << windowBits);
            part.limit(part.position() + count);
            message.position(part.limit());
            deflater.reset();
            deflater.setInput(part);
            while (true) {
                if (length == out.length) {
                    out = Arrays.copyOf(out, 2 * out.length);
                }
                int written =
                        deflater.deflate(out, length, out.length - length, Deflater.SYNC_FLUSH);
                length += written;
                if (length < out.length) {
                    break; // all was written, as there is room left
                }
            }
        } while (message.hasRemaining());
        return Arrays.copyOf(out, length - TAIL);
    }

    /// Frees the native memory.
    @Override
    public void close() {
        deflater.end();
    }
}
