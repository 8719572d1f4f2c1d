package dev.tandem.engine.websocket;

import dev.tandem.http.WebSocketMessage;
import dev.tandem.http.websocket.Deflation;
import dev.tandem.http.websocket.FrameEncoder;
import dev.tandem.http.websocket.Opcode;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// Compresses messages by as many deflaters as there are processors: each has 256 KiB of native
/// memory. Where all are in use a message is not compressed. Safe for use by any thread.
final class Deflations {
    /// Shorter messages are not compressed: they become hardly shorter.
    static final int LENGTH_MIN = 256;

    /// Fast: the highest level takes four times as long, for a tenth less.
    private static final int LEVEL = 3;

    private static final Deflations SHARED =
            new Deflations(Runtime.getRuntime().availableProcessors());

    private final ArrayDeque<Deflation> free = new ArrayDeque<>();
    private int left;

    Deflations(int most) {
        left = most;
    }

    /// Returns a message as a compressed frame; null if it is not to be compressed.
    static @Nullable ByteBuffer frame(WebSocketMessage message, int windowBits) {
        if (message.content().remaining() < LENGTH_MIN) {
            return null;
        }
        return windowBits == 15
                ? message.compressed(m -> SHARED.deflated(m, 15))
                : SHARED.deflated(message, windowBits);
    }

    @Nullable ByteBuffer deflated(WebSocketMessage message, int windowBits) {
        Deflation own = take();
        if (own == null) {
            return null;
        }
        try {
            byte[] bytes = own.deflate(message.content(), windowBits);
            return FrameEncoder.compressed(
                    message.isText() ? Opcode.TEXT : Opcode.BINARY, ByteBuffer.wrap(bytes));
        } finally {
            giveBack(own);
        }
    }

    private synchronized @Nullable Deflation take() {
        Deflation known = free.poll();
        if (known == null && left > 0) {
            var made = new Deflation(LEVEL);
            left--; // once there was memory for it
            return made;
        }
        return known;
    }

    private synchronized void giveBack(Deflation own) {
        free.push(own);
    }
}
