package dev.tandem.cache;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// A thread's room for a page while it works on it.
///
/// @param arena what frees it
/// @param memory the room
record Scratch(Arena arena, MemorySegment memory) {

    static Scratch of(long bytes) {
        var arena = Arena.ofShared();
        return new Scratch(arena, arena.allocate(bytes, Frames.ALIGNMENT));
    }

    void free() {
        arena.close();
    }
}
