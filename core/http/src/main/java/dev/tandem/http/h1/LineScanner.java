package dev.tandem.http.h1;

import dev.tandem.http.MalformedMessage;

/// Finds the end of a line. The only control character that a line may hold is HTAB, so the first
/// other one is either the CR of its end or wrong: one pass finds the end and refuses the rest,
/// eight bytes at a time.
final class LineScanner {
    static final byte CR = '\r';
    static final byte LF = '\n';

    private LineScanner() {}

    /// The position of the first control character other than HTAB, or `to` if there is none.
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

    /// Whether the byte is a control character other than HTAB.
    static boolean isForbidden(byte b) {
        return b >= 0 && b < ' ' && b != '\t' || b == 0x7F;
    }

    /// Why a line with that control character is refused. RFC 9112, section 2.2 would allow a lone
    /// LF as a line's end; we do not, since a peer in front of us that does not either would see
    /// other lines than we do.
    static MalformedMessage error(byte control) {
        return switch (control) {
            case CR -> MalformedMessage.badRequest("CR without LF");
            case LF -> MalformedMessage.badRequest("LF without CR");
            case 0 -> MalformedMessage.badRequest("NUL byte");
            default -> MalformedMessage.badRequest("control character");
        };
    }
}
