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
    private boolean isText;
    private boolean isComplete;

    /// How the peer, or an error, has ended the session's input.
    private @Nullable CloseReason ended;

    private boolean hasFailed;

    /// Whether a message waits to be handled.
    boolean hasMessage() {
        return isComplete;
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

    /// Returns the message's memory in bytes.
    int heldBytes() {
        return bytes.length;
    }

    /// Frees the message's memory.
    void drop() {
        bytes = NOTHING;
        length = 0;
        isComplete = false;
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
            bytes = Arrays.copyOf(bytes, Math.max(length + count, 2 * length));
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
