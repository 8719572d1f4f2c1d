package dev.tandem.http.h2;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Decodes the frames of a connection (RFC 9113, sections 3.4, 4 and 6) and their header blocks.
///
///     server: PREFACE --24 bytes--+
///     client: --------------------+-> HEADER <-------------------------+
///                                     | |  |                           |
///              DATA, after its padding  |  +--unknown, ignored--> SKIP-+
///              length --> DATA --> SKIP-+--others--> PAYLOAD --whole---+
///     any: connection error --> FAILED
///
/// The first frame must be SETTINGS. Content is passed on as it comes, without a copy. Other frames
/// are decoded when they are complete, in the input itself if it has all of their payload; only the
/// payload of an incomplete one, and the fragments of a header block in several frames, are kept.
/// So between frames a decoder has no buffer. The events do not depend on how the input is split,
/// except that DATA has more events for more pieces.
///
/// Confined to its connection's owner.
public final class FrameDecoder {
    private enum State {
        PREFACE,
        HEADER,
        DATA_PADDING_LENGTH,
        DATA,
        PAYLOAD,
        SKIP,
        FAILED
    }

    private static final byte[] NOTHING = {};
    private static final int PRIORITY_LENGTH = 5;
    private static final int HELD_MIN = 256;
    private static final String PADDING = "padding longer than its frame";

    private final Role role;
    private final Settings own;
    private final Http2Limits limits;
    private final HpackDecoder hpack;

    private State state;
    private boolean isFirstFrame = true;
    private boolean hasPeerSettings;
    private boolean isAcknowledged;
    private Settings peer = Settings.INITIAL;

    /// How many bytes of the preface, or of the frame's header, were read.
    private int read;

    /// The first five bytes of the frame's header, as far as they were read: length, type, flags.
    private long lengthTypeFlags;

    /// The current frame; its type is null if it is unknown.
    private @Nullable FrameType type;

    private int flags;
    private int streamId;

    /// How many bytes of the payload were not read yet; in state DATA those of the padding are not
    /// counted.
    private int remaining;

    /// In state DATA, the length of the padding, and what was read and not reported.
    private int padding;

    private int unreported;

    /// The stream of the incomplete header block, or 0.
    private int blockStream;

    private boolean isBlockEndStream;
    private int continuations;

    /// Why the stream of the header block has an error, or null.
    private @Nullable String blockError;

    /// The fragments of an incomplete header block, then the start of the current payload.
    private byte[] held = NOTHING;

    private int blockLength;
    private int heldLength;

    /// @param own the settings that are sent to the peer. Its maximum frame and header list sizes
    ///     apply at once, its header table size from the acknowledgement on
    public FrameDecoder(Role role, Settings own, Http2Limits limits) {
        this.role = role;
        this.own = own;
        this.limits = limits;
        this.hpack = new HpackDecoder(Settings.INITIAL.headerTableSize());
        this.state = role == Role.SERVER ? State.PREFACE : State.HEADER;
    }

    /// Decodes at most one frame, or one piece of a DATA frame, and reports its events. The caller
    /// repeats the call until the result is false; in between it may stop, for example because its
    /// output is not accepted.
    ///
    /// @param in big endian; what was decoded is consumed. If the result is false, all of it was,
    ///     unless the connection has failed
    /// @param headers filled for header blocks; shared by all connections of a thread
    /// @return whether to call again: false if more input is needed, and after a connection error
    public boolean decode(ByteBuffer in, HeaderList headers, FrameListener listener) {
        assert in.order() == ByteOrder.BIG_ENDIAN : "input is not big endian";
        if (state == State.PREFACE && !readPreface(in, listener)
                || state == State.HEADER && !readHeader(in, listener)) {
            return false;
        }
        return switch (state) {
            case DATA_PADDING_LENGTH -> readPaddingLength(in, listener);
            case DATA -> readData(in, listener);
            case PAYLOAD -> readPayload(in, headers, listener);
            case SKIP -> skip(in);
            case PREFACE, HEADER, FAILED -> false;
        };
    }

