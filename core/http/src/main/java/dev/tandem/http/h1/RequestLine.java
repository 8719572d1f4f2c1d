package dev.tandem.http.h1;

import dev.tandem.http.MalformedMessage;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Parses a request line: `method SP request-target SP HTTP-version` (RFC 9112, section 3),
/// separated by single spaces.
final class RequestLine {
    /// The maximum length of a method, in bytes: registered ones have at most 17
    /// (UPDATEREDIRECTREF).
    static final int METHOD_MAX = 32;

    /// The length of `" HTTP/1.1"`.
    private static final int VERSION_LENGTH = 9;

    /// The length of `"M / HTTP/1.1"`.
    private static final int LENGTH_MIN = 12;

    private static final String HTTP_0_9_START = "GET ";

    private static final long HTTP_1_1 = EightBytes.of("HTTP/1.1");
    /// The positions of the two digits within the version.
    private static final long DIGITS = 0xFF00_FF00_0000_0000L;

    private static final long HTTP_1_0 = EightBytes.of("HTTP/1.0");

    /// The methods with constant strings, most frequent first. Each has at most 7 letters, so that
    /// it can be compared, with the following space, as one number.
    private static final String[] METHODS = {
        "GET", "POST", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "CONNECT", "TRACE"
    };

    private static final long[] METHOD_VALUES = methodValues();

    private RequestLine() {}

    /// Parses the line from `from` to `to` into `head`; it contains no CRLF, and no control
    /// character except HTAB.
    static @Nullable MalformedMessage parse(byte[] bytes, int from, int to, Http1RequestHead head) {
        if (to - from < LENGTH_MIN) {
            return methodEnd(bytes, from, to) < 0 ? noMethod() : malformed();
        }
        String method = commonMethod(bytes, from);
        int methodTo = method == null ? methodEnd(bytes, from, to) : from + method.length();
        if (methodTo < 0) {
            return noMethod();
        }
        int targetTo = to - VERSION_LENGTH;
        if (targetTo <= methodTo + 1 || bytes[targetTo] != ' ') {
            return malformed();
        }
        int minorVersion = minorVersion(bytes, targetTo + 1);
        if (minorVersion < 0) {
            return isVersion(bytes, targetTo + 1)
                    ? new MalformedMessage(505, "HTTP version other than 1.x")
                    : malformed();
        }
        if (!isVisible(bytes, methodTo + 1, targetTo)) {
            return MalformedMessage.badRequest("blank or non-ASCII byte in the request target");
        }
        head.requestLine(
                method == null ? text(bytes, from, methodTo) : method,
                from,
                methodTo + 1,
                targetTo);
        head.framing().reset(minorVersion);
        return null;
    }

    /// Parses `GET target`, if that is the complete line: an HTTP/0.9 request, which has no version
    /// (RFC 1945, section 5.1: Simple-Request).
    ///
    /// @return whether the line is such a request
    static boolean parseHttp09(byte[] bytes, int from, int to, Http1RequestHead head) {
        int targetFrom = from + HTTP_0_9_START.length();
        if (to <= targetFrom || !isVisible(bytes, targetFrom, to)) {
            return false;
        }
        for (int i = 0; i < HTTP_0_9_START.length(); i++) {
            if (bytes[from + i] != HTTP_0_9_START.charAt(i)) {
                return false;
            }
        }
        head.requestLine("GET", from, targetFrom, to);
        head.framing().reset(0);
        return true;
    }

    /// Replaces tabs with spaces in lenient mode; a tab within the target is still rejected as a
    /// space.
    static void replaceTabs(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            if (bytes[i] == '\t') {
                bytes[i] = ' ';
            }
        }
    }

    /// Returns the end of the method at the start of the line if a space follows it, else -1.
    static int methodEnd(byte[] bytes, int from, int to) {
        int end = FieldBytes.tokenEnd(bytes, from, Math.min(to, from + METHOD_MAX));
        return end > from && end < to && bytes[end] == ' ' ? end : -1;
    }

    private static @Nullable String commonMethod(byte[] bytes, int from) {
        long start = EightBytes.at(bytes, from);
        for (int i = 0; i < METHODS.length; i++) {
            if (start << bitsUnused(METHODS[i]) == METHOD_VALUES[i]) {
                return METHODS[i];
            }
        }
        return null;
    }

    /// Returns 0 or 1, or -1 if the version is not 1.x. A recipient treats a higher minor version
    /// as the highest that it supports (RFC 9110, section 2.5).
    private static int minorVersion(byte[] bytes, int from) {
        long version = EightBytes.at(bytes, from);
        if (version == HTTP_1_1) {
            return 1;
        }
        if (version == HTTP_1_0) {
            return 0;
        }
        return isVersion(bytes, from) && bytes[from + 5] == '1' ? 1 : -1;
    }

    /// `"HTTP/" DIGIT "." DIGIT`.
    private static boolean isVersion(byte[] bytes, int from) {
        return (EightBytes.at(bytes, from) & ~DIGITS) == (HTTP_1_1 & ~DIGITS)
                && isDigit(bytes[from + 5])
                && isDigit(bytes[from + 7]);
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    /// Returns whether all bytes are visible ASCII: the line does not contain DEL, and bytes above
    /// 0x7F are negative.
    private static boolean isVisible(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            if (bytes[i] <= ' ') {
                return false;
            }
        }
        return true;
    }

    private static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.US_ASCII);
    }

    private static MalformedMessage noMethod() {
        return MalformedMessage.badRequest("request line does not begin with a method");
    }

    private static MalformedMessage malformed() {
        return MalformedMessage.badRequest("request line is not method, target and HTTP version");
    }

    /// Returns the shift that leaves only the method and its space of eight bytes.
    private static int bitsUnused(String method) {
        return Long.SIZE - Byte.SIZE * (method.length() + 1);
    }

    private static long[] methodValues() {
        var values = new long[METHODS.length];
        for (int i = 0; i < METHODS.length; i++) {
            String eight = (METHODS[i] + " ".repeat(Long.BYTES)).substring(0, Long.BYTES);
            values[i] = EightBytes.of(eight) << bitsUnused(METHODS[i]);
        }
        return values;
    }
}
