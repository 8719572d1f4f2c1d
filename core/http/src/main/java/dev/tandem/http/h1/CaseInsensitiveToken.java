package dev.tandem.http.h1;

import java.nio.charset.StandardCharsets;

/// A token that is compared case-insensitively, such as `chunked`.
final class CaseInsensitiveToken {
    private final byte[] lower;

    /// @param lower consists of lower-case letters, digits and hyphens
    CaseInsensitiveToken(String lower) {
        this.lower = lower.getBytes(StandardCharsets.US_ASCII);
    }

    /// Returns whether `bytes` from `from` to `to` are this token. They contain no control
    /// characters: setting bit 5 converts letters to lower case, keeps digits and hyphens, and
    /// converts no other byte to one of these.
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
