package dev.tandem.load;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Decodes consecutive responses from bytes in pieces of any size (RFC 9112). Shares nothing with
/// the server's codec. Confined to one thread.
///
/// ```
///            +-> LENGTH --------------------------------+
///  HEAD -----+-> CHUNK_SIZE -> CHUNK_DATA -> CHUNK_END  +--> DONE --begin()--> HEAD
///   ^  |     |       |   ^------------------------+     |
///   +--+     |       +--> TRAILERS ---------------------+
///  interim   +-> UNTIL_CLOSE --end()--------------------+          any --> BAD
/// ```
final class ReplyDecoder {
    /// 64 KiB: four times what our server accepts. A longer head is a fault.
    static final int HEAD_MAX = 65_536;

    /// The maximum length of a chunk's size with its extensions, or of a trailer line.
    private static final int LINE_MAX = 8_192;

    private static final int HEX_DIGITS_MAX = 15;
    private static final byte[] NOTHING = {};

    private enum State {
        HEAD,
        LENGTH,
        CHUNK_SIZE,
        CHUNK_DATA,
        CHUNK_END,
        TRAILERS,
        UNTIL_CLOSE,
        DONE,
        BAD
    }

    private final ReplyHead head = new ReplyHead();
    private State state = State.DONE;

    /// The incomplete head or line received so far; most arrive whole.
    private byte[] held = NOTHING;

    private int heldLength;

    private boolean isForHead;
    private boolean isEnded;
    private Use use = Use.COUNT;
    private int bodyMax;
    private long left;
    private long headBytes;
    private long contentBytes;
    private long footerBytes;
    private String text = "";
    private @Nullable ByteArrayOutputStream body;
    private @Nullable String fault;

    /// Begins the next response.
    ///
    /// @param isForHead whether the request's method is HEAD, so that no content follows
    /// @param use what is kept
    /// @param bodyMax the longest content to keep, in bytes; a longer one is a fault
    void begin(boolean isForHead, Use use, int bodyMax) {
        this.state = State.HEAD;
        this.isForHead = isForHead;
        this.isEnded = false;
        this.use = use;
        this.bodyMax = bodyMax;
        heldLength = 0;
        headBytes = 0;
        contentBytes = 0;
        footerBytes = 0;
        text = "";
        body = null;
        fault = null;
    }

