package dev.tandem.http.h2;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/// Bytes of tests as text.
final class Hex {
    private Hex() {}

    /// Returns the bytes of hexadecimal digits; blanks are ignored.
    static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replaceAll("\\s", ""));
    }

    static String of(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    static String of(byte[] bytes, int length) {
        return HexFormat.of().formatHex(bytes, 0, length);
    }

    static byte[] latin1(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
