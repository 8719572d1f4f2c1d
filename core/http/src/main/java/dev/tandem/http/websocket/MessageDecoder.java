package dev.tandem.http.websocket;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Decodes the frames of a session, and the messages that they make up (RFC 6455, section 5).
///
///     HEADER --complete--> PAYLOAD --whole--> HEADER
///     PAYLOAD --a compressed message is whole--> DEFLATED --decompressed--> HEADER
///     PAYLOAD --a piece of a compressed stream--> INFLATING --decompressed--> PAYLOAD or HEADER
///       any --close frame or error--> OVER
///
/// Content is passed on as it comes, unmasked in the input itself; only a control frame's payload
/// and an incomplete header are kept, and a compressed message until it is complete ([Inflation]).
/// Of a compressed message that is read as a stream ([MessageListener#isStream]) only a piece is
/// kept until it is decompressed, with the inflater of the thread: so it is decoded by one thread,
/// which decodes no other meanwhile.
/// Between messages a decoder has no buffer. The events do not depend on how the input is split,
/// except that there are more pieces of content.
///
/// Confined to its session's owner.
public final class MessageDecoder {
    private enum State {
        HEADER,
        PAYLOAD,
        DEFLATED,
        INFLATING,
        OVER
    }

    /// Two bytes, a length of eight and a mask of four.
    private static final int HEADER_MAX = 14;

    private static final int CONTROL_MAX = 125;
    private static final byte[] NOTHING = {};
    private static final int COMPRESSED = 0x40;

    /// In a stream, a further frame is allowed for so many bytes: 1 KiB.
    private static final int STREAM_FRAME = 1024;

    private final boolean isServer;
    private final MessageLimits limits;
    private final @Nullable Inflation inflation;
    private final Utf8Validator utf8 = new Utf8Validator();

    private State state = State.HEADER;
    private byte[] header = NOTHING;
    private int headerLength;

    // ---- The current frame.

    private Opcode opcode = Opcode.CONTINUATION;
    private boolean isLast;
    private int mask;
    private long remaining;

    /// How many bytes of the payload were unmasked, modulo 4.
    private int maskAt;

    /// The payload of a control frame.
    private byte[] control = NOTHING;

    private int controlLength;

    // ---- The current message.

    private boolean isInMessage;
    private boolean isText;
    private boolean isCompressed;
    private boolean isStream;

    /// Whether the rest of the message is not wanted.
    private boolean isDiscarded;

    /// Whether the end of the compressed stream is being decompressed.
    private boolean isTail;

    private long messageLength;
    private int fragments;

    /// Whether no message is wanted any more.
    private boolean areAllDiscarded;

    /// @param isServer whether the peer is a client, whose frames must be masked; a server's must
    ///     not be
    /// @param inflation of compressed messages; null if compression was not negotiated
    public MessageDecoder(boolean isServer, MessageLimits limits, @Nullable Inflation inflation) {
        this.isServer = isServer;
        this.limits = limits;
        this.inflation = inflation;
    }

    /// Decodes at most one frame, or one piece of a frame, and reports its events. The caller
    /// repeats the call until the result is false.
    ///
    /// A compressed message is decompressed by a call of its own, after [#isMessageDeflated], since
    /// that may take long: then the caller can choose the thread.
    ///
    /// @param in big endian; what was decoded is consumed, and unmasked in place. If the result is
    ///     false, all of it was, unless the session is over
    /// @return whether to call again: false if more input is needed, and when the session is over
    public boolean decode(ByteBuffer in, MessageListener listener) {
        assert in.order() == ByteOrder.BIG_ENDIAN : "input is not big endian";
        if (state == State.DEFLATED) {
            endDeflated(listener);
            return state != State.OVER && in.hasRemaining();
        }
        if (state == State.INFLATING) {
            inflatePiece(listener);
            return state == State.INFLATING || state != State.OVER && in.hasRemaining();
        }
        if (state == State.HEADER) {
            if (!readHeader(in, listener)) {
                return false;
            }
            if (isBeforeStreamContent()) {
                return in.hasRemaining();
            }
        }
        if (state == State.PAYLOAD) {
            readPayload(in, listener);
        }
        return state == State.DEFLATED
                || state == State.INFLATING
                || state != State.OVER && in.hasRemaining();
    }