    /// Reads bytes up to the end of the response, or all.
    ///
    /// @return the index of the first byte after this response, or `to`
    int feed(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && state != State.DONE && state != State.BAD) {
            at =
                    switch (state) {
                        case HEAD -> head(bytes, at, to);
                        case LENGTH, CHUNK_DATA, UNTIL_CLOSE -> content(bytes, at, to);
                        case CHUNK_SIZE, CHUNK_END, TRAILERS -> line(bytes, at, to);
                        case DONE, BAD -> to;
                    };
        }
        return at;
    }

    /// The stream has ended.
    ///
    /// @return whether that completes the response
    boolean end() {
        if (state == State.UNTIL_CLOSE) {
            state = State.DONE;
            isEnded = true;
        }
        return state == State.DONE;
    }

    /// The number of content bytes ahead that may be dropped unread.
    long skippable() {
        boolean isContent =
                state == State.LENGTH || state == State.CHUNK_DATA || state == State.UNTIL_CLOSE;
        return isContent && use != Use.BODY ? left : 0;
    }

    /// Records that content was dropped.
    ///
    /// @param count at most [#skippable()]
    void skipped(long count) {
        contentBytes += count;
        if (state != State.UNTIL_CLOSE) {
            left -= count;
            contentTaken();
        }
    }

    boolean isDone() {
        return state == State.DONE;
    }

    /// The fault, or null.
    @Nullable String fault() {
        return fault;
    }

    /// Whether any part of the response has been received.
    boolean hasBegun() {
        return headBytes > 0 || heldLength > 0;
    }

    int status() {
        return head.status();
    }

    /// Whether the connection can carry another response after this one.
    boolean isKept() {
        return head.isKept() && !isEnded;
    }

    long headBytes() {
        return headBytes;
    }

    long contentBytes() {
        return contentBytes;
    }

    long footerBytes() {
        return footerBytes;
    }

    /// The whole head, if it is kept.
    String head() {
        return text;
    }

    /// The header section without the status line, if it is kept.
    String fields() {
        return text.substring(text.indexOf('\n') + 1);
    }

    byte[] body() {
        return body == null ? NOTHING : body.toByteArray();
    }

    // ---- Head.

    private int head(byte[] bytes, int from, int to) {
        if (heldLength == 0) {
            int end = headEnd(bytes, from, from, to);
            if (end > 0) {
                headTaken(bytes, from, end);
                return end;
            }
        }
        int before = heldLength;
        int count = Math.min(to - from, HEAD_MAX + 1 - before);
        hold(bytes, from, from + count);
        int end = headEnd(held, 0, Math.max(0, before - 3), heldLength);
        if (end > 0) {
            heldLength = 0;
            headTaken(held, 0, end);
            return from + end - before;
        }
        if (heldLength > HEAD_MAX) {
            bad("a head of more than " + HEAD_MAX + " bytes");
        }
        return from + count;
    }

    /// Returns the end of a head: the index after the first empty line other than the first line.
    ///
    /// @param from the head's start
    /// @param search the first index where an end is possible
    /// @return -1 if it does not end here
    private static int headEnd(byte[] bytes, int from, int search, int to) {
        for (int i = Math.max(search, from + 1); i < to; i++) {
            if (bytes[i] == '\n') {
                boolean isBare = bytes[i - 1] == '\n';
                boolean isPlain = bytes[i - 1] == '\r' && i - from > 1 && bytes[i - 2] == '\n';
                if (isBare || isPlain) {
                    return i + 1;
                }
            }
        }
        return -1;
    }

    private void hold(byte[] bytes, int from, int to) {
        int length = heldLength + to - from;
        if (held.length < length) {
            held = Arrays.copyOf(held, Math.max(length, Math.min(2 * held.length, HEAD_MAX + 1)));
        }
        System.arraycopy(bytes, from, held, heldLength, to - from);
        heldLength = length;
    }

    private void headTaken(byte[] bytes, int from, int to) {
        headBytes += to - from;
        String wrong = head.parse(bytes, from, to);
        if (wrong == null && head.status() == 101) {
            wrong = "another protocol, without a request for it";
        }
        if (wrong != null) {
            bad(wrong);
        } else if (head.status() >= 200) {
            if (use != Use.COUNT) {
                text = new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
            }
            beginContent();
        }
    }

    private void beginContent() {
        int status = head.status();
        if (isForHead || status == 204 || status == 304 || head.length() == 0) {
            state = State.DONE;
        } else if (head.isChunked()) {
            state = State.CHUNK_SIZE;
        } else {
            boolean isToClose = head.length() == ReplyHead.NO_LENGTH;
            state = isToClose ? State.UNTIL_CLOSE : State.LENGTH;
            left = isToClose ? Long.MAX_VALUE : head.length();
        }
    }

    // ---- Content.

    private int content(byte[] bytes, int from, int to) {
        int count = (int) Math.min(left, to - from);
        if (use == Use.BODY) {
            keep(bytes, from, count);
        }
        if (state != State.BAD) {
            skipped(count);
        }
        return from + count;
    }

    private void keep(byte[] bytes, int from, int count) {
        ByteArrayOutputStream kept = body == null ? new ByteArrayOutputStream(count) : body;
        body = kept;
        if (kept.size() + (long) count > bodyMax) {
            bad("content of more than " + bodyMax + " bytes, the most that is kept");
        } else {
            kept.write(bytes, from, count);
        }
    }

    private void contentTaken() {
        if (left == 0) {
            state = state == State.LENGTH ? State.DONE : State.CHUNK_END;
        }
    }

    private int line(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && bytes[at] != '\n') {
            at++;
        }
        boolean isWhole = at < to;
        int end = isWhole ? at + 1 : at;
        if (heldLength + end - from > LINE_MAX) {
            bad("a line of more than " + LINE_MAX + " bytes");
        } else if (!isWhole) {
            hold(bytes, from, end);
        } else if (heldLength == 0) {
            lineTaken(bytes, from, end);
        } else {
            hold(bytes, from, end);
            int length = heldLength;
            heldLength = 0;
            lineTaken(held, 0, length);
        }
        return end;
    }

    private void lineTaken(byte[] bytes, int from, int lineEnd) {
        int to = lineEnd - 1;
        if (to > from && bytes[to - 1] == '\r') {
            to--;
        }
        switch (state) {
            case CHUNK_SIZE -> chunkSize(bytes, from, to);
            case CHUNK_END -> {
                state = State.CHUNK_SIZE;
                if (to != from) {
                    bad("a chunk that is longer than its size");
                }
            }
            default -> {
                footerBytes += lineEnd - from;
                state = to == from ? State.DONE : State.TRAILERS;
            }
        }
    }

    private void chunkSize(byte[] bytes, int from, int to) {
        long size = 0;
        int at = from;
        while (at < to && Character.digit(bytes[at], 16) >= 0) {
            size = size * 16 + Character.digit(bytes[at], 16);
            at++;
        }
        boolean isEnded = at == to || bytes[at] == ';' || bytes[at] == ' ' || bytes[at] == '\t';
        if (at == from || at - from > HEX_DIGITS_MAX || !isEnded) {
            String line = new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
            bad("not a chunk's size: " + line);
            return;
        }
        left = size;
        state = size == 0 ? State.TRAILERS : State.CHUNK_DATA;
    }

    private void bad(String why) {
        fault = why;
        state = State.BAD;
    }
}