    /// Returns the peer's settings: the initial ones, then those of its last SETTINGS frame.
    public Settings peerSettings() {
        return peer;
    }

    /// Returns whether the input has ended between frames, and not within a header block. While it
    /// has not, the peer owes bytes, for which there should be a deadline.
    public boolean isBetweenFrames() {
        return state == State.HEADER && read == 0 && blockStream == 0;
    }

    /// Returns the memory that an incomplete frame or header block uses, in bytes.
    public int memory() {
        return held.length;
    }

    /// Returns whether the peer has acknowledged the own settings (RFC 9113, section 6.5.3).
    public boolean areSettingsAcknowledged() {
        return isAcknowledged;
    }

    /// Returns whether a header block has begun and is incomplete.
    public boolean isInHeaders() {
        return blockStream != 0 || type == FrameType.HEADERS && state == State.PAYLOAD;
    }

    /// Returns whether a connection error was reported.
    public boolean hasFailed() {
        return state == State.FAILED;
    }

    // ---- Reading.

    private boolean readPreface(ByteBuffer in, FrameListener listener) {
        while (read < Preface.LENGTH && in.hasRemaining()) {
            if (in.get() != Preface.at(read)) {
                return fail(listener, ErrorCode.PROTOCOL_ERROR, "not the preface of HTTP/2");
            }
            read++;
        }
        if (read < Preface.LENGTH) {
            return false;
        }
        startFrame();
        return true;
    }

    /// Reads the header of a frame: length, type, flags and stream identifier.
    private boolean readHeader(ByteBuffer in, FrameListener listener) {
        if (read == 0 && in.remaining() >= FrameType.HEADER_LENGTH) {
            lengthTypeFlags = (in.getInt() & 0xFFFF_FFFFL) << 8 | in.get() & 0xFF;
            streamId = in.getInt();
        } else if (!readPartialHeader(in)) {
            return false;
        }
        read = 0;
        flags = (int) lengthTypeFlags & 0xFF;
        streamId &= Integer.MAX_VALUE; // the highest bit is reserved
        remaining = (int) (lengthTypeFlags >>> 16);
        int code = (int) (lengthTypeFlags >>> 8) & 0xFF;
        type = FrameType.of(code);
        return startPayload(code, listener);
    }

    private boolean readPartialHeader(ByteBuffer in) {
        while (read < FrameType.HEADER_LENGTH && in.hasRemaining()) {
            int next = in.get() & 0xFF;
            if (read < 5) {
                lengthTypeFlags = lengthTypeFlags << 8 | next;
            } else {
                streamId = streamId << 8 | next;
            }
            read++;
        }
        lengthTypeFlags &= 0xFF_FFFF_FFFFL;
        return read == FrameType.HEADER_LENGTH;
    }

    private boolean startPayload(int code, FrameListener listener) {
        FrameType known = type;
        if (isFirstFrame && (known != FrameType.SETTINGS || has(FrameType.ACK))) {
            return fail(listener, ErrorCode.PROTOCOL_ERROR, "first frame is not SETTINGS");
        }
        isFirstFrame = false;
        boolean isContinuation = known == FrameType.CONTINUATION;
        if (isContinuation != (blockStream != 0) || isContinuation && blockStream != streamId) {
            return fail(
                    listener,
                    ErrorCode.PROTOCOL_ERROR,
                    blockStream == 0
                            ? "CONTINUATION without HEADERS"
                            : "header block is interrupted");
        }
        if (remaining > own.maxFrameSize()) {
            return fail(
                    listener,
                    ErrorCode.FRAME_SIZE_ERROR,
                    "frame longer than " + own.maxFrameSize() + " bytes");
        }
        if (known == null) {
            listener.unknownFrame(code, remaining);
            state = State.SKIP;
            return true;
        }
        return startKnown(known, listener);
    }