    /// Returns whether content of a stream follows: the caller can choose the thread that decodes
    /// it, which then decodes the rest of the message, too.
    public boolean isBeforeStreamContent() {
        return isStream
                && !isDiscarded
                && state == State.PAYLOAD
                && !opcode.isControl()
                && remaining > 0;
    }

    /// Returns whether the next call decompresses content that was received, and needs no input.
    public boolean isInflating() {
        return state == State.INFLATING;
    }

    /// Skips the rest of a message that is read as a stream: its content is neither decompressed
    /// nor checked, and its end is not reported. Does nothing if there is none.
    public void discardStream() {
        if (isInMessage && isStream) {
            discard();
        }
    }

    /// Skips the rest of the message, if one has begun, and all that follow: their content is
    /// neither decompressed nor checked, and their ends are not reported. Their frames are checked,
    /// and control frames are reported.
    public void discardMessages() {
        areAllDiscarded = true;
        if (isInMessage) {
            discard();
        }
    }

    private void discard() {
        isDiscarded = true;
        if (inflation != null) {
            inflation.drop();
        }
        if (state == State.DEFLATED) {
            state = State.HEADER;
            isInMessage = false;
        } else if (state == State.INFLATING) {
            state = isTail ? State.HEADER : State.PAYLOAD;
            isInMessage = !isTail;
            isTail = false;
        }
    }

    /// Returns whether a compressed message is whole: the next call decompresses it, and decodes
    /// nothing else.
    public boolean isMessageDeflated() {
        return state == State.DEFLATED;
    }

    /// Returns the number of bytes that are kept of a compressed message.
    public int heldBytes() {
        return inflation == null ? 0 : inflation.heldBytes();
    }

    /// Returns whether the input has ended between messages: the peer owes nothing.
    public boolean isBetweenMessages() {
        return state == State.HEADER && headerLength == 0 && !isInMessage;
    }

    /// Returns whether a close frame or an error has ended the session's input.
    public boolean isOver() {
        return state == State.OVER;
    }

    // ---- Frames.

    /// @return whether the header is complete and valid
    private boolean readHeader(ByteBuffer in, MessageListener listener) {
        ByteBuffer from = in;
        if (headerLength > 0) {
            while (headerLength < headerSize(header, headerLength) && in.hasRemaining()) {
                header[headerLength++] = in.get();
            }
            if (headerLength < headerSize(header, headerLength)) {
                return false;
            }
            from = ByteBuffer.wrap(header, 0, headerLength);
        } else {
            int available = in.remaining();
            boolean isWhole =
                    available >= 2 && available >= headerSize(in.get(in.position() + 1) & 0xFF);
            if (!isWhole) {
                header = header == NOTHING ? new byte[HEADER_MAX] : header;
                headerLength = available;
                in.get(header, 0, available);
                return false;
            }
        }
        boolean isValid = parseHeader(from, listener);
        headerLength = 0;
        header = NOTHING;
        return isValid;
    }

    private static int headerSize(byte[] header, int length) {
        return length < 2 ? 2 : headerSize(header[1] & 0xFF);
    }

    /// @param second byte of the header
    private static int headerSize(int second) {
        int length = second & 0x7F;
        return 2 + (length == 126 ? 2 : length == 127 ? 8 : 0) + (second >= 0x80 ? 4 : 0);
    }

    private boolean parseHeader(ByteBuffer in, MessageListener listener) {
        int first = in.get() & 0xFF;
        int second = in.get() & 0xFF;
        isLast = first >= 0x80;
        int length = second & 0x7F;
        remaining = length < 126 ? length : length == 126 ? in.getShort() & 0xFFFF : in.getLong();
        boolean isMasked = second >= 0x80;
        mask = isMasked ? in.getInt() : 0;
        maskAt = 0;
        Opcode kind = Opcode.of(first & 0x0F);
        if (kind == null) {
            return fail(listener, CloseReason.PROTOCOL_ERROR, "unknown opcode");
        }
        if (isMasked != isServer) {
            return fail(
                    listener,
                    CloseReason.PROTOCOL_ERROR,
                    isServer ? "frame without a mask" : "frame with a mask");
        }
        boolean isMinimal = length < 126 || remaining > (length == 126 ? 125 : 0xFFFF);
        if (remaining < 0 || !isMinimal) {
            return fail(listener, CloseReason.PROTOCOL_ERROR, "length is not in its shortest form");
        }
        opcode = kind;
        state = State.PAYLOAD;
        int reserved = first & 0x70;
        return kind.isControl() ? beginControl(reserved, listener) : beginData(reserved, listener);
    }

