package dev.tandem.config;

import java.nio.charset.StandardCharsets;

/// Encodes decoded paths for URLs.
final class UrlPaths {
    private static final String PLAIN = "-._~!$&'()*+,;=:@/";

    private UrlPaths() {}

    static String encode(String path) {
        var encoded = new StringBuilder();
        for (byte b : path.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            boolean isPlain =
                    c >= 'a' && c <= 'z'
                            || c >= 'A' && c <= 'Z'
                            || c >= '0' && c <= '9'
                            || PLAIN.indexOf(c) >= 0;
            encoded.append(isPlain ? String.valueOf(c) : "%%%02X".formatted((int) c));
        }
        return encoded.toString();
    }
}