    private boolean startKnown(FrameType known, FrameListener listener) {
        if (!known.isAllowedOn(streamId)) {
            return fail(listener, ErrorCode.PROTOCOL_ERROR, known + " on stream " + streamId);
        }
        if (!known.allowsLength(remaining)) {
            String reason = known + " of " + remaining + " bytes";
            if (known != FrameType.PRIORITY) {
                return fail(listener, ErrorCode.FRAME_SIZE_ERROR, reason);
            }
            listener.streamError(streamId, ErrorCode.FRAME_SIZE_ERROR, reason);
            state = State.SKIP;
            return true;
        }
        switch (known) {
            case DATA -> startData();
            case PUSH_PROMISE -> {
                // Clients must not push, and the own settings do not allow a server to do so.
                return fail(listener, ErrorCode.PROTOCOL_ERROR, "PUSH_PROMISE");
            }
            default -> state = State.PAYLOAD;
        }
        return true;
    }

    private void startData() {
        padding = 0;
        unreported = 0;
        state = has(FrameType.PADDED) ? State.DATA_PADDING_LENGTH : State.DATA;
    }

    private boolean readPaddingLength(ByteBuffer in, FrameListener listener) {
        if (remaining == 0) {
            return fail(listener, ErrorCode.FRAME_SIZE_ERROR, "DATA without its padding length");
        }
        if (!in.hasRemaining()) {
            return false;
        }
        padding = in.get() & 0xFF;
        remaining -= 1 + padding;
        if (remaining < 0) {
            return fail(listener, ErrorCode.PROTOCOL_ERROR, PADDING);
        }
        unreported = 1;
        state = State.DATA;
        return readData(in, listener);
    }

    private boolean readData(ByteBuffer in, FrameListener listener) {
        int size = Math.min(remaining, in.remaining());
        if (size < remaining && size == 0) {
            return false;
        }
        remaining -= size;
        boolean isLast = remaining == 0;
        int flowControlled = size + unreported + (isLast ? padding : 0);
        unreported = 0;
        int end = in.position() + size;
        int limit = in.limit();
        boolean isEndStream = isLast && has(FrameType.END_STREAM);
        if (isLast) {
            endData();
        }
        in.limit(end);
        try {
            listener.data(streamId, in, flowControlled, isEndStream);
        } finally {
            in.limit(limit).position(end);
        }
        return true;
    }

    private void endData() {
        remaining = padding;
        if (padding > 0) {
            state = State.SKIP;
        } else {
            startFrame();
        }
    }

    private boolean skip(ByteBuffer in) {
        int size = Math.min(remaining, in.remaining());
        in.position(in.position() + size);
        remaining -= size;
        if (remaining > 0) {
            return false;
        }
        startFrame();
        return true;
    }

    /// Processes the payload in the input, or keeps what there is of it.
    private boolean readPayload(ByteBuffer in, HeaderList headers, FrameListener listener) {
        if (heldLength == blockLength && in.remaining() >= remaining) {
            int length = remaining;
            startFrame();
            if (in.hasArray()) {
                int from = in.arrayOffset() + in.position();
                in.position(in.position() + length);
                return process(in.array(), from, from + length, headers, listener);
            }
            byte[] copy = headers.input(length);
            in.get(copy, 0, length);
            return process(copy, 0, length, headers, listener);
        }
        int size = Math.min(remaining, in.remaining());
        hold(heldLength + size);
        in.get(held, heldLength, size);
        heldLength += size;
        remaining -= size;
        if (remaining > 0) {
            return false;
        }
        startFrame();
        int from = blockLength;
        int to = heldLength;
        heldLength = blockLength;
        boolean isDone = process(held, from, to, headers, listener);
        if (blockStream == 0) {
            held = NOTHING;
        }
        return isDone;
    }

