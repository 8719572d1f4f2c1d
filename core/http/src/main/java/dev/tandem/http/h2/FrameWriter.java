package dev.tandem.http.h2;

import java.nio.ByteBuffer;

/// Writes frames (RFC 9113, sections 4.1 and 6). The header of a DATA frame is written without its
/// payload, which can follow from another buffer in one gathering write.
///
/// Each method requires as much room as its Javadoc says, at most [#CONTROL_MAX] for all frames but
/// HEADERS, and otherwise throws [java.nio.BufferOverflowException]. Buffers are big endian.
public final class FrameWriter {
    /// The length of a frame's header, and so what a DATA frame adds to its payload, in bytes.
    public static final int HEADER_LENGTH = FrameType.HEADER_LENGTH;

    /// The room that suffices for each frame but HEADERS, in bytes: SETTINGS with all parameters is
    /// the longest.
    public static final int CONTROL_MAX = HEADER_LENGTH + 8 * SettingsReader.PARAMETER_LENGTH;

    private FrameWriter() {}

    /// Writes the header of a DATA frame, 9 bytes. The payload must follow, without padding.
    ///
    /// @param length of the payload in bytes: at most the peer's maximum frame size, and at most
    ///     what the windows of the stream and the connection allow
    public static void data(ByteBuffer out, int streamId, int length, boolean isEndStream) {
        header(out, length, FrameType.DATA, isEndStream ? FrameType.END_STREAM : 0, streamId);
    }

    /// Writes a header block: HEADERS, and as many CONTINUATION frames as the peer's maximum frame
    /// size makes necessary. Requires room for [#headersLength(HeadWriter, int)].
    ///
    /// @param frameSizeMax of the peer, in bytes
    public static void headers(
            ByteBuffer out, int streamId, HeadWriter block, int frameSizeMax, boolean isEndStream) {
        int length = block.length();
        int at = Math.min(length, frameSizeMax);
        int flags = isEndStream ? FrameType.END_STREAM : 0;
        FrameType type = FrameType.HEADERS;
        int from = 0;
        while (true) {
            boolean isLast = at == length;
            header(out, at - from, type, isLast ? flags | FrameType.END_HEADERS : flags, streamId);
            out.put(block.bytes(), from, at - from);
            if (isLast) {
                return;
            }
            from = at;
            at = Math.min(length, from + frameSizeMax);
            flags = 0;
            type = FrameType.CONTINUATION;
        }
    }

    /// Returns the length in bytes of what [#headers] writes.
    public static int headersLength(HeadWriter block, int frameSizeMax) {
        int frames = Math.max(1, (block.length() + frameSizeMax - 1) / frameSizeMax);
        return block.length() + frames * HEADER_LENGTH;
    }

    /// Writes RST_STREAM, 13 bytes.
    public static void resetStream(ByteBuffer out, int streamId, ErrorCode code) {
        header(out, 4, FrameType.RST_STREAM, 0, streamId);
        out.putInt(code.code());
    }

    /// Writes SETTINGS with the parameters that differ from [Settings#INITIAL], up to 57 bytes.
    public static void settings(ByteBuffer out, Settings settings) {
        int start = out.position();
        header(out, 0, FrameType.SETTINGS, 0, 0);
        Settings initial = Settings.INITIAL;
        parameter(
                out,
                Settings.HEADER_TABLE_SIZE,
                settings.headerTableSize(),
                initial.headerTableSize());
        parameter(out, Settings.ENABLE_PUSH, settings.isPushEnabled() ? 1 : 0, 1);
        parameter(
                out,
                Settings.MAX_CONCURRENT_STREAMS,
                settings.maxConcurrentStreams(),
                initial.maxConcurrentStreams());
        parameter(
                out,
                Settings.INITIAL_WINDOW_SIZE,
                settings.initialWindowSize(),
                initial.initialWindowSize());
        parameter(out, Settings.MAX_FRAME_SIZE, settings.maxFrameSize(), initial.maxFrameSize());
        parameter(
                out,
                Settings.MAX_HEADER_LIST_SIZE,
                settings.maxHeaderListSize(),
                initial.maxHeaderListSize());
        parameter(
                out,
                Settings.ENABLE_CONNECT_PROTOCOL,
                settings.isExtendedConnectEnabled() ? 1 : 0,
                0);
        parameter(
                out,
                Settings.NO_RFC7540_PRIORITIES,
                settings.isRfc7540PriorityIgnored() ? 1 : 0,
                0);
        int length = out.position() - start - HEADER_LENGTH;
        out.put(start + 2, (byte) length); // less than 256
    }

    /// Writes the acknowledgement of SETTINGS, 9 bytes.
    public static void settingsAck(ByteBuffer out) {
        header(out, 0, FrameType.SETTINGS, FrameType.ACK, 0);
    }

    /// Writes PING, 17 bytes.
    ///
    /// @param isAck whether it acknowledges the peer's PING, whose data it repeats
    public static void ping(ByteBuffer out, long opaqueData, boolean isAck) {
        header(out, 8, FrameType.PING, isAck ? FrameType.ACK : 0, 0);
        out.putLong(opaqueData);
    }

    /// Writes GOAWAY without debug data, 17 bytes.
    ///
    /// @param lastStreamId the last of the peer's streams that was or may be processed;
    ///     [Integer#MAX_VALUE] if it is not yet known (RFC 9113, section 6.8)
    public static void goAway(ByteBuffer out, int lastStreamId, ErrorCode code) {
        header(out, 8, FrameType.GOAWAY, 0, 0);
        out.putInt(lastStreamId).putInt(code.code());
    }

    /// Writes WINDOW_UPDATE, 13 bytes.
    ///
    /// @param streamId 0 for the connection's window
    /// @param increment at least 1 byte
    public static void windowUpdate(ByteBuffer out, int streamId, int increment) {
        if (increment < 1) {
            throw new IllegalArgumentException("increment must be at least 1, was " + increment);
        }
        header(out, 4, FrameType.WINDOW_UPDATE, 0, streamId);
        out.putInt(increment);
    }

    /// Writes PRIORITY_UPDATE (RFC 9218, section 7.1), up to 19 bytes, as a client does.
    public static void priorityUpdate(ByteBuffer out, int streamId, Priority priority) {
        String value = priority.toString();
        header(out, 4 + value.length(), FrameType.PRIORITY_UPDATE, 0, 0);
        out.putInt(streamId);
        for (int i = 0; i < value.length(); i++) {
            out.put((byte) value.charAt(i));
        }
    }

    private static void parameter(ByteBuffer out, int id, int value, int initial) {
        if (value != initial) {
            out.putShort((short) id).putInt(value);
        }
    }

    private static void header(
            ByteBuffer out, int length, FrameType type, int flags, int streamId) {
        out.putInt(length << 8 | type.code()).put((byte) flags).putInt(streamId);
    }
}
