package dev.tandem.http.h1;

import dev.tandem.http.KnownHeader;
import dev.tandem.http.MalformedMessage;
import org.jspecify.annotations.Nullable;

/// Decodes request heads (RFC 9112, sections 2 to 5).
///
///     START --method's first byte--> REQUEST_LINE --line--> FIELDS --empty line--> DONE
///       ^ |                               |                  ^ |
///       +-+ empty line, 2 at most         |             line +-+
///     each: wrong, or over a limit --> BAD
///
/// A line is looked at once it is complete, and once: what was scanned of an incomplete one is not
/// scanned again. Bytes are the same request in whatever pieces they come.
///
/// With [Http1Limits#isLenient()] a field's line is complete when the next one is seen not to begin
/// with a blank, and is unfolded in its place.
public final class RequestHeadDecoder {

    /// What became of the bytes.
    public enum Result {
        /// The head is incomplete.
        INCOMPLETE,
        /// [RequestHeadDecoder#head()] is complete.
        COMPLETE,
        /// [RequestHeadDecoder#error()] says why the head is refused.
        MALFORMED
    }

    private enum State {
        START,
        REQUEST_LINE,
        FIELDS
    }

    /// Empty lines before a request line that are passed over. RFC 9112, section 2.2 asks for one
    /// at least, which old clients sent after a body; the second is for those that end it with two.
    private static final int EMPTY_LINES_MAX = 2;

    /// The same, lenient: such clients send some, and floods of them end somewhere.
    private static final int EMPTY_LINES_LENIENT_MAX = 100;

    /// The first byte of a TLS record that begins a handshake.
    private static final byte TLS_HANDSHAKE = 0x16;

    private static final int CRLF_LENGTH = 2;

    private final Http1Limits limits;
    private final Http1RequestHead head;
    private final FieldLine fieldLine = new FieldLine();

    private Result result = Result.INCOMPLETE;
    private State state = State.START;
    private @Nullable MalformedMessage error;
    private int emptyLines;

    /// Whether the current line is a field's that goes on after an end of line.
    private boolean isFolded;

    /// Where the current line begins, counted from the head's first byte.
    private int lineFrom;

    /// How far it is scanned, likewise.
    private int scanned;

    public RequestHeadDecoder(Http1Limits limits) {
        this.limits = limits;
        this.head = new Http1RequestHead(limits.isLenient());
    }

    /// Decodes `bytes` from `from` to `to`: all that came since the head's first byte. A further
    /// call repeats what earlier ones had and left there, in this array or another, with more after
    /// it. After DONE or BAD nothing changes until [#reset()].
    public Result decode(byte[] bytes, int from, int to) {
        if (result == Result.INCOMPLETE) {
            head.setBuffer(bytes, from);
            int endLength = findLine(bytes, from, to);
            while (endLength > 0) {
                int lineAt = from + lineFrom;
                int lineTo = from + scanned;
                scanned += endLength;
                lineFrom = scanned;
                processLine(bytes, lineAt, lineTo);
                endLength = result == Result.INCOMPLETE ? findLine(bytes, from, to) : 0;
            }
        }
        return result;
    }

    /// The head; complete after DONE. The same object for each request.
    public Http1RequestHead head() {
        return head;
    }

    /// Why the head is refused.
    ///
    /// @throws IllegalStateException if it is not
    public MalformedMessage error() {
        if (error == null) {
            throw new IllegalStateException("the head is not refused");
        }
        return error;
    }

    /// Whether a request has begun: a byte other than those of empty lines came.
    public boolean hasBegun() {
        return state != State.START;
    }

    /// Makes ready for the next head.
    public void reset() {
        head.clear();
        result = Result.INCOMPLETE;
        state = State.START;
        error = null;
        emptyLines = 0;
        isFolded = false;
        lineFrom = 0;
        scanned = 0;
    }

    private int findLine(byte[] bytes, int from, int to) {
        return limits.isLenient() ? findFoldedEnd(bytes, from, to) : findLineEnd(bytes, from, to);
    }

    /// As [#findLineEnd], and passes over the ends of lines that a blank follows.
    private int findFoldedEnd(byte[] bytes, int from, int to) {
        int endLength = findLineEnd(bytes, from, to);
        while (endLength > 0 && state == State.FIELDS && scanned > lineFrom) {
            int next = from + scanned + endLength;
            if (next == to) {
                return 0;
            }
            if (!FieldBytes.isBlank(bytes[next])) {
                boolean isWhole = !isFolded || unfold(bytes, from + lineFrom, from + scanned);
                return isWhole ? endLength : 0;
            }
            isFolded = true;
            scanned += endLength;
            endLength = findLineEnd(bytes, from, to);
        }
        return endLength;
    }

    /// Makes one line of the folded one, unless that is refused: then its bytes stay as they are,
    /// since who is told so may have another decoder look at them.
    private boolean unfold(byte[] bytes, int from, int to) {
        isFolded = false;
        KnownHeader known = KnownHeader.of(bytes, from, FieldBytes.tokenEnd(bytes, from, to));
        if (known != null && Framing.isFramingHeader(known)) {
            refuse(MalformedMessage.badRequest("folded field that frames or routes the message"));
            return false;
        }
        FieldLine.unfold(bytes, from, to);
        return true;
    }

