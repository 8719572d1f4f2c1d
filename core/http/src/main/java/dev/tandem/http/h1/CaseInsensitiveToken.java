package dev.tandem.http.h1;

import java.nio.charset.StandardCharsets;

/// A word that stands in values in any case, such as `chunked`.
final class CaseInsensitiveToken {
    private final byte[] lower;

    /// @param lower of lower-case letters, digits and hyphens
    CaseInsensitiveToken(String lower) {
        this.lower = lower.getBytes(StandardCharsets.US_ASCII);
    }

    /// Whether `bytes` from `from` to `to` are this word. They hold no control characters: bit 5
    /// makes a letter lower-case, leaves digits and hyphens, and makes no other byte one of those.
    boolean matches(byte[] bytes, int from, int to) {
        if (to - from != lower.length) {
            return false;
        }
        for (int i = 0; i < lower.length; i++) {
            if ((bytes[from + i] | 0x20) != lower[i]) {
                return false;
            }
        }
        return true;
    }
}
