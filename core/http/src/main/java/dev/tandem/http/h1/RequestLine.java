package dev.tandem.http.h1;

import dev.tandem.http.MalformedMessage;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Takes a request line apart: `method SP request-target SP HTTP-version` (RFC 9112, section 3),
/// with single spaces and nothing else between.
final class RequestLine {
    /// Longest method, in bytes: the registered ones have at most 17 (UPDATEREDIRECTREF).
    static final int METHOD_MAX = 32;

    /// The length of `" HTTP/1.1"`.
    private static final int VERSION_LENGTH = 9;

    /// The length of `"M / HTTP/1.1"`.
    private static final int LENGTH_MIN = 12;

    private static final String HTTP_0_9_START = "GET ";

    private static final long HTTP_1_1 = EightBytes.of("HTTP/1.1");
    /// Where the version's two digits are among its bytes.
    private static final long DIGITS = 0xFF00_FF00_0000_0000L;

    private static final long HTTP_1_0 = EightBytes.of("HTTP/1.0");

    /// The methods that need no string of their own, the likelier first. Each has at most 7
    /// letters, so that it can be compared with its space as one number.
    private static final String[] METHODS = {
        "GET", "POST", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "CONNECT", "TRACE"
    };

    private static final long[] METHOD_VALUES = methodValues();

    private RequestLine() {}

    /// Takes the line from `from` to `to` apart into `head`; it has no CRLF, and no control
    /// character but HTAB.
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

    /// Takes `GET target` apart, if that is the whole line: a request of HTTP/0.9, which says no
    /// version (RFC 1945, section 5.1, calls it a simple one).
    ///
    /// @return whether it is one
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

    /// Makes spaces of the tabs between a lenient line's words; one within the target is wrong all
    /// the same.
    static void replaceTabs(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            if (bytes[i] == '\t') {
                bytes[i] = ' ';
            }
        }
    }

    /// The end of the method that the line begins with and that a space follows, or -1.
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

    /// 0 or 1, or -1 if it is no version 1.x. A recipient treats a higher minor version as the
    /// highest that it knows (RFC 9110, section 2.5).
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

    /// Whether all are visible ASCII: DEL is not among a line's bytes, and those past 0x7F are
    /// negative.
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

    /// How far eight bytes are shifted so that only the method and its space are left of them.
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
