package dev.tandem.http.h2;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A second decoder of frames for tests: has all input at once, and is written to be compared with
/// RFC 9113, section 6. Reports the events of [Recorder], with DATA of adjacent frames joined.
final class FrameModel {
    private static final byte[] PREFACE = Hex.latin1("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

    private final List<String> events = new ArrayList<>();
    private final HpackDecoder hpack = new HpackDecoder(4_096);
    private final Http2Limits limits;
    private Settings peer = Settings.INITIAL;
    private boolean isFirst = true;
    private byte[] block = {};
    private int blockStream;
    private boolean isBlockEnd;
    private boolean isSelfDependent;
    private int continuations;
    private String data = "";
    private int dataStream;
    private int flowControlled;
    private boolean isDataEnd;

    /// An error of the connection.
    private static final class Failure extends Exception {
        private static final long serialVersionUID = 1L;

        Failure(ErrorCode code) {
            super(code.name());
        }
    }

    private FrameModel(Http2Limits limits) {
        this.limits = limits;
    }

    /// Returns the events of input to a server with [Settings#SERVER]; connection errors have no
    /// reason.
    static String read(byte[] bytes, Http2Limits limits) {
        var model = new FrameModel(limits);
        try {
            model.read(bytes);
        } catch (Failure e) {
            model.event("error " + e.getMessage());
        }
        model.endData();
        return String.join("\n", model.events);
    }

    private void read(byte[] bytes) throws Failure {
        int shared = Math.min(bytes.length, PREFACE.length);
        check(Arrays.equals(bytes, 0, shared, PREFACE, 0, shared), ErrorCode.PROTOCOL_ERROR);
        int at = PREFACE.length;
        while (at + 9 <= bytes.length) {
            int length = number(bytes, at, 3);
            int type = bytes[at + 3] & 0xFF;
            int flags = bytes[at + 4] & 0xFF;
            int stream = number(bytes, at + 5, 4) & Integer.MAX_VALUE;
            byte[] payload =
                    Arrays.copyOfRange(
                            bytes,
                            at + 9,
                            Math.max(at + 9, Math.min(bytes.length, at + 9 + length)));
            checkHeader(length, type, flags, stream);
            if (type == Frames.DATA) {
                data(payload, length, flags, stream);
            } else if (type > Frames.CONTINUATION && type != Frames.PRIORITY_UPDATE) {
                event("UNKNOWN " + type + " " + length);
            } else if (type == Frames.PRIORITY && length != 5) {
                event(
                        "error of stream %d FRAME_SIZE_ERROR: PRIORITY of %d bytes"
                                .formatted(stream, length));
            } else if (payload.length == length) {
                frame(payload, type, flags, stream);
            }
            at += 9 + length;
        }
    }

    private void checkHeader(int length, int type, int flags, int stream) throws Failure {
        boolean isAck = (flags & Frames.ACK) != 0;
        check(!isFirst || type == Frames.SETTINGS && !isAck, ErrorCode.PROTOCOL_ERROR);
        boolean isContinued = type == Frames.CONTINUATION;
        check(isContinued == (blockStream != 0), ErrorCode.PROTOCOL_ERROR);
        check(!isContinued || stream == blockStream, ErrorCode.PROTOCOL_ERROR);
        check(length <= 16_384, ErrorCode.FRAME_SIZE_ERROR);
        boolean isFirstFrame = isFirst;
        isFirst = false;
        switch (type) {
            case Frames.DATA, Frames.HEADERS, Frames.PRIORITY, Frames.CONTINUATION ->
                    check(stream != 0, ErrorCode.PROTOCOL_ERROR);
            case Frames.RST_STREAM -> {
                check(stream != 0, ErrorCode.PROTOCOL_ERROR);
                check(length == 4, ErrorCode.FRAME_SIZE_ERROR);
            }
            case Frames.PUSH_PROMISE -> {
                check(stream != 0, ErrorCode.PROTOCOL_ERROR);
                check(length >= 4, ErrorCode.FRAME_SIZE_ERROR);
                throw new Failure(ErrorCode.PROTOCOL_ERROR);
            }
            case Frames.SETTINGS -> check(stream == 0, ErrorCode.PROTOCOL_ERROR);
            case Frames.PING, Frames.GOAWAY -> {
                check(stream == 0, ErrorCode.PROTOCOL_ERROR);
                check(
                        length == 8 || type == Frames.GOAWAY && length > 8,
                        ErrorCode.FRAME_SIZE_ERROR);
            }
            case Frames.WINDOW_UPDATE -> check(length == 4, ErrorCode.FRAME_SIZE_ERROR);
            case Frames.PRIORITY_UPDATE -> {
                check(stream == 0, ErrorCode.PROTOCOL_ERROR);
                check(length >= 4, ErrorCode.FRAME_SIZE_ERROR);
            }
            default -> {}
        }
        isFirst = isFirstFrame && type != Frames.SETTINGS;
    }

    private void data(byte[] payload, int length, int flags, int stream) throws Failure {
        int padding = 0;
        int from = 0;
        if ((flags & Frames.PADDED) != 0) {
            check(length > 0, ErrorCode.FRAME_SIZE_ERROR);
            if (payload.length == 0) {
                return;
            }
            padding = payload[0] & 0xFF;
            from = 1;
            check(padding < length, ErrorCode.PROTOCOL_ERROR);
        }
        int contentTo = length - padding;
        boolean isWhole = payload.length >= contentTo;
        int to = Math.min(contentTo, payload.length);
        if (to == from && !isWhole) {
            return;
        }
        if (stream != dataStream || isDataEnd) {
            endData();
        }
        dataStream = stream;
        data += new String(payload, from, to - from, StandardCharsets.ISO_8859_1);
        flowControlled += to + (isWhole ? padding : 0);
        isDataEnd = isWhole && (flags & Frames.END_STREAM) != 0;
    }

    private void frame(byte[] payload, int type, int flags, int stream) throws Failure {
        switch (type) {
            case Frames.HEADERS -> headers(payload, flags, stream);
            case Frames.CONTINUATION -> {
                event("CONTINUATION " + stream + " " + payload.length);
                continuations++;
                check(continuations <= limits.continuationsMax(), ErrorCode.ENHANCE_YOUR_CALM);
                fragment(payload, flags);
            }
            case Frames.PRIORITY -> {
                boolean isSelf = (number(payload, 0, 4) & Integer.MAX_VALUE) == stream;
                event(isSelf ? selfDependency(stream) : "PRIORITY " + stream);
            }
            case Frames.RST_STREAM -> event("RST_STREAM " + stream + " " + number(payload, 0, 4));
            case Frames.SETTINGS -> settings(payload, flags);
            case Frames.PING -> {
                long data = ByteBuffer.wrap(payload).getLong();
                event("PING " + Long.toHexString(data) + ((flags & 1) != 0 ? " ack" : ""));
            }
            case Frames.GOAWAY ->
                    event(
                            "GOAWAY "
                                    + (number(payload, 0, 4) & Integer.MAX_VALUE)
                                    + " "
                                    + number(payload, 4, 4));
            case Frames.WINDOW_UPDATE -> {
                int increment = number(payload, 0, 4) & Integer.MAX_VALUE;
                check(increment > 0 || stream > 0, ErrorCode.PROTOCOL_ERROR);
                event(
                        increment > 0
                                ? "WINDOW_UPDATE " + stream + " " + increment
                                : "error of stream "
                                        + stream
                                        + " PROTOCOL_ERROR: WINDOW_UPDATE of 0 bytes");
            }
            default -> {
                int prioritized = number(payload, 0, 4) & Integer.MAX_VALUE;
                check(prioritized % 2 == 1, ErrorCode.PROTOCOL_ERROR);
                event(
                        "PRIORITY_UPDATE "
                                + prioritized
                                + " "
                                + Priority.parse(payload, 4, payload.length));
            }
        }
    }

    private static String selfDependency(int stream) {
        return "error of stream " + stream + " PROTOCOL_ERROR: stream depends on itself";
    }

    private void headers(byte[] payload, int flags, int stream) throws Failure {
        boolean isPadded = (flags & Frames.PADDED) != 0;
        boolean hasPriority = (flags & Frames.HAS_PRIORITY) != 0;
        int from = (isPadded ? 1 : 0) + (hasPriority ? 5 : 0);
        check(payload.length >= from, ErrorCode.FRAME_SIZE_ERROR);
        int to = payload.length - (isPadded ? payload[0] & 0xFF : 0);
        check(to >= from, ErrorCode.PROTOCOL_ERROR);
        isSelfDependent =
                hasPriority && (number(payload, from - 5, 4) & Integer.MAX_VALUE) == stream;
        blockStream = stream;
        isBlockEnd = (flags & Frames.END_STREAM) != 0;
        continuations = 0;
        block = new byte[0];
        fragment(Arrays.copyOfRange(payload, from, to), flags);
    }

    private void fragment(byte[] fragment, int flags) throws Failure {
        int length = block.length;
        block = Arrays.copyOf(block, length + fragment.length);
        System.arraycopy(fragment, 0, block, length, fragment.length);
        boolean isWhole = length == 0 && blockStream != 0 && continuations == 0;
        if ((flags & Frames.END_HEADERS) == 0 || !isWhole) {
            check(block.length <= limits.headerBlockMax(), ErrorCode.ENHANCE_YOUR_CALM);
        }
        if ((flags & Frames.END_HEADERS) != 0) {
            var list = new HeaderList();
            list.begin(Settings.SERVER.maxHeaderListSize(), limits.headersMax());
            boolean isDecoded = hpack.decode(block, 0, block.length, list) == null;
            check(isDecoded, ErrorCode.COMPRESSION_ERROR);
            if (isSelfDependent) {
                event(selfDependency(blockStream));
            } else {
                var recorder = new Recorder();
                recorder.headers(blockStream, list, isBlockEnd);
                event(recorder.toString());
            }
            blockStream = 0;
        }
    }

    private void settings(byte[] payload, int flags) throws Failure {
        boolean isAck = (flags & Frames.ACK) != 0;
        check(isAck ? payload.length == 0 : payload.length % 6 == 0, ErrorCode.FRAME_SIZE_ERROR);
        if (isAck) {
            hpack.tableSizeMax(4_096);
            event("SETTINGS ack");
            return;
        }
        var reader = new SettingsReader(peer, events.isEmpty());
        String error = reader.read(payload, 0, payload.length, Role.SERVER);
        check(error == null, reader.code());
        peer = reader.change(payload.length).after();
        event("SETTINGS " + payload.length / 6 + " " + peer);
    }

    private void event(String event) {
        endData();
        events.add(event);
    }

    private void endData() {
        if (dataStream != 0) {
            events.add(
                    "DATA %d '%s' %d%s"
                            .formatted(dataStream, data, flowControlled, isDataEnd ? " end" : ""));
        }
        dataStream = 0;
        data = "";
        flowControlled = 0;
        isDataEnd = false;
    }

    private static void check(boolean holds, ErrorCode error) throws Failure {
        if (!holds) {
            throw new Failure(error);
        }
    }

    private static int number(byte[] bytes, int at, int length) {
        int number = 0;
        for (int i = 0; i < length; i++) {
            number = number << 8 | bytes[at + i] & 0xFF;
        }
        return number;
    }
}
