package dev.tandem.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;

/// Fuzz target: a request target. A path that is accepted begins with a slash, has no dot segments,
/// no empty ones and no NUL or backslash, and means itself: encoded again, it is the same path.
public final class RequestTargetTarget {
    private RequestTargetTarget() {}

    public static void fuzzerTestOneInput(byte[] input) {
        if (RequestTarget.parse("GET", input, 0, input.length) instanceof RequestTarget target) {
            String path = target.path();
            assertTrue(path.startsWith("/"), path);
            assertFalse(path.contains("//"), path);
            assertFalse((path + "/").contains("/../") || (path + "/").contains("/./"), path);
            assertTrue(path.chars().noneMatch(c -> c < ' ' || c == 0x7f || c == '\\'), path);
            assertEquals(path, encodedAndParsed(path));
        }
        RequestTarget.parse("CONNECT", input, 0, input.length);
        RequestTarget.parse("OPTIONS", input, 0, input.length);
        RequestTarget.parseLenient("GET", input, 0, input.length);
    }

    private static String encodedAndParsed(String path) {
        var encoded = new StringBuilder();
        for (byte b : path.getBytes(StandardCharsets.UTF_8)) {
            if (b == '/') {
                encoded.append('/');
            } else {
                encoded.append('%').append("%02X".formatted(b & 0xff));
            }
        }
        byte[] bytes = encoded.toString().getBytes(StandardCharsets.US_ASCII);
        return RequestTarget.parse("GET", bytes, 0, bytes.length) instanceof RequestTarget again
                ? again.path()
                : "rejected";
    }
}
