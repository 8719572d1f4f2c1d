package dev.tandem.lab;

import dev.tandem.http.websocket.FrameEncoder;
import dev.tandem.http.websocket.Opcode;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// A client's WebSocket session: sends texts, and finds those in its input. Confined to one thread.
final class LiveClient implements AutoCloseable {
    /// Digits of a time at the beginning of a text.
    static final int DIGITS = 19;

    /// Bytes of a short text.
    static final int TEXT = 64;

    private static final int FINAL_TEXT = 0x81;
    private static final int HEADER_MAX = 10;
    private static final int HEAD_MAX = 4096;

    private final SocketChannel channel;
    private final ByteBuffer frame;

    /// Where the time is in the frame.
    private final int timeAt;

    /// The beginning of a frame that is not complete.
    private byte[] kept = {};

    private LiveClient(SocketChannel channel, int bytes) {
        this.channel = channel;
        var content = new byte[bytes];
        Arrays.fill(content, (byte) '.');
        frame = ByteBuffer.allocateDirect(HEADER_MAX + 4 + bytes);
        FrameEncoder.masked(frame, Opcode.TEXT, true, ByteBuffer.wrap(content), 0);
        timeAt = frame.flip().limit() - TEXT;
    }

    /// Receives texts.
    @FunctionalInterface
    interface Receiver {
        /// @param sentNanos the time at the text's beginning
        void text(LiveClient client, long sentNanos) throws IOException;
    }

    /// Opens a session, blocking.
    ///
    /// @param bytes of each text that it sends; 64 or more
    /// @throws IOException if there is no connection, or the response is not 101
    static LiveClient open(int port, String path, int bytes) throws IOException {
        SocketChannel channel = SocketChannel.open();
        try {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            String request =
                    "GET "
                            + path
                            + " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\n"
                            + "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
            channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
            String head = head(channel);
            if (!head.startsWith("HTTP/1.1 101 ")) {
                throw new IOException("no session: " + head.lines().findFirst().orElse(""));
            }
            channel.configureBlocking(false);
            return new LiveClient(channel, bytes);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /// Reads byte by byte, so that nothing behind the head is lost.
    private static String head(SocketChannel channel) throws IOException {
        var head = new StringBuilder();
        ByteBuffer one = ByteBuffer.allocate(1);
        while (head.indexOf("\r\n\r\n") < 0) {
            if (channel.read(one.clear()) < 0 || head.length() > HEAD_MAX) {
                throw new EOFException("no response head");
            }
            head.append((char) one.get(0));
        }
        return head.toString();
    }

    SocketChannel channel() {
        return channel;
    }

    /// Sends a text whose last 64 bytes begin with a time.
    ///
    /// @return false if the server takes nothing now
    boolean send(long nanos) throws IOException {
        long left = nanos;
        for (int i = DIGITS - 1; i >= 0; i--) {
            frame.put(timeAt + i, (byte) ('0' + left % 10));
            left /= 10;
        }
        frame.rewind();
        int written = channel.write(frame);
        while (written > 0 && frame.hasRemaining()) {
            channel.write(frame); // the rest of a frame must follow
        }
        return written > 0;
    }

    /// Reads what has arrived.
    ///
    /// @param buffer to be used; its content is lost
    /// @throws EOFException if the server has closed
    void receive(ByteBuffer buffer, Receiver receiver) throws IOException {
        buffer.clear().put(kept);
        kept = new byte[0];
        if (channel.read(buffer) < 0) {
            throw new EOFException("the server has closed a session");
        }
        buffer.flip();
        while (buffer.hasRemaining()) {
            int size = frameSize(buffer);
            if (size < 0 || buffer.remaining() < size) {
                kept = new byte[buffer.remaining()];
                buffer.get(kept);
                return;
            }
            int next = buffer.position() + size;
            if ((buffer.get(buffer.position()) & 0xFF) == FINAL_TEXT) {
                receiver.text(this, time(buffer, next));
            }
            buffer.position(next);
        }
    }

    /// @return -1 if more is needed to know it
    private static int frameSize(ByteBuffer in) {
        int at = in.position();
        if (in.remaining() < 2) {
            return -1;
        }
        int length = in.get(at + 1) & 0x7F;
        if (length < 126) {
            return 2 + length;
        }
        if (in.remaining() < HEADER_MAX) {
            return -1;
        }
        return length == 126
                ? 4 + (in.getShort(at + 2) & 0xFFFF)
                : HEADER_MAX + (int) in.getLong(at + 2);
    }

    private static long time(ByteBuffer in, int end) throws IOException {
        int at = end - TEXT;
        if (at < in.position()) {
            throw new IOException("a text is shorter than it was sent");
        }
        long nanos = 0;
        for (int i = 0; i < DIGITS; i++) {
            nanos = 10 * nanos + in.get(at + i) - '0';
        }
        return nanos;
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // It is gone either way.
        }
    }
}
