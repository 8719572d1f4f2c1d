package dev.tandem.http.h2;

import dev.tandem.http.Authority;
import dev.tandem.http.FieldSyntax;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// A header, validated when it is decoded, once for all references to it in a table. Immutable.
final class HeaderField {
    /// What each header counts in addition to its name and value (RFC 7541, section 4.1; RFC 9113,
    /// section 6.5.2).
    static final int OVERHEAD = 32;

    /// The methods with constant strings.
    private static final String[] METHODS = {
        "GET", "POST", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "CONNECT", "TRACE"
    };

    private final FieldName name;
    private final String value;
    private final @Nullable String error;

    private HeaderField(FieldName name, String value, @Nullable String error) {
        this.name = name;
        this.value = value;
        this.error = error;
    }

    /// Returns a header that was received: any bytes.
    static HeaderField of(FieldName name, byte[] bytes, int from, int to) {
        String error = name.error() == null ? error(name, bytes, from, to) : name.error();
        return new HeaderField(name, text(name, bytes, from, to), error);
    }

    /// Returns a header of the static table.
    static HeaderField of(FieldName name, String value) {
        byte[] bytes = value.getBytes(StandardCharsets.ISO_8859_1);
        return of(name, bytes, 0, bytes.length);
    }

    /// Returns a header whose value is valid.
    static HeaderField valid(FieldName name, String value) {
        return new HeaderField(name, value, null);
    }

    FieldName name() {
        return name;
    }

    String value() {
        return value;
    }

    /// Returns why a message with this header is malformed, or null.
    @Nullable String error() {
        return error;
    }

    /// Returns the size in tables and lists, in bytes.
    int size() {
        return name.text().length() + value.length() + OVERHEAD;
    }

    private static String text(FieldName name, byte[] bytes, int from, int to) {
        String text = new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
        if (name.kind() == FieldName.Kind.METHOD) {
            for (String method : METHODS) {
                if (method.equals(text)) {
                    return method;
                }
            }
        }
        return text;
    }

    private static @Nullable String error(FieldName name, byte[] bytes, int from, int to) {
        return switch (name.kind()) {
            case METHOD -> isToken(bytes, from, to) ? null : "malformed :method";
            case SCHEME -> isScheme(bytes, from, to) ? null : "scheme other than http and https";
            case AUTHORITY -> isHost(bytes, from, to) ? null : "malformed :authority";
            case HOST -> isHost(bytes, from, to) ? null : "malformed Host header";
            case PATH -> isPath(bytes, from, to) ? null : "malformed :path";
            case STATUS -> isStatus(bytes, from, to) ? null : "malformed :status";
            case PROTOCOL -> isToken(bytes, from, to) ? null : "malformed :protocol";
            case UNKNOWN_PSEUDO -> "unknown pseudo-header";
            case CONNECTION_SPECIFIC -> "connection-specific header";
            case TE -> isNamed("trailers", bytes, from, to) ? null : "TE other than trailers";
            case CONTENT_LENGTH ->
                    isLength(bytes, from, to) ? null : "Content-Length is not 1 to 18 digits";
            case REGULAR, COOKIE, EXPECT -> valueError(bytes, from, to);
        };
    }

    /// RFC 9113, section 8.2.1; in addition, no control characters except HTAB, as in HTTP/1.
    private static @Nullable String valueError(byte[] bytes, int from, int to) {
        if (from == to) {
            return null;
        }
        if (isBlank(bytes[from]) || isBlank(bytes[to - 1])) {
            return "blank at the start or end of a field value";
        }
        for (int i = from; i < to; i++) {
            byte c = bytes[i];
            if (c >= 0 && c < ' ' && c != '\t' || c == 0x7F) {
                return "control character in a field value";
            }
        }
        return null;
    }

    private static boolean isBlank(byte c) {
        return c == ' ' || c == '\t';
    }

    private static boolean isToken(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            if (!FieldSyntax.isTokenChar(bytes[i])) {
                return false;
            }
        }
        return from < to;
    }

    /// Schemes are compared ignoring case (RFC 3986, section 3.1). Those of gateways to other
    /// protocols have no use here.
    private static boolean isScheme(byte[] bytes, int from, int to) {
        return isNamed("https", bytes, from, to) || isNamed("http", bytes, from, to);
    }

    private static boolean isNamed(String lower, byte[] bytes, int from, int to) {
        if (to - from != lower.length()) {
            return false;
        }
        for (int i = 0; i < lower.length(); i++) {
            byte c = bytes[from + i];
            boolean isUpper = c >= 'A' && c <= 'Z';
            if ((isUpper ? c + 0x20 : c) != lower.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /// RFC 9113, section 8.3.1: not empty, without user information. A comma is rejected as in
    /// HTTP/1: two Host headers joined by an intermediary have one.
    private static boolean isHost(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            if (bytes[i] == ',') {
                return false;
            }
        }
        return Authority.isHost(bytes, from, to);
    }

    /// RFC 9113, section 8.3.1: an absolute path, or `*`. All characters are checked when the
    /// target is parsed.
    private static boolean isPath(byte[] bytes, int from, int to) {
        return from < to && (bytes[from] == '/' || bytes[from] == '*' && to - from == 1);
    }

    /// 101 is not used (RFC 9113, section 8.6).
    private static boolean isStatus(byte[] bytes, int from, int to) {
        if (to - from != 3 || bytes[from] < '1' || bytes[from] > '5') {
            return false;
        }
        boolean areDigits = isDigit(bytes[from + 1]) && isDigit(bytes[from + 2]);
        return areDigits
                && !(bytes[from] == '1' && bytes[from + 1] == '0' && bytes[from + 2] == '1');
    }

    /// Numbers of 18 digits are less than 2^63; no content is longer.
    private static boolean isLength(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            if (!isDigit(bytes[i])) {
                return false;
            }
        }
        return from < to && to - from <= 18;
    }

    private static boolean isDigit(byte c) {
        return c >= '0' && c <= '9';
    }
}
