package dev.tandem.cgi;

import dev.tandem.http.RequestTarget;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.regex.Pattern;

/// The value of `REQUEST_URI`: the target as it was sent; where its path was resolved, that path.
/// Programs that split it themselves would take `/admin/../x` for a path below `/admin`, while the
/// filters of this server have seen `/x`.
final class RequestUri {
    /// Two slashes, or a dot segment, perhaps encoded.
    private static final Pattern RESOLVED =
            Pattern.compile("/(?:/|(?:\\.|%2e){1,2}(?:/|$))", Pattern.CASE_INSENSITIVE);

    /// Not encoded: what RFC 3986 allows in segments, and slashes.
    private static final String PLAIN = "-._~/!$&'()*+,;=:@";

    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private RequestUri() {}

    static String of(RequestTarget target) {
        String raw = target.raw();
        int end = raw.indexOf('?');
        String path = end < 0 ? raw : raw.substring(0, end);
        if (!RESOLVED.matcher(path).find()) {
            return raw;
        }
        var text = new StringBuilder(path.length());
        for (byte b : target.path().getBytes(StandardCharsets.UTF_8)) {
            boolean isAlphanumeric = b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || isDigit(b);
            if (isAlphanumeric || PLAIN.indexOf(b) >= 0) {
                text.append((char) b);
            } else {
                HEX.toHexDigits(text.append('%'), b);
            }
        }
        return end < 0 ? text.toString() : text.append(raw, end, raw.length()).toString();
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }
}
