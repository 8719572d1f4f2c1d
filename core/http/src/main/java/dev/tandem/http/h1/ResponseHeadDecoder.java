package dev.tandem.http.h1;

import dev.tandem.http.HeadLimits;
import dev.tandem.http.Headers;
import dev.tandem.http.KnownHeader;
import dev.tandem.http.MalformedMessage;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Decodes response heads, as strictly as [RequestHeadDecoder] decodes request heads: everything
/// that another parser could interpret as a different response is rejected. If a proxy sees one
/// response where its client sees two, responses are delivered to the wrong user (RFC 9112, section
/// 11). Confined to one thread.
///
///     STATUS_LINE --line--> FIELDS --empty line--> COMPLETE
///     any: malformed, or over a limit --> MALFORMED
public final class ResponseHeadDecoder {
    private static final int CRLF_LENGTH = 2;

    /// `HTTP/1.1 200`.
    private static final int STATUS_END = 12;

    private static final byte[] VERSION = "HTTP/1.".getBytes(StandardCharsets.US_ASCII);
    private static final int FIELDS_EXPECTED = 16;

    private final HeadLimits heads;
    private final Framing framing = new Framing(false);
    private final FieldLine fieldLine = new FieldLine();

    private String[] names = new String[FIELDS_EXPECTED];
    private String[] values = new String[FIELDS_EXPECTED];
    private int count;
    private int status;
    private int lineFrom;
    private int scanned;
    private @Nullable ResponseHead head;
    private @Nullable MalformedMessage error;

    public ResponseHeadDecoder(HeadLimits heads) {
        this.heads = heads;
    }

    /// Decodes `bytes` from `from` to `to`, all input since the first byte of the head. A
    /// subsequent call passes the same bytes again, in this array or another, followed by more.
    public RequestHeadDecoder.Result decode(byte[] bytes, int from, int to) {
        while (head == null && error == null && findLineEnd(bytes, from, to)) {
            int lineAt = from + lineFrom;
            int lineTo = from + scanned;
            scanned += CRLF_LENGTH;
            lineFrom = scanned;
            error = processLine(bytes, lineAt, lineTo);
        }
        if (error != null) {
            return RequestHeadDecoder.Result.MALFORMED;
        }
        return head == null
                ? RequestHeadDecoder.Result.INCOMPLETE
                : RequestHeadDecoder.Result.COMPLETE;
    }

    /// @throws IllegalStateException unless the head is complete
    public ResponseHead head() {
        if (head == null) {
            throw new IllegalStateException("the head is incomplete");
        }
        return head;
    }

    /// Returns the length of the head in bytes, including the empty line.
    public int length() {
        return scanned;
    }

    /// Returns the error in the head; its status is meaningless.
    ///
    /// @throws IllegalStateException if there is none
    public MalformedMessage error() {
        if (error == null) {
            throw new IllegalStateException("the head has no error");
        }
        return error;
    }

    /// Prepares for the next head.
    public void reset() {
        head = null;
        error = null;
        count = 0;
        status = 0;
        lineFrom = 0;
        scanned = 0;
    }

    private boolean findLineEnd(byte[] bytes, int from, int to) {
        int window = Math.min(to, from + heads.headMax());
        int at = LineScanner.firstControl(bytes, from + scanned, window);
        scanned = at - from;
        if (at + 1 < window) {
            if (bytes[at] == LineScanner.CR && bytes[at + 1] == LineScanner.LF) {
                return true;
            }
            error = LineScanner.error(bytes[at]);
        } else if (at < window && bytes[at] != LineScanner.CR) {
            error = LineScanner.error(bytes[at]);
        } else if (window - from == heads.headMax()) {
            error = MalformedMessage.badRequest("head longer than " + heads.headMax() + " bytes");
        }
        return false;
    }

    private @Nullable MalformedMessage processLine(byte[] bytes, int from, int to) {
        if (status == 0) {
            return statusLine(bytes, from, to);
        }
        if (from < to) {
            return field(bytes, from, to);
        }
        head =
                new ResponseHead(
                        status,
                        framing.minorVersion(),
                        Headers.of(
                                Arrays.copyOf(names, count), Arrays.copyOf(values, count), count),
                        framing.contentLength(),
                        framing.isChunked(),
                        framing.isKeepAlive());
        return null;
    }

    /// Parses `HTTP/1.1 200 OK`; the reason phrase may be absent, with or without the space before
    /// it.
    private @Nullable MalformedMessage statusLine(byte[] bytes, int from, int to) {
        boolean isVersion =
                to - from >= STATUS_END
                        && Arrays.equals(
                                bytes, from, from + VERSION.length, VERSION, 0, VERSION.length);
        int minor = isVersion ? bytes[from + VERSION.length] - '0' : -1;
        boolean isEnded = to - from == STATUS_END || isVersion && bytes[from + STATUS_END] == ' ';
        if (minor < 0 || minor > 9 || bytes[from + VERSION.length + 1] != ' ' || !isEnded) {
            return MalformedMessage.badRequest("not a status line of HTTP/1");
        }
        int code = 0;
        for (int i = from + STATUS_END - 3; i < from + STATUS_END; i++) {
            int digit = bytes[i] - '0';
            if (digit < 0 || digit > 9) {
                return MalformedMessage.badRequest("status is not a number");
            }
            code = 10 * code + digit;
        }
        if (code < 100 || code > 599) {
            return MalformedMessage.badRequest("status is not 100 to 599");
        }
        framing.reset(Math.min(minor, 1));
        status = code;
        return null;
    }

    private @Nullable MalformedMessage field(byte[] bytes, int from, int to) {
        if (count == heads.headersMax()) {
            return MalformedMessage.badRequest("more than " + heads.headersMax() + " headers");
        }
        MalformedMessage syntax = fieldLine.parse(bytes, from, to);
        if (syntax != null) {
            return syntax;
        }
        if (count == names.length) {
            names = Arrays.copyOf(names, 2 * count);
            values = Arrays.copyOf(values, 2 * count);
        }
        int valueFrom = fieldLine.valueFrom();
        int valueTo = fieldLine.valueTo();
        names[count] = text(bytes, from, fieldLine.nameTo());
        values[count] = text(bytes, valueFrom, valueTo);
        count++;
        KnownHeader known = KnownHeader.of(bytes, from, fieldLine.nameTo());
        return switch (known) {
            case CONTENT_LENGTH, TRANSFER_ENCODING, CONNECTION ->
                    framing.addHeader(known, bytes, valueFrom, valueTo);
            case null, default -> null;
        };
    }

    private static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }
}
