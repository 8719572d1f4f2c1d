package dev.tandem.http;

import dev.tandem.http.websocket.FrameEncoder;
import dev.tandem.http.websocket.Opcode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A message to send, encoded once however many sessions it is sent to. Immutable; may be used by
/// any thread.
public final class WebSocketMessage {
    private final ByteBuffer frame;
    private final boolean isText;
    private final ByteBuffer content;
    private volatile @Nullable ByteBuffer compressed;

    private WebSocketMessage(boolean isText, byte[] content) {
        this.isText = isText;
        this.content = ByteBuffer.wrap(content).asReadOnlyBuffer();
        this.frame =
                FrameEncoder.message(
                        isText ? Opcode.TEXT : Opcode.BINARY, ByteBuffer.wrap(content));
    }

    public static WebSocketMessage text(String text) {
        return new WebSocketMessage(true, text.getBytes(StandardCharsets.UTF_8));
    }

    /// @param content copied
    public static WebSocketMessage binary(byte[] content) {
        return new WebSocketMessage(false, content.clone());
    }

    public boolean isText() {
        return isText;
    }

    /// Returns the content, a text in UTF-8.
    public ByteBuffer content() {
        return content.duplicate();
    }

    /// Returns the message as a compressed frame; made once.
    ///
    /// @param compressor returns the frame, or null if it cannot now
    public @Nullable ByteBuffer compressed(
            Function<WebSocketMessage, @Nullable ByteBuffer> compressor) {
        ByteBuffer made = compressed;
        if (made == null) {
            made = compressor.apply(this);
            compressed = made;
        }
        return made == null ? null : made.duplicate();
    }

    /// Returns the message as a frame, without compression. Its array must not be changed.
    public ByteBuffer frame() {
        return frame.duplicate();
    }
}
