package dev.tandem.http.h1;

import dev.tandem.http.FieldSyntax;

/// Scans the bytes of tokens and of the whitespace around values (RFC 9110, sections 5.6.2 and
/// 5.6.3).
final class FieldBytes {
    private static final boolean[] TOKEN = tokens();

    private FieldBytes() {}

    /// Returns the end of the token that begins at `from`; `from` itself if there is none.
    static int tokenEnd(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && isToken(bytes[at])) {
            at++;
        }
        return at;
    }

    static boolean isToken(byte b) {
        return TOKEN[b & 0xFF];
    }

    /// Returns whether the byte is SP or HTAB, the characters of OWS and BWS.
    static boolean isBlank(byte b) {
        return b == ' ' || b == '\t';
    }

    /// Returns the first position from `from` on that is not blank.
    static int skipBlanks(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && isBlank(bytes[at])) {
            at++;
        }
        return at;
    }

    /// Returns the start of the blanks before `to`.
    static int trimBlanks(byte[] bytes, int from, int to) {
        int at = to;
        while (at > from && isBlank(bytes[at - 1])) {
            at--;
        }
        return at;
    }

    private static boolean[] tokens() {
        var tokens = new boolean[256];
        for (int c = 0; c < tokens.length; c++) {
            tokens[c] = FieldSyntax.isTokenChar(c);
        }
        return tokens;
    }
}
