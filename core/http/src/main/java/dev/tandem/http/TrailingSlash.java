package dev.tandem.http;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// Encodes a path that was requested without its trailing slash, with the slash.
final class TrailingSlash {

    /// The characters that are not encoded: the unreserved characters of RFC 3986 and the slash.
    /// Others are allowed in paths, but may be encoded.
    private static final String PLAIN = "-._~/";

    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private TrailingSlash() {}

    /// @param path the decoded path
    /// @param query the query, as sent
    static String of(String path, @Nullable String query) {
        var location = new StringBuilder();
        for (byte b : path.getBytes(StandardCharsets.UTF_8)) {
            if (isPlain(b)) {
                location.append((char) b);
            } else {
                HEX.toHexDigits(location.append('%'), b);
            }
        }
        if (location.charAt(location.length() - 1) != '/') {
            location.append('/');
        }
        if (query != null) {
            location.append('?').append(query);
        }
        return location.toString();
    }

    private static boolean isPlain(byte b) {
        return b >= 'a' && b <= 'z'
                || b >= 'A' && b <= 'Z'
                || b >= '0' && b <= '9'
                || PLAIN.indexOf(b) >= 0;
    }
}
