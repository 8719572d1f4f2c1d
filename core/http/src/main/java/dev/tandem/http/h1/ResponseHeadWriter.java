package dev.tandem.http.h1;

import dev.tandem.http.FieldSyntax;
import dev.tandem.http.Status;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Writes response heads (RFC 9112, sections 4 and 5) into a reused array that grows as needed.
/// Confined to its owner. Allocates nothing once the array is large enough.
public final class ResponseHeadWriter {
    private static final int STATUS_MIN = 100;
    private static final int STATUS_MAX = 599;
    private static final byte[][] STATUS_LINES = statusLines();

    private static final byte[] CONTENT_LENGTH = latin1("Content-Length: ");
    /// The digits of [Long#MAX_VALUE].
    private static final int LONG_DIGITS_MAX = 19;

    private static final int CAPACITY = 512;
    private static final int DELETE = 0x7F;

    private byte[] bytes = new byte[CAPACITY];
    private int length;

    public ResponseHeadWriter() {}

    /// Starts another head.
    public ResponseHeadWriter reset() {
        length = 0;
        return this;
    }

    /// Writes the status line, always with a reason phrase.
    ///
    /// @param status 100 to 599
    public ResponseHeadWriter status(int status) {
        if (status < STATUS_MIN || status > STATUS_MAX) {
            throw new IllegalArgumentException("status must be 100..599, was " + status);
        }
        return header(STATUS_LINES[status - STATUS_MIN]);
    }

    /// Writes a header.
    ///
    /// @param name a token
    /// @throws IllegalArgumentException if the value contains a control character other than HTAB,
    ///     or one that is not in Latin-1: the head is then unusable and must not be sent
    public ResponseHeadWriter header(String name, String value) {
        assert FieldSyntax.isToken(name) : name;
        ensureCapacity(name.length() + value.length() + 4);
        text(name);
        bytes[length++] = ':';
        bytes[length++] = ' ';
        text(value);
        return crlf();
    }

    /// Writes prepared header lines, each with its CRLF.
    public ResponseHeadWriter header(byte[] preparedLine) {
        ensureCapacity(preparedLine.length);
        System.arraycopy(preparedLine, 0, bytes, length, preparedLine.length);
        length += preparedLine.length;
        return this;
    }

    /// Writes the `Content-Length` header.
    ///
    /// @param contentLength in bytes, at least 0
    public ResponseHeadWriter contentLength(long contentLength) {
        if (contentLength < 0) {
            throw new IllegalArgumentException(
                    "content length must be at least 0, was " + contentLength);
        }
        header(CONTENT_LENGTH);
        ensureCapacity(LONG_DIGITS_MAX + 2);
        digits(contentLength);
        return crlf();
    }

    /// Writes the `Date` header, which the server prepares once per second.
    ///
    /// @param prepared the complete line, with its CRLF
    public ResponseHeadWriter date(byte[] prepared) {
        return header(prepared);
    }

    /// Writes the empty line that ends the head.
    public ResponseHeadWriter end() {
        ensureCapacity(2);
        return crlf();
    }

    /// Returns the array with the head at its start; a different one after it grew.
    public byte[] bytes() {
        return bytes;
    }

    /// Returns the number of bytes written since [#reset()].
    public int length() {
        return length;
    }

    private void ensureCapacity(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
        }
    }

    /// Validates the text when it is written, independently of the caller's checks: a character
    /// whose low byte is CR or LF must not become one (response splitting).
    private void text(String text) {
        byte[] to = bytes;
        int at = length;
        int suspect = 0; // negative as soon as a character is a control, or not in Latin-1
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            suspect |= (c - ' ') | (0xFF - c) | ((c ^ DELETE) - 1);
            to[at++] = (byte) c;
        }
        if (suspect < 0) {
            FieldSyntax.requireValue(text); // a HTAB is allowed
        }
        length = at;
    }

    private ResponseHeadWriter crlf() {
        bytes[length++] = LineScanner.CR;
        bytes[length++] = LineScanner.LF;
        return this;
    }

    private void digits(long number) {
        int count = 1;
        for (long rest = number / 10; rest > 0; rest /= 10) {
            count++;
        }
        length += count;
        long rest = number;
        for (int at = length - 1; at >= length - count; at--) {
            bytes[at] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
    }

    /// Uses `concat`, because `+` would initialize its bootstrap machinery during the start of the
    /// server.
    private static byte[][] statusLines() {
        var lines = new byte[STATUS_MAX - STATUS_MIN + 1][];
        for (int status = STATUS_MIN; status <= STATUS_MAX; status++) {
            String code = "HTTP/1.1 ".concat(Integer.toString(status)).concat(" ");
            lines[status - STATUS_MIN] =
                    latin1(code.concat(Status.reasonPhrase(status)).concat("\r\n"));
        }
        return lines;
    }

    private static byte[] latin1(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
