package dev.tandem.files;

import dev.tandem.http.Target;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/// Where a folder is that was asked for without the slash at its end.
final class Location {

    /// What a path may have as it is: RFC 3986's unreserved characters and the slash. Others may
    /// stand in paths, too, but none has to.
    private static final String PLAIN = "-._~/";

    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private Location() {}

    /// The target's path with a slash at its end, and its query.
    ///
    /// Made of the decoded path, which has one slash at its beginning, never two: `//host/` would
    /// send the client to another host.
    static String ofFolder(Target target) {
        var location = new StringBuilder();
        for (byte b : target.path().getBytes(StandardCharsets.UTF_8)) {
            if (isPlain(b)) {
                location.append((char) b);
            } else {
                HEX.toHexDigits(location.append('%'), b);
            }
        }
        if (location.charAt(location.length() - 1) != '/') {
            location.append('/');
        }
        if (target.query() != null) {
            location.append('?').append(target.query());
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
