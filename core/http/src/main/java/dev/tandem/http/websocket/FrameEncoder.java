package dev.tandem.http.websocket;

import java.nio.ByteBuffer;

/// Writes frames (RFC 6455, section 5.2).
public final class FrameEncoder {
    private static final int LAST = 0x80;
    private static final int COMPRESSED = 0x40;
    private static final int MASKED = 0x80;

    private FrameEncoder() {}

    /// Returns a message, not compressed, in one frame of a server, ready to be sent.
    public static ByteBuffer message(Opcode opcode, ByteBuffer content) {
        return frame(opcode, false, content);
    }

    /// Returns a compressed message in one frame of a server, ready to be sent.
    ///
    /// @param content as [Deflation] returns it
    public static ByteBuffer compressed(Opcode opcode, ByteBuffer content) {
        return frame(opcode, true, content);
    }

    /// Returns a server's close frame.
    public static ByteBuffer close(CloseReason reason) {
        return message(Opcode.CLOSE, ByteBuffer.wrap(reason.payload()));
    }

    private static ByteBuffer frame(Opcode opcode, boolean isCompressed, ByteBuffer content) {
        int length = content.remaining();
        ByteBuffer frame = ByteBuffer.allocate(headerSize(length) + length);
        header(frame, opcode, true, isCompressed, length, false);
        return frame.put(content).flip();
    }

    /// Returns the size of a server's frame's header.
    static int headerSize(long length) {
        return length < 126 ? 2 : length < 0x1_0000 ? 4 : 10;
    }

    /// Writes a frame of a client, whose payload is masked (RFC 6455, section 5.3). Its bytes are
    /// consumed.
    ///
    /// @param mask random, so that no application can choose the bytes on the wire
    public static void masked(
            ByteBuffer out, Opcode opcode, boolean isLast, ByteBuffer payload, int mask) {
        header(out, opcode, isLast, false, payload.remaining(), true);
        out.putInt(mask);
        for (int i = 0; payload.hasRemaining(); i++) {
            out.put((byte) (payload.get() ^ mask >>> 24 - 8 * (i & 3)));
        }
    }

    static void header(
            ByteBuffer out,
            Opcode opcode,
            boolean isLast,
            boolean isCompressed,
            long length,
            boolean isMasked) {
        out.put((byte) ((isLast ? LAST : 0) | (isCompressed ? COMPRESSED : 0) | opcode.code()));
        int masked = isMasked ? MASKED : 0;
        if (length < 126) {
            out.put((byte) (masked | (int) length));
        } else if (length < 0x1_0000) {
            out.put((byte) (masked | 126)).putShort((short) length);
        } else {
            out.put((byte) (masked | 127)).putLong(length);
        }
    }
}
