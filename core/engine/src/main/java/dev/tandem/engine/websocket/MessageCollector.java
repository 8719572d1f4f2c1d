package dev.tandem.engine.websocket;

import dev.tandem.http.websocket.CloseReason;
import dev.tandem.http.websocket.MessageListener;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Collects the content of a session's message. Confined to the connection's owner.
abstract class MessageCollector implements MessageListener {
    private static final byte[] NOTHING = {};

    private byte[] bytes = NOTHING;
    private int length;

    /// What of it was read as a stream.
    private int read;

    private boolean isText;

    /// Whether the message is read as a stream.
    private boolean isStreamed;

    private boolean isComplete;

    /// How the peer, or an error, has ended the session's input.
    private @Nullable CloseReason ended;

    private boolean hasFailed;

    /// Whether a message waits to be handled.
    boolean hasMessage() {
        return isComplete;
    }

    /// Whether a message has begun that is read as a stream, and is not dropped.
    boolean isStreamed() {
        return isStreamed;
    }

    boolean isText() {
        return isText;
    }

    String takeText() {
        return new String(bytes, 0, length(), StandardCharsets.UTF_8);
    }

    byte[] takeBinary() {
        return Arrays.copyOf(bytes, length());
    }

    private int length() {
        isComplete = false;
        return length;
    }

    /// Takes some of what was received of a stream.
    ///
    /// @return number of bytes; 0 if none was received
    int take(byte[] to, int offset, int most) {
        int count = Math.min(most, available());
        System.arraycopy(bytes, read, to, offset, count);
        read += count;
        if (read == length) {
            read = 0;
            length = 0;
        }
        return count;
    }

    /// Returns what of a stream was received and not read, in bytes.
    int available() {
        return length - read;
    }

    /// Returns the message's memory in bytes.
    int heldBytes() {
        return bytes.length;
    }

    /// Frees the message's memory.
    void drop() {
        bytes = NOTHING;
        length = 0;
        read = 0;
        isComplete = false;
        isStreamed = false;
    }

    /// Returns how the input has ended; null if it has not.
    @Nullable CloseReason ended() {
        return ended;
    }

    /// Whether it has ended by an error, which the peer is to be sent.
    boolean hasFailed() {
        return hasFailed;
    }

    /// A frame with content of its own was received.
    abstract void counted();

    /// Whether the message's memory may have that size, in bytes. If not, the message was dropped,
    /// and the input has ended.
    abstract boolean canGrow(int size);

    /// Whether the session's handler reads such a message as a stream.
    abstract boolean wantsStream(boolean isText);

    @Override
    public boolean isStream(boolean isText) {
        isStreamed = wantsStream(isText);
        return isStreamed;
    }

    @Override
    public void begin(boolean isText) {
        counted();
        this.isText = isText;
        length = 0;
    }

    @Override
    public void content(ByteBuffer piece) {
        if (ended != null) {
            return;
        }
        int count = piece.remaining();
        if (bytes.length - length < count) {
            int size = Math.max(length + count, 2 * length);
            if (!canGrow(size)) {
                return;
            }
            bytes = Arrays.copyOf(bytes, size);
        }
        piece.get(bytes, length, count);
        length += count;
    }

    @Override
    public void end() {
        isComplete = ended == null;
    }

    @Override
    public void pong(byte[] payload) {
        counted();
    }

    @Override
    public void closed(CloseReason reason) {
        ended = reason;
    }

    @Override
    public void failed(CloseReason reason) {
        ended = reason;
        hasFailed = true;
    }
}
