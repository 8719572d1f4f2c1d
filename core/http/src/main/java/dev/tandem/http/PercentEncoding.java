package dev.tandem.http;

/// Decodes percent-encoding (RFC 3986, section 2.1).
final class PercentEncoding {
    private PercentEncoding() {}

    /// Returns the byte that `%XX` at `at` encodes, 0 to 255, or -1 if it is malformed or truncated
    /// by `to`.
    static int decode(byte[] bytes, int at, int to) {
        if (to - at < 3) {
            return -1;
        }
        int high = Character.digit(bytes[at + 1], 16);
        int low = Character.digit(bytes[at + 2], 16);
        return high < 0 || low < 0 ? -1 : high << 4 | low;
    }
}