    private boolean beginControl(int reserved, MessageListener listener) {
        if (!isLast || remaining > CONTROL_MAX || reserved != 0) {
            return fail(
                    listener, CloseReason.PROTOCOL_ERROR, "control frame too long or fragmented");
        }
        control = remaining == 0 ? NOTHING : new byte[(int) remaining];
        controlLength = 0;
        return true;
    }

    private boolean beginData(int reserved, MessageListener listener) {
        boolean isContinuation = opcode == Opcode.CONTINUATION;
        if (isContinuation != isInMessage) {
            return fail(
                    listener,
                    CloseReason.PROTOCOL_ERROR,
                    isInMessage ? "message within another" : "continuation of no message");
        }
        boolean mayCompress = inflation != null && !isContinuation;
        if (reserved != 0 && !(reserved == COMPRESSED && mayCompress)) {
            return fail(listener, CloseReason.PROTOCOL_ERROR, "reserved bit");
        }
        if (!isContinuation) {
            isInMessage = true;
            isText = opcode == Opcode.TEXT;
            isCompressed = reserved != 0;
            isStream = listener.isStream(isText);
            isDiscarded = areAllDiscarded;
            messageLength = 0;
            fragments = 0;
            utf8.reset();
        }
        messageLength += remaining;
        fragments++;
        if (messageLength > lengthMax() || messageLength < 0) {
            return fail(listener, CloseReason.TOO_LARGE, "message too large");
        }
        if (!isStream && remaining > limits.frameMax()) {
            return fail(listener, CloseReason.TOO_LARGE, "frame too large");
        }
        if (fragments > limits.fragmentsMax() + (isStream ? messageLength / STREAM_FRAME : 0)) {
            return fail(listener, CloseReason.POLICY, "too many fragments");
        }
        if (!isContinuation) {
            listener.begin(isText);
        }
        return true;
    }

    private long lengthMax() {
        return isStream ? limits.streamMax() : limits.messageMax();
    }

    private void readPayload(ByteBuffer in, MessageListener listener) {
        int count = (int) Math.min(remaining, in.remaining());
        if (count > 0) {
            int end = in.position() + count;
            unmask(in, end);
            ByteBuffer piece = in.duplicate().limit(end);
            in.position(end);
            remaining -= count;
            if (opcode.isControl()) {
                piece.get(control, controlLength, count);
                controlLength += count;
            } else {
                data(piece, listener);
            }
        }
        if (remaining == 0 && state == State.PAYLOAD) {
            endFrame(listener);
        }
    }

    private void endFrame(MessageListener listener) {
        state = State.HEADER;
        if (opcode.isControl()) {
            endControl(listener);
        } else if (isLast) {
            endMessage(listener);
        }
    }

    /// Unmasks the bytes from the position to an end, eight at a time.
    private void unmask(ByteBuffer in, int end) {
        if (mask == 0) {
            return;
        }
        int rotated = Integer.rotateLeft(mask, 8 * maskAt);
        long wide = (rotated & 0xFFFF_FFFFL) << 32 | rotated & 0xFFFF_FFFFL;
        int at = in.position();
        for (; at <= end - 8; at += 8) {
            in.putLong(at, in.getLong(at) ^ wide);
        }
        for (int i = 0; at < end; at++, i++) {
            in.put(at, (byte) (in.get(at) ^ wide >>> 56 - 8 * i));
        }
        maskAt = (maskAt + end - in.position()) & 3;
    }

    // ---- Messages.