    private void hold(int length) {
        if (held.length < length) {
            held = Arrays.copyOf(held, Math.max(length, Math.max(HELD_MIN, 2 * held.length)));
        }
    }

    private void startFrame() {
        state = State.HEADER;
        read = 0;
        lengthTypeFlags = 0;
    }

    // ---- Complete payloads.

    private boolean process(
            byte[] bytes, int from, int to, HeaderList headers, FrameListener listener) {
        // Not by `case null`: such a switch is linked at the first request.
        if (type == null) {
            throw new IllegalStateException("unknown frames have no payload");
        }
        switch (type) {
            case HEADERS -> {
                return headers(bytes, from, to, headers, listener);
            }
            case CONTINUATION -> {
                return continuation(bytes, from, to, headers, listener);
            }
            case SETTINGS -> {
                return settings(bytes, from, to, listener);
            }
            case PRIORITY -> priority(int32(bytes, from), listener);
            case RST_STREAM -> listener.resetStream(streamId, int32(bytes, from));
            case PING -> {
                long high = int32(bytes, from);
                long data = high << 32 | int32(bytes, from + 4) & 0xFFFF_FFFFL;
                listener.ping(data, has(FrameType.ACK));
            }
            case GOAWAY ->
                    listener.goAway(int32(bytes, from) & Integer.MAX_VALUE, int32(bytes, from + 4));
            case WINDOW_UPDATE -> {
                return windowUpdate(int32(bytes, from) & Integer.MAX_VALUE, listener);
            }
            case PRIORITY_UPDATE -> {
                return priorityUpdate(bytes, from, to, listener);
            }
            case DATA, PUSH_PROMISE -> throw new IllegalStateException(type + " has no payload");
        }
        return true;
    }

    /// RFC 9113, section 6.2: padding length, priority, fragment, padding.
    private boolean headers(
            byte[] bytes, int from, int to, HeaderList headers, FrameListener listener) {
        int at = from;
        int end = to;
        int fixed =
                (has(FrameType.PADDED) ? 1 : 0)
                        + (has(FrameType.HAS_PRIORITY) ? PRIORITY_LENGTH : 0);
        if (to - from < fixed) {
            return fail(
                    listener, ErrorCode.FRAME_SIZE_ERROR, "HEADERS of " + (to - from) + " bytes");
        }
        if (has(FrameType.PADDED)) {
            end -= bytes[at++] & 0xFF;
        }
        blockError = null;
        if (has(FrameType.HAS_PRIORITY)) {
            blockError = dependencyError(int32(bytes, at));
            at += PRIORITY_LENGTH;
        }
        if (end < at) {
            return fail(listener, ErrorCode.PROTOCOL_ERROR, PADDING);
        }
        blockStream = streamId;
        isBlockEndStream = has(FrameType.END_STREAM);
        continuations = 0;
        if (has(FrameType.END_HEADERS)) {
            return endBlock(bytes, at, end, headers, listener);
        }
        return addFragment(bytes, at, end, listener);
    }

    private boolean continuation(
            byte[] bytes, int from, int to, HeaderList headers, FrameListener listener) {
        listener.continuation(streamId, to - from);
        continuations++;
        if (continuations > limits.continuationsMax()) {
            return fail(
                    listener,
                    ErrorCode.ENHANCE_YOUR_CALM,
                    "more than " + limits.continuationsMax() + " CONTINUATION frames");
        }
        return addFragment(bytes, from, to, listener)
                && (!has(FrameType.END_HEADERS)
                        || endBlock(held, 0, blockLength, headers, listener));
    }

    private boolean addFragment(byte[] bytes, int from, int to, FrameListener listener) {
        int length = blockLength + to - from;
        if (length > limits.headerBlockMax()) {
            return fail(
                    listener,
                    ErrorCode.ENHANCE_YOUR_CALM,
                    "header block longer than " + limits.headerBlockMax() + " bytes");
        }
        hold(length);
        System.arraycopy(bytes, from, held, blockLength, to - from);
        blockLength = length;
        heldLength = length;
        return true;
    }

