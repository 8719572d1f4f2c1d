package dev.tandem.http;

import java.nio.charset.StandardCharsets;

/// Parses the `application/x-www-form-urlencoded` format by the URL Standard (section 5.1): `+` is
/// a space, a malformed percent code is kept literally, malformed UTF-8 becomes U+FFFD.
final class UrlEncoded {
    private UrlEncoded() {}

    /// Adds the parameters in `bytes[..length)` to `pairs` and returns true; stops and returns
    /// false if there are more than `pairsMax`.
    static boolean parse(byte[] bytes, int length, int pairsMax, Parameters pairs) {
        int from = 0;
        while (from < length) {
            int end = indexOf(bytes, '&', from, length);
            if (end > from) {
                if (pairs.size() == pairsMax) {
                    return false;
                }
                int equals = indexOf(bytes, '=', from, end);
                String name = decode(bytes, from, equals);
                pairs.add(name, equals == end ? "" : decode(bytes, equals + 1, end));
            }
            from = end + 1;
        }
        return true;
    }

    private static String decode(byte[] bytes, int from, int to) {
        var decoded = new byte[to - from];
        int length = 0;
        for (int i = from; i < to; i++) {
            byte c = bytes[i];
            int code = c == '%' ? PercentEncoding.decode(bytes, i, to) : -1;
            if (code >= 0) {
                c = (byte) code;
                i += 2;
            } else if (c == '+') {
                c = ' ';
            }
            decoded[length++] = c;
        }
        return new String(decoded, 0, length, StandardCharsets.UTF_8);
    }

    /// Returns the index of `c`, or `to`.
    private static int indexOf(byte[] bytes, char c, int from, int to) {
        int i = from;
        while (i < to && bytes[i] != c) {
            i++;
        }
        return i;
    }
}
