package dev.tandem.http.h1;

import dev.tandem.http.MalformedMessage;
import org.jspecify.annotations.Nullable;

/// Parses the line before a chunk: `1*HEXDIG *( BWS ";" BWS name [ BWS "=" BWS value ] )`, where a
/// value is a token or a quoted string (RFC 9112, section 7.1). Extensions are validated and
/// discarded.
final class ChunkSizeLine {
    private static final int BITS_PER_DIGIT = 4;

    /// The maximum size, and its number of digits.
    private final long sizeMax;

    private final int digitsMax;

    /// Whether an extension may be followed by blanks.
    private final boolean isLenient;

    private long size;
    private int extensionLength;

    ChunkSizeLine(Http1Limits limits) {
        this.sizeMax = limits.chunks().sizeMax();
        this.isLenient = limits.isLenient();
        this.digitsMax =
                (Long.SIZE - Long.numberOfLeadingZeros(sizeMax) + BITS_PER_DIGIT - 1)
                        / BITS_PER_DIGIT;
    }

    /// Parses the first `length` bytes of `line`, which contain no CRLF, and no control character
    /// except HTAB. A quoted string must end in the same line: an unterminated one is rejected.
    @Nullable MalformedMessage parse(byte[] line, int length) {
        long value = 0;
        int at = 0;
        while (at < length) {
            int digit = hexDigit(line[at]);
            if (digit < 0) {
                break;
            }
            if (at == digitsMax) {
                return MalformedMessage.badRequest(
                        "chunk size of more than " + digitsMax + " digits");
            }
            value = value << BITS_PER_DIGIT | digit;
            at++;
        }
        if (at == 0) {
            return MalformedMessage.badRequest("chunk size is not hexadecimal");
        }
        if (value > sizeMax) {
            return MalformedMessage.badRequest("chunk longer than " + sizeMax + " bytes");
        }
        size = value;
        extensionLength = length - at;
        boolean isTrimmed = isLenient && at < length && line[at] == ';';
        int to = isTrimmed ? FieldBytes.trimBlanks(line, at, length) : length;
        return areExtensions(line, at, to)
                ? null
                : MalformedMessage.badRequest("malformed chunk extension");
    }

    /// Returns the size of the chunk in bytes; 0 ends the body.
    long size() {
        return size;
    }

    /// Returns the length of the extensions in bytes, from the last digit of the size to the end of
    /// the line.
    int extensionLength() {
        return extensionLength;
    }

    private static boolean areExtensions(byte[] line, int from, int to) {
        int at = from;
        while (at < to) {
            at = FieldBytes.skipBlanks(line, at, to);
            if (at == to || line[at] != ';') {
                return false;
            }
            int nameFrom = FieldBytes.skipBlanks(line, at + 1, to);
            at = FieldBytes.tokenEnd(line, nameFrom, to);
            if (at == nameFrom) {
                return false;
            }
            int equals = FieldBytes.skipBlanks(line, at, to);
            if (equals < to && line[equals] == '=') {
                at = valueEnd(line, FieldBytes.skipBlanks(line, equals + 1, to), to);
                if (at < 0) {
                    return false;
                }
            }
        }
        return true;
    }

    /// Returns the end of a token or quoted string, or -1 if there is none.
    private static int valueEnd(byte[] line, int from, int to) {
        if (from == to || line[from] != '"') {
            int end = FieldBytes.tokenEnd(line, from, to);
            return end > from ? end : -1;
        }
        for (int at = from + 1; at < to; at++) {
            if (line[at] == '"') {
                return at + 1;
            }
            if (line[at] == '\\') {
                at++;
            }
        }
        return -1;
    }

    private static int hexDigit(byte b) {
        if (b >= '0' && b <= '9') {
            return b - '0';
        }
        int lower = b | 0x20;
        return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
    }
}
