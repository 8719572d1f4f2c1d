package dev.tandem.load;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// The head of a response: its status and what frames its content (RFC 9112, sections 4 to 6).
/// Strict with one exception: a line may end in a bare LF (section 2.2). Reused; confined to one
/// thread.
final class ReplyHead {
    static final long NO_LENGTH = -1;

    private static final byte[] VERSION = ascii("HTTP/1.");
    private static final byte[] CONTENT_LENGTH = ascii("content-length");
    private static final byte[] TRANSFER_ENCODING = ascii("transfer-encoding");
    private static final byte[] CONNECTION = ascii("connection");

    /// The maximum number of digits of a length: enough for any content.
    private static final int DIGITS_MAX = 18;

    private int status;
    private long length;
    private boolean isChunked;
    private boolean isKept;

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    int status() {
        return status;
    }

    /// The value of `Content-Length`, or [#NO_LENGTH].
    long length() {
        return length;
    }

    boolean isChunked() {
        return isChunked;
    }

    /// Whether the server says that the connection stays open.
    boolean isKept() {
        return isKept;
    }

    /// Parses a whole head, including the empty line at its end.
    ///
    /// @return what is wrong with it, or null
    @Nullable String parse(byte[] bytes, int from, int to) {
        int end = lineEnd(bytes, from, to);
        if (!parseStatusLine(bytes, from, contentEnd(bytes, from, end))) {
            return "not a status line: " + text(bytes, from, contentEnd(bytes, from, end));
        }
        length = NO_LENGTH;
        isChunked = false;
        for (int at = end + 1; at < to; at = end + 1) {
            end = lineEnd(bytes, at, to);
            int last = contentEnd(bytes, at, end);
            String fault = last == at ? null : parseField(bytes, at, last);
            if (fault != null) {
                return fault;
            }
        }
        return isChunked && length != NO_LENGTH ? "both a length and a transfer coding" : null;
    }

    private static int lineEnd(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && bytes[at] != '\n') {
            at++;
        }
        return at;
    }

    private static int contentEnd(byte[] bytes, int from, int lineEnd) {
        return lineEnd > from && bytes[lineEnd - 1] == '\r' ? lineEnd - 1 : lineEnd;
    }

    /// `HTTP/1.1 200 OK`; the reason phrase may be absent, with or without the space before it.
    private boolean parseStatusLine(byte[] bytes, int from, int to) {
        int code = from + VERSION.length + 2;
        boolean isOne = to - code >= 3 && startsWith(bytes, from, VERSION);
        if (!isOne || bytes[code - 1] != ' ' || to > code + 3 && bytes[code + 3] != ' ') {
            return false;
        }
        int minor = bytes[code - 2] - '0';
        status = 0;
        for (int i = code; i < code + 3; i++) {
            int digit = bytes[i] - '0';
            if (digit < 0 || digit > 9) {
                return false;
            }
            status = 10 * status + digit;
        }
        isKept = minor > 0;
        return minor >= 0 && minor <= 9 && status >= 100 && status <= 599;
    }

    private static boolean startsWith(byte[] bytes, int from, byte[] start) {
        for (int i = 0; i < start.length; i++) {
            if (bytes[from + i] != start[i]) {
                return false;
            }
        }
        return true;
    }

    private @Nullable String parseField(byte[] bytes, int from, int to) {
        int colon = from;
        while (colon < to && bytes[colon] != ':') {
            if (bytes[colon] <= ' ') {
                return "not a header field: " + text(bytes, from, to);
            }
            colon++;
        }
        if (colon == to || colon == from) {
            return "not a header field: " + text(bytes, from, to);
        }
        return switch (colon - from) {
            case 10 -> is(bytes, from, CONNECTION) ? connection(bytes, colon + 1, to) : null;
            case 14 -> is(bytes, from, CONTENT_LENGTH) ? length(bytes, colon + 1, to) : null;
            case 17 -> is(bytes, from, TRANSFER_ENCODING) ? coding(bytes, colon + 1, to) : null;
            default -> null;
        };
    }

    private static boolean is(byte[] bytes, int from, byte[] lower) {
        for (int i = 0; i < lower.length; i++) {
            if ((bytes[from + i] | 0x20) != lower[i]) {
                return false;
            }
        }
        return true;
    }

    private @Nullable String connection(byte[] bytes, int from, int to) {
        for (String option : text(bytes, from, to).split(",")) {
            if (option.strip().equalsIgnoreCase("close")) {
                isKept = false;
                return null; // whatever its other values
            }
            isKept |= option.strip().equalsIgnoreCase("keep-alive");
        }
        return null;
    }

    private @Nullable String length(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && (bytes[at] == ' ' || bytes[at] == '\t')) {
            at++;
        }
        int end = to;
        while (end > at && (bytes[end - 1] == ' ' || bytes[end - 1] == '\t')) {
            end--;
        }
        long value = 0;
        boolean isNumber = end > at && end - at <= DIGITS_MAX;
        for (int i = at; i < end && isNumber; i++) {
            int digit = bytes[i] - '0';
            isNumber = digit >= 0 && digit <= 9;
            value = 10 * value + digit;
        }
        if (!isNumber || length != NO_LENGTH && length != value) {
            return "not one length: " + text(bytes, from, to).strip();
        }
        length = value;
        return null;
    }

    private @Nullable String coding(byte[] bytes, int from, int to) {
        String coding = text(bytes, from, to).strip();
        if (isChunked || !coding.equalsIgnoreCase("chunked")) {
            return "transfer coding without a request for it: " + coding;
        }
        isChunked = true;
        return null;
    }

    private static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, Math.min(to - from, 200), StandardCharsets.ISO_8859_1);
    }
}
