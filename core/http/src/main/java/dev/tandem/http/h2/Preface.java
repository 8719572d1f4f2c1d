package dev.tandem.http.h2;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// The bytes that a client sends first (RFC 9113, section 3.4). On a clear-text listener they
/// distinguish HTTP/2 with prior knowledge (section 3.3) from HTTP/1.
public final class Preface {
    /// The length in bytes.
    public static final int LENGTH = 24;

    private static final byte[] BYTES =
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    /// Whether input begins with the preface.
    public enum Match {
        /// It does not.
        NO,
        /// All bytes match, but the preface is incomplete; no bytes at all match, too.
        PARTIAL,
        /// It does.
        FULL
    }

    private Preface() {}

    /// Compares `bytes` from `from` to `to`, all input since the start of the connection. No
    /// HTTP/1 request of a known method matches more than its first byte.
    public static Match match(byte[] bytes, int from, int to) {
        int length = Math.min(LENGTH, to - from);
        for (int i = 0; i < length; i++) {
            if (bytes[from + i] != BYTES[i]) {
                return Match.NO;
            }
        }
        return length == LENGTH ? Match.FULL : Match.PARTIAL;
    }

    /// Writes the preface, as a client does.
    public static void write(ByteBuffer out) {
        out.put(BYTES);
    }

    static byte at(int i) {
        return BYTES[i];
    }
}
