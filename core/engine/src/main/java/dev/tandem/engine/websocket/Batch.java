package dev.tandem.engine.websocket;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Messages that are sent to a group's members together, as the bytes that one write takes.
/// Confined to a loop.
final class Batch {
    private final List<Broadcast> messages = new ArrayList<>();
    private final @Nullable ByteBuffer[] frames = new ByteBuffer[Broadcast.WINDOWS];

    void clear() {
        messages.clear();
        Arrays.fill(frames, null);
    }

    void add(Broadcast message) {
        messages.add(message);
    }

    int count() {
        return messages.size();
    }

    /// Returns all frames, for members with these window bits: from position 0, in an array that is
    /// never changed.
    ByteBuffer frames(int windowBits) {
        ByteBuffer made = frames[windowBits];
        if (made == null) {
            made = joined(windowBits);
            frames[windowBits] = made;
        }
        return made;
    }

    private ByteBuffer joined(int windowBits) {
        if (messages.size() == 1) {
            return messages.getFirst().frame(windowBits);
        }
        int length = 0;
        for (Broadcast message : messages) {
            length += message.frame(windowBits).remaining();
        }
        ByteBuffer all = ByteBuffer.allocate(length);
        for (Broadcast message : messages) {
            all.put(message.frame(windowBits).duplicate());
        }
        return all.flip();
    }
}
