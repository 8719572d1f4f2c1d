package dev.tandem.pagecache;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// A buffer for work on one page.
///
/// @param arena owns the memory
/// @param memory the buffer
record Scratch(Arena arena, MemorySegment memory) {

    static Scratch of(long bytes) {
        var arena = Arena.ofShared();
        return new Scratch(arena, arena.allocate(bytes, Frames.ALIGNMENT));
    }

    void free() {
        arena.close();
    }
}
