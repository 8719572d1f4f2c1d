package dev.tandem.http.h1;

import dev.tandem.http.MalformedMessage;

/// Finds the end of a line. The only control character allowed in a line is HTAB, so the first
/// other one is either the CR of its end or an error: one pass finds the end and validates the
/// line, eight bytes at a time.
final class LineScanner {
    static final byte CR = '\r';
    static final byte LF = '\n';

    private LineScanner() {}

    /// Returns the position of the first control character other than HTAB, or `to` if there is
    /// none.
    static int firstControl(byte[] bytes, int from, int to) {
        int at = from;
        while (at <= to - Long.BYTES) {
            long controls = EightBytes.controls(EightBytes.at(bytes, at));
            if (controls == 0) {
                at += Long.BYTES;
                continue;
            }
            at += EightBytes.firstMarked(controls);
            if (bytes[at] != '\t') {
                return at;
            }
            at++;
        }
        while (at < to && !isForbidden(bytes[at])) {
            at++;
        }
        return at;
    }

    /// Returns whether the byte is a control character other than HTAB.
    static boolean isForbidden(byte b) {
        return b >= 0 && b < ' ' && b != '\t' || b == 0x7F;
    }

    /// Returns the error for a line with the control character. RFC 9112, section 2.2 permits a
    /// lone LF as line terminator; it is rejected here, because an intermediary that also rejects
    /// it would see different lines.
    static MalformedMessage error(byte control) {
        return switch (control) {
            case CR -> MalformedMessage.badRequest("CR without LF");
            case LF -> MalformedMessage.badRequest("LF without CR");
            case 0 -> MalformedMessage.badRequest("NUL byte");
            default -> MalformedMessage.badRequest("control character");
        };
    }
}
