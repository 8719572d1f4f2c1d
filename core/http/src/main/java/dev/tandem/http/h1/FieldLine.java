package dev.tandem.http.h1;

import dev.tandem.http.MalformedMessage;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Parses a field line: `name ":" OWS value OWS` (RFC 9112, section 5).
final class FieldLine {
    private int nameTo;
    private int valueFrom;
    private int valueTo;

    /// Parses the line from `from` to `to`, which is not empty and contains no CRLF and no control
    /// character except HTAB ([LineScanner] ensures this), so that any value is valid.
    @Nullable MalformedMessage parse(byte[] bytes, int from, int to) {
        int colon = FieldBytes.tokenEnd(bytes, from, to);
        if (colon == from || colon == to || bytes[colon] != ':') {
            return error(bytes, from, colon, to);
        }
        nameTo = colon;
        valueFrom = FieldBytes.skipBlanks(bytes, colon + 1, to);
        valueTo = FieldBytes.trimBlanks(bytes, valueFrom, to);
        return null;
    }

    /// Unfolds a folded line in place: of the blanks around each line break only the first after it
    /// is kept (RFC 9112, section 5.2 requires at least one space), and the bytes saved become
    /// blanks at the end.
    static void unfold(byte[] bytes, int from, int to) {
        int put = from;
        int at = from;
        while (at < to) {
            if (bytes[at] != LineScanner.CR && bytes[at] != LineScanner.LF) {
                bytes[put++] = bytes[at++];
                continue;
            }
            put = FieldBytes.trimBlanks(bytes, from, put);
            at += bytes[at] == LineScanner.CR ? 2 : 1;
            bytes[put++] = bytes[at];
            at = FieldBytes.skipBlanks(bytes, at, to);
        }
        Arrays.fill(bytes, put, to, (byte) ' ');
    }

    /// Returns the end of the name, which begins at the start of the line.
    int nameTo() {
        return nameTo;
    }

    int valueFrom() {
        return valueFrom;
    }

    int valueTo() {
        return valueTo;
    }

    /// Distinguishes a folded line (obs-fold) and a blank before the colon, on which parsers
    /// disagree: RFC 9112, sections 5.1 and 5.2 require servers to reject both.
    private static MalformedMessage error(byte[] bytes, int from, int at, int to) {
        if (FieldBytes.isBlank(bytes[from])) {
            return MalformedMessage.badRequest("folded field line");
        }
        if (at == to) {
            return MalformedMessage.badRequest("field line without a colon");
        }
        if (at == from && bytes[at] == ':') {
            return MalformedMessage.badRequest("field without a name");
        }
        if (FieldBytes.isBlank(bytes[at])) {
            return MalformedMessage.badRequest("blank in a field name or before its colon");
        }
        return MalformedMessage.badRequest("field name is not a token");
    }
}
