package dev.tandem.http;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// A path that was asked for without the slash at its end, encoded anew with it.
final class TrailingSlash {

    /// What a path may have as it is: RFC 3986's unreserved characters and the slash. Others may
    /// stand in paths, too, but none has to.
    private static final String PLAIN = "-._~/";

    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private TrailingSlash() {}

    /// @param path decoded
    /// @param query as it was sent
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