    private void data(ByteBuffer piece, MessageListener listener) {
        if (isDiscarded) {
            return;
        }
        if (isCompressed && inflation != null) {
            addCompressed(inflation, piece);
        } else {
            content(piece, listener);
        }
    }

    private void addCompressed(Inflation compressed, ByteBuffer piece) {
        if (isStream) {
            compressed.addPiece(piece);
            state = State.INFLATING;
        } else {
            compressed.add(piece);
        }
    }

    private void content(ByteBuffer piece, MessageListener listener) {
        if (isText && !utf8.accept(piece)) {
            fail(listener, CloseReason.INVALID_CONTENT, "text is not UTF-8");
        } else {
            listener.content(piece);
        }
    }

    private void endMessage(MessageListener listener) {
        if (isDiscarded) {
            isInMessage = false;
        } else if (isCompressed && isStream && inflation != null) {
            inflation.addEnd();
            isTail = true;
            state = State.INFLATING;
        } else if (isCompressed) {
            state = State.DEFLATED;
        } else {
            endContent(listener);
        }
    }

    private void endDeflated(MessageListener listener) {
        state = State.HEADER;
        if (inflation != null && inflate(inflation, listener)) {
            endContent(listener);
        }
    }

    private void endContent(MessageListener listener) {
        isInMessage = false;
        if (isText && !utf8.isComplete()) {
            fail(listener, CloseReason.INVALID_CONTENT, "text ends within a character");
        } else {
            listener.end();
        }
    }

    private boolean inflate(Inflation compressed, MessageListener listener) {
        Inflation.Result result =
                compressed.inflate(
                        limits.messageMax(),
                        piece -> {
                            content(piece, listener);
                            return state != State.OVER;
                        });
        return checkInflated(result, listener);
    }

    /// Passes on a piece of a compressed stream.
    private void inflatePiece(MessageListener listener) {
        Inflation compressed = Objects.requireNonNull(inflation);
        Inflation.Result result =
                compressed.inflatePiece(
                        limits.streamMax(),
                        piece -> {
                            content(piece, listener);
                            return false;
                        });
        if (result == Inflation.Result.STOPPED || !checkInflated(result, listener)) {
            return;
        }
        if (isTail) {
            isTail = false;
            state = State.HEADER;
            compressed.drop();
            endContent(listener);
        } else {
            state = State.PAYLOAD;
            if (remaining == 0) {
                endFrame(listener);
            }
        }
    }

    private boolean checkInflated(Inflation.Result result, MessageListener listener) {
        return switch (result) {
            case DONE -> true;
            case STOPPED -> false;
            case TOO_LARGE -> fail(listener, CloseReason.TOO_LARGE, "message too large");
            case MALFORMED -> fail(listener, CloseReason.INVALID_CONTENT, "not deflated");
        };
    }

    private void endControl(MessageListener listener) {
        byte[] payload = control;
        control = NOTHING;
        switch (opcode) {
            case PING -> listener.ping(payload);
            case PONG -> listener.pong(payload);
            default -> close(payload, listener);
        }
    }

    private void close(byte[] payload, MessageListener listener) {
        if (payload.length == 0) {
            over();
            listener.closed(CloseReason.of(CloseReason.NONE));
            return;
        }
        int code = payload.length == 1 ? 0 : (payload[0] & 0xFF) << 8 | payload[1] & 0xFF;
        if (!CloseReason.isAllowed(code)) {
            fail(listener, CloseReason.PROTOCOL_ERROR, "invalid close code");
            return;
        }
        byte[] text = Arrays.copyOfRange(payload, 2, payload.length);
        var validator = new Utf8Validator();
        if (!validator.accept(ByteBuffer.wrap(text)) || !validator.isComplete()) {
            fail(listener, CloseReason.INVALID_CONTENT, "close reason is not UTF-8");
            return;
        }
        over();
        listener.closed(new CloseReason(code, new String(text, StandardCharsets.UTF_8)));
    }

    private void over() {
        state = State.OVER;
        if (inflation != null) {
            inflation.drop();
        }
    }

    private boolean fail(MessageListener listener, int code, String text) {
        over();
        listener.failed(new CloseReason(code, text));
        return false;
    }
}
