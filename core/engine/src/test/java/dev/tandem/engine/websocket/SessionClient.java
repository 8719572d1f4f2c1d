package dev.tandem.engine.websocket;

import dev.tandem.http.websocket.FrameEncoder;
import dev.tandem.http.websocket.Opcode;
import dev.tandem.testkit.RawClient;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// A client that sends and reads frames one by one.
final class SessionClient implements AutoCloseable {
    private static final int MASK = 0x12345678;

    private final RawClient raw;
    private final String head;

    private SessionClient(RawClient raw, String head) {
        this.raw = raw;
        this.head = head;
    }

    /// @param headers further lines of the request, each with its end
    static SessionClient open(InetSocketAddress server, String path, String headers)
            throws IOException {
        return open(RawClient.connect(server), path, headers);
    }

    /// @param local the address that the server sees
    static SessionClient openFrom(InetAddress local, InetSocketAddress server, String path)
            throws IOException {
        return open(RawClient.connectFrom(local, server), path, "");
    }

    static SessionClient open(RawClient raw, String path, String headers) throws IOException {
        raw.send(
                "GET "
                        + path
                        + " HTTP/1.1\nHost: a\nConnection: Upgrade\nUpgrade: websocket\n"
                        + "Sec-WebSocket-Version: 13\n"
                        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\n"
                        + headers
                        + "\n");
        var head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) (raw.bytes(1)[0] & 0xFF));
        }
        return new SessionClient(raw, head.toString());
    }

    static SessionClient open(InetSocketAddress server, String path) throws IOException {
        return open(server, path, "");
    }

    String head() {
        return head;
    }

    RawClient raw() {
        return raw;
    }

    SessionClient send(byte[] bytes) throws IOException {
        raw.send(bytes);
        return this;
    }

    SessionClient text(String text) throws IOException {
        return send(frame(Opcode.TEXT, true, text.getBytes(StandardCharsets.UTF_8)));
    }

    SessionClient close(int code) throws IOException {
        return send(frame(Opcode.CLOSE, true, new byte[] {(byte) (code >> 8), (byte) code}));
    }

    static byte[] frame(Opcode opcode, boolean isLast, byte[] payload) {
        ByteBuffer out = ByteBuffer.allocate(payload.length + 14);
        FrameEncoder.masked(out, opcode, isLast, ByteBuffer.wrap(payload), MASK);
        var bytes = new byte[out.flip().remaining()];
        out.get(bytes);
        return bytes;
    }

    private byte[] bytes(int count) throws IOException {
        var all = new byte[count];
        for (int at = 0; at < count; ) {
            byte[] some = raw.bytes(count - at);
            if (some.length == 0) {
                throw new EOFException(at + " of " + count + " bytes");
            }
            System.arraycopy(some, 0, all, at, some.length);
            at += some.length;
        }
        return all;
    }

    /// Reads a frame, and returns it as `81 text`: its first byte in hexadecimal, and its payload.
    String frame() throws IOException {
        byte[] begin = bytes(2);
        int length = begin[1] & 0x7F;
        if (length == 126) {
            length = ByteBuffer.wrap(bytes(2)).getShort() & 0xFFFF;
        } else if (length == 127) {
            length = (int) ByteBuffer.wrap(bytes(8)).getLong();
        }
        byte[] payload = bytes(length);
        int first = begin[0] & 0xFF;
        if (first == 0x88 && length >= 2) {
            int code = (payload[0] & 0xFF) << 8 | payload[1] & 0xFF;
            return "88 " + code + new String(payload, 2, length - 2, StandardCharsets.UTF_8);
        }
        return Integer.toHexString(first) + " " + new String(payload, StandardCharsets.UTF_8);
    }

    /// Ends the connection without its output.
    void reset() throws IOException {
        raw.reset();
    }

    @Override
    public void close() throws IOException {
        raw.close();
    }
}
