package dev.tandem.http.h2;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/// Builds the bytes of frames, correct or not, independently of [FrameWriter].
final class Frames {
    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int PRIORITY = 2;
    static final int RST_STREAM = 3;
    static final int SETTINGS = 4;
    static final int PUSH_PROMISE = 5;
    static final int PING = 6;
    static final int GOAWAY = 7;
    static final int WINDOW_UPDATE = 8;
    static final int CONTINUATION = 9;
    static final int PRIORITY_UPDATE = 16;

    static final int END_STREAM = 1;
    static final int ACK = 1;
    static final int END_HEADERS = 4;
    static final int PADDED = 8;
    static final int HAS_PRIORITY = 32;

    /// `:method: GET`, `:scheme: http`, `:path: /`, `:authority: a`.
    static final byte[] GET = Hex.bytes("82 86 84 41 01 61");

    static final byte[] NOTHING = {};

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    /// The start of a connection to a server: the preface and empty SETTINGS.
    static Frames toServer() {
        return preface().settings();
    }

    static Frames preface() {
        return new Frames().raw(Hex.latin1("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"));
    }

    /// The start of a connection to a client: empty SETTINGS.
    static Frames toClient() {
        return new Frames().settings();
    }

    Frames raw(byte[] raw) {
        bytes.writeBytes(raw);
        return this;
    }

    Frames frame(int type, int flags, int streamId, byte[] payload) {
        return header(payload.length, type, flags, streamId).raw(payload);
    }

    Frames frame(int type, int flags, int streamId, String hex) {
        return frame(type, flags, streamId, Hex.bytes(hex));
    }

    /// Only the header of a frame.
    Frames header(int length, int type, int flags, int streamId) {
        byte[] header = new byte[9];
        ByteBuffer.wrap(header).putInt(length << 8 | type).put((byte) flags).putInt(streamId);
        return raw(header);
    }

    /// @param parameters identifier and value, alternately
    Frames settings(int... parameters) {
        ByteBuffer payload = ByteBuffer.allocate(3 * parameters.length);
        for (int i = 0; i < parameters.length; i += 2) {
            payload.putShort((short) parameters[i]).putInt(parameters[i + 1]);
        }
        return frame(SETTINGS, 0, 0, payload.array());
    }

    Frames get(int streamId) {
        return frame(HEADERS, END_HEADERS | END_STREAM, streamId, GET);
    }

    Frames data(int streamId, String content, int flags) {
        return frame(DATA, flags, streamId, Hex.latin1(content));
    }

    byte[] bytes() {
        return bytes.toByteArray();
    }
}
