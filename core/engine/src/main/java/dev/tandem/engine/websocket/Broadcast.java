package dev.tandem.engine.websocket;

import dev.tandem.http.WebSocketMessage;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// A message as frames, one for each kind of member that a group has. Immutable.
///
/// @param plain not compressed
/// @param compressed for each number of window bits, from 0 on; null where there is none, and the
///     plain frame is to be sent
record Broadcast(ByteBuffer plain, @Nullable ByteBuffer[] compressed) {
    /// Window bits are at most 15 (RFC 7692, section 7.1.2).
    static final int WINDOWS = 16;

    /// Memory of one that waits in bytes, in addition to its content.
    private static final int MEMORY = 96;

    /// @param members by their window bits, 0 for those without compression; may change meanwhile
    static Broadcast of(WebSocketMessage message, int[] members) {
        @Nullable ByteBuffer[] compressed = new ByteBuffer[WINDOWS];
        for (int bits = 1; bits < WINDOWS; bits++) {
            compressed[bits] = members[bits] == 0 ? null : Deflations.frame(message, bits);
        }
        return new Broadcast(message.frame(), compressed);
    }

    /// Returns the frame, whose position, limit and array must not be changed.
    ByteBuffer frame(int windowBits) {
        ByteBuffer made = compressed[windowBits];
        return made == null ? plain : made;
    }

    long memory() {
        return MEMORY + plain.remaining();
    }
}