    private boolean endBlock(
            byte[] bytes, int from, int to, HeaderList headers, FrameListener listener) {
        headers.begin(own.maxHeaderListSize(), limits.headersMax());
        try {
            String error = hpack.decode(bytes, from, to, headers);
            int stream = blockStream;
            blockStream = 0;
            blockLength = 0;
            heldLength = 0;
            held = NOTHING;
            if (error != null) {
                return fail(listener, ErrorCode.COMPRESSION_ERROR, error);
            }
            if (blockError != null) {
                listener.streamError(stream, ErrorCode.PROTOCOL_ERROR, blockError);
            } else {
                listener.headers(stream, headers, isBlockEndStream);
            }
            return true;
        } finally {
            headers.clear();
        }
    }

    /// RFC 7540, section 5.3.1. RFC 9113 has dropped dependencies, but not this error.
    private @Nullable String dependencyError(int dependency) {
        return (dependency & Integer.MAX_VALUE) == streamId ? "stream depends on itself" : null;
    }

    private void priority(int dependency, FrameListener listener) {
        String error = dependencyError(dependency);
        if (error == null) {
            listener.priority(streamId);
        } else {
            listener.streamError(streamId, ErrorCode.PROTOCOL_ERROR, error);
        }
    }

    private boolean settings(byte[] bytes, int from, int to, FrameListener listener) {
        int length = to - from;
        boolean isAck = has(FrameType.ACK);
        if (isAck ? length > 0 : length % SettingsReader.PARAMETER_LENGTH != 0) {
            return fail(listener, ErrorCode.FRAME_SIZE_ERROR, "SETTINGS of " + length + " bytes");
        }
        if (isAck) {
            if (!isAcknowledged) {
                isAcknowledged = true;
                hpack.tableSizeMax(own.headerTableSize());
            }
            listener.settingsAcknowledged();
            return true;
        }
        var reader = new SettingsReader(peer, !hasPeerSettings);
        hasPeerSettings = true;
        String error = reader.read(bytes, from, length, role);
        if (error != null) {
            return fail(listener, reader.code(), error);
        }
        SettingsChange change = reader.change(length);
        peer = change.after();
        listener.settings(change);
        return true;
    }

    private boolean windowUpdate(int increment, FrameListener listener) {
        String zero = "WINDOW_UPDATE of 0 bytes";
        if (increment > 0) {
            listener.windowUpdate(streamId, increment);
        } else if (streamId == 0) {
            return fail(listener, ErrorCode.PROTOCOL_ERROR, zero);
        } else {
            listener.streamError(streamId, ErrorCode.PROTOCOL_ERROR, zero);
        }
        return true;
    }

    /// RFC 9218, section 7.1. A stream that only a server could open is never pushed.
    private boolean priorityUpdate(byte[] bytes, int from, int to, FrameListener listener) {
        int prioritized = int32(bytes, from) & Integer.MAX_VALUE;
        if (role == Role.CLIENT || (prioritized & 1) == 0) {
            return fail(
                    listener,
                    ErrorCode.PROTOCOL_ERROR,
                    "PRIORITY_UPDATE for stream " + prioritized);
        }
        listener.priorityUpdate(prioritized, Priority.parse(bytes, from + 4, to));
        return true;
    }

    private boolean has(int flag) {
        return (flags & flag) != 0;
    }

    private static int int32(byte[] bytes, int at) {
        return bytes[at] << 24
                | (bytes[at + 1] & 0xFF) << 16
                | (bytes[at + 2] & 0xFF) << 8
                | bytes[at + 3] & 0xFF;
    }

    private boolean fail(FrameListener listener, ErrorCode code, String reason) {
        state = State.FAILED;
        held = NOTHING;
        listener.connectionError(code, reason);
        return false;
    }
}
