package dev.tandem.http.h1;

import dev.tandem.http.HeadLimits;
import dev.tandem.http.KnownHeader;
import dev.tandem.http.MalformedMessage;
import org.jspecify.annotations.Nullable;

/// Decodes request heads (RFC 9112, sections 2 to 5).
///
///     START --method's first byte--> REQUEST_LINE --line--> FIELDS --empty line--> COMPLETE
///       ^ |                               |                  ^ |
///       +-+ empty line, 2 at most         |             line +-+
///     any: malformed, or over a limit --> MALFORMED
///
/// A line is parsed once, when it is complete; the scanned part of an incomplete line is not
/// scanned again. The result does not depend on how the input is split.
///
/// With [Http1Limits#isLenient()] a header line is complete when the next line does not begin with
/// a blank, and is unfolded in place.
public final class RequestHeadDecoder {

    /// The result of decoding.
    public enum Result {
        /// The head is incomplete.
        INCOMPLETE,
        /// [RequestHeadDecoder#head()] is complete.
        COMPLETE,
        /// The head is malformed; see [RequestHeadDecoder#error()].
        MALFORMED
    }

    private enum State {
        START,
        REQUEST_LINE,
        FIELDS
    }

    /// The maximum number of ignored empty lines before a request line. RFC 9112, section 2.2
    /// recommends at least one, which old clients sent after a body; the second is for those that
    /// send two.
    private static final int EMPTY_LINES_MAX = 2;

    /// The maximum in lenient mode: old clients send several, and a flood must be limited.
    private static final int EMPTY_LINES_LENIENT_MAX = 100;

    /// The first byte of a TLS record that begins a handshake.
    private static final byte TLS_HANDSHAKE = 0x16;

    private static final int CRLF_LENGTH = 2;

    private final Http1Limits limits;
    private final HeadLimits heads;
    private final Http1RequestHead head;
    private final FieldLine fieldLine = new FieldLine();

    private Result result = Result.INCOMPLETE;
    private State state = State.START;
    private @Nullable MalformedMessage error;
    private int emptyLines;

    /// Whether the current line is a header that continues after a line break.
    private boolean isFolded;

    /// The start of the current line, relative to the first byte of the head.
    private int lineFrom;

    /// The end of the scanned part, relative to the first byte of the head.
    private int scanned;

    public RequestHeadDecoder(Http1Limits limits) {
        this.limits = limits;
        this.heads = limits.heads();
        this.head = new Http1RequestHead(limits.isLenient());
    }

    /// Decodes `bytes` from `from` to `to`, all input since the first byte of the head. A
    /// subsequent call passes the same bytes again, in this array or another, followed by more.
    /// After COMPLETE or MALFORMED nothing changes until [#reset()].
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

    /// Returns the head, complete after COMPLETE. The same object for each request.
    public Http1RequestHead head() {
        return head;
    }

    /// Returns the error in the head.
    ///
    /// @throws IllegalStateException if there is none
    public MalformedMessage error() {
        if (error == null) {
            throw new IllegalStateException("the head has no error");
        }
        return error;
    }

    /// Returns whether a request has begun: a byte other than those of empty lines was received.
    public boolean hasBegun() {
        return state != State.START;
    }

    /// Prepares for the next head.
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

    /// Works like [#findLineEnd], but skips line breaks that are followed by a blank.
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

    /// Unfolds the line, unless that is rejected: its bytes then stay unchanged, because the caller
    /// may pass them to another decoder.
    private boolean unfold(byte[] bytes, int from, int to) {
        isFolded = false;
        KnownHeader known = KnownHeader.of(bytes, from, FieldBytes.tokenEnd(bytes, from, to));
        if (known != null && Framing.isFramingHeader(known)) {
            fail(MalformedMessage.badRequest("folded header that frames or routes the message"));
            return false;
        }
        FieldLine.unfold(bytes, from, to);
        return true;
    }

    /// Finds the end of the current line, sets `scanned` to it, and returns the length of the line
    /// terminator. Returns 0 if it is not yet available, or if the line is rejected for its first
    /// byte, a control character or its length, in this order, which is the order of the bytes.
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
            fail(LineScanner.error(bytes[at]));
        } else if (window - from == limit) {
            fail(tooLong(bytes, from + lineFrom, window, limit));
        }
        return 0;
    }

    /// Checks the first byte of a request line immediately: a client that uses TLS waits for a
    /// response and would otherwise wait until a time-out.
    private boolean isMethodStart(byte first) {
        if (FieldBytes.isToken(first)) {
            state = State.REQUEST_LINE;
            return true;
        }
        if (first == LineScanner.CR || first == LineScanner.LF && limits.isLenient()) {
            return true;
        }
        fail(
                MalformedMessage.badRequest(
                        first == TLS_HANDSHAKE
                                ? "this port speaks plain HTTP"
                                : "request does not begin with a method"));
        return false;
    }

    /// Returns the maximum end of the current line's CRLF, relative to the first byte of the head.
    private int lineEndMax() {
        return state == State.FIELDS
                ? heads.headMax()
                : Math.min(heads.headMax(), lineFrom + heads.requestLineMax() + CRLF_LENGTH);
    }

    /// Returns the error for a line from `line` that does not end within `limit` bytes of the head,
    /// at `window`.
    private MalformedMessage tooLong(byte[] bytes, int line, int window, int limit) {
        if (limit == heads.headMax()) {
            return limitExceeded(431, "head longer than " + limit + " bytes");
        }
        return RequestLine.methodEnd(bytes, line, window) < 0
                ? MalformedMessage.badRequest("request line does not begin with a method")
                : limitExceeded(
                        414, "request line longer than " + heads.requestLineMax() + " bytes");
    }

    private MalformedMessage limitExceeded(int status, String reason) {
        return limits.usesSpecificStatus()
                ? new MalformedMessage(status, reason)
                : MalformedMessage.badRequest(reason);
    }

    /// Processes a complete line without its terminator.
    private void processLine(byte[] bytes, int from, int to) {
        if (from < to) {
            fail(state == State.FIELDS ? field(bytes, from, to) : requestLine(bytes, from, to));
        } else if (state == State.FIELDS) {
            complete();
        } else {
            emptyLines++;
            int most = limits.isLenient() ? EMPTY_LINES_LENIENT_MAX : EMPTY_LINES_MAX;
            fail(
                    emptyLines > most
                            ? MalformedMessage.badRequest(
                                    "more than " + most + " empty lines before the request")
                            : null);
        }
    }

    private @Nullable MalformedMessage requestLine(byte[] bytes, int from, int to) {
        state = State.FIELDS;
        if (limits.isLenient()) {
            if (to - from > heads.requestLineMax()) { // its terminator may be shorter than CRLF
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
        if (head.headerCount() == heads.headersMax()) {
            return limitExceeded(431, "more than " + heads.headersMax() + " headers");
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
        fail(head.framing().complete());
        if (result == Result.INCOMPLETE) {
            head.complete(scanned);
            result = Result.COMPLETE;
        }
    }

    /// Sets the result to MALFORMED unless `error` is null.
    private void fail(@Nullable MalformedMessage error) {
        if (error != null) {
            this.error = error;
            result = Result.MALFORMED;
        }
    }
}
