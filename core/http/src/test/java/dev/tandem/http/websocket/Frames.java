package dev.tandem.http.websocket;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/// Frames for tests.
final class Frames {
    private Frames() {}

    static byte[] hex(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    /// Returns a client's frame.
    ///
    /// @param first byte: the bits and the opcode
    static byte[] frame(int first, byte[] payload) {
        int mask = 0x37FA213D;
        int length = payload.length;
        ByteBuffer out = ByteBuffer.allocate(14 + length);
        out.put((byte) first);
        if (length < 126) {
            out.put((byte) (0x80 | length));
        } else if (length < 65_536) {
            out.put((byte) 0xFE).putShort((short) length);
        } else {
            out.put((byte) 0xFF).putLong(length);
        }
        out.putInt(mask);
        for (int i = 0; i < length; i++) {
            out.put((byte) (payload[i] ^ mask >>> 24 - 8 * (i & 3)));
        }
        return bytes(out.flip());
    }

    static byte[] frame(int first, String payload) {
        return frame(first, payload.getBytes(StandardCharsets.UTF_8));
    }

    static byte[] join(byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        ByteBuffer out = ByteBuffer.allocate(length);
        for (byte[] part : parts) {
            out.put(part);
        }
        return out.array();
    }

    static byte[] bytes(ByteBuffer buffer) {
        var bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }
}