    /// Finds the end of the current line, leaves `scanned` there, and returns its length. That is 0
    /// if it is not there yet, or the line is refused: for its first byte, for a control character,
    /// for its length, in this order, which is the one in which bytes come.
    private int findLineEnd(byte[] bytes, int from, int to) {
        if (state == State.START
                && from + lineFrom < to
                && !isMethodStart(bytes[from + lineFrom])) {
            return 0;
        }
        int limit = lineEndMax();
        int window = Math.min(to, from + limit);
        int at = LineScanner.firstControl(bytes, from + scanned, window);
        scanned = at - from;
        if (at + 1 < window && bytes[at] == LineScanner.CR && bytes[at + 1] == LineScanner.LF) {
            return CRLF_LENGTH;
        }
        if (at < window && bytes[at] == LineScanner.LF && limits.isLenient()) {
            return 1;
        }
        if (at < window && (bytes[at] != LineScanner.CR || at + 1 < window)) {
            refuse(LineScanner.error(bytes[at]));
        } else if (window - from == limit) {
            refuse(tooLong(bytes, from + lineFrom, window, limit));
        }
        return 0;
    }

    /// Looks at the first byte of a request line, at once: a client that speaks TLS waits for our
    /// answer and would wait until a time-out.
    private boolean isMethodStart(byte first) {
        if (FieldBytes.isToken(first)) {
            state = State.REQUEST_LINE;
            return true;
        }
        if (first == LineScanner.CR || first == LineScanner.LF && limits.isLenient()) {
            return true;
        }
        refuse(
                MalformedMessage.badRequest(
                        first == TLS_HANDSHAKE
                                ? "this port speaks plain HTTP"
                                : "request does not begin with a method"));
        return false;
    }

    /// Where the current line's CRLF must end, counted from the head's first byte.
    private int lineEndMax() {
        return state == State.FIELDS
                ? limits.headMax()
                : Math.min(limits.headMax(), lineFrom + limits.requestLineMax() + CRLF_LENGTH);
    }

    /// `limit` of the head's bytes, which end at `window`, did not hold the line from `line`.
    private MalformedMessage tooLong(byte[] bytes, int line, int window, int limit) {
        if (limit == limits.headMax()) {
            return limitExceeded(431, "head longer than " + limit + " bytes");
        }
        return RequestLine.methodEnd(bytes, line, window) < 0
                ? MalformedMessage.badRequest("request line does not begin with a method")
                : limitExceeded(
                        414, "request line longer than " + limits.requestLineMax() + " bytes");
    }

    private MalformedMessage limitExceeded(int status, String reason) {
        return limits.usesSpecificStatus()
                ? new MalformedMessage(status, reason)
                : MalformedMessage.badRequest(reason);
    }

    /// Takes a complete line without its end.
    private void processLine(byte[] bytes, int from, int to) {
        if (from < to) {
            refuse(state == State.FIELDS ? field(bytes, from, to) : requestLine(bytes, from, to));
        } else if (state == State.FIELDS) {
            complete();
        } else {
            emptyLines++;
            int most = limits.isLenient() ? EMPTY_LINES_LENIENT_MAX : EMPTY_LINES_MAX;
            refuse(
                    emptyLines > most
                            ? MalformedMessage.badRequest(
                                    "more than " + most + " empty lines before the request")
                            : null);
        }
    }

    private @Nullable MalformedMessage requestLine(byte[] bytes, int from, int to) {
        state = State.FIELDS;
        if (limits.isLenient()) {
            if (to - from > limits.requestLineMax()) { // its end may be a byte shorter than CRLF
                return tooLong(bytes, from, to, to - from);
            }
            RequestLine.replaceTabs(bytes, from, to);
            if (RequestLine.parseHttp09(bytes, from, to, head)) {
                head.setHttp09();
                complete();
                return null;
            }
        }
        return RequestLine.parse(bytes, from, to, head);
    }

    private @Nullable MalformedMessage field(byte[] bytes, int from, int to) {
        if (head.headerCount() == limits.headersMax()) {
            return limitExceeded(431, "more than " + limits.headersMax() + " fields");
        }
        MalformedMessage syntax = fieldLine.parse(bytes, from, to);
        if (syntax != null) {
            return syntax;
        }
        KnownHeader known = KnownHeader.of(bytes, from, fieldLine.nameTo());
        head.addHeader(known, from, fieldLine);
        return known == null
                ? null
                : head.framing()
                        .addHeader(known, bytes, fieldLine.valueFrom(), fieldLine.valueTo());
    }

    private void complete() {
        refuse(head.framing().complete());
        if (result == Result.INCOMPLETE) {
            head.complete(scanned);
            result = Result.COMPLETE;
        }
    }

    /// Ends in BAD unless `error` is null.
    private void refuse(@Nullable MalformedMessage error) {
        if (error != null) {
            this.error = error;
            result = Result.MALFORMED;
        }
    }
}
