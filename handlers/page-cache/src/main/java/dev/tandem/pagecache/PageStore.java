package dev.tandem.pagecache;

import java.lang.foreign.MemorySegment;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/// Stores byte strings of up to a page in frames. Guarded by the cache's lock, except [#copyTo] and
/// [#view], which any thread may call for a string that it knows to be stored.
interface PageStore {
    int NONE = -1;

    /// Stores a copy.
    ///
    /// @param length in bytes, 1 up to a page
    /// @return the location, or [#NONE] if a frame has to be added first
    int put(MemorySegment bytes, int length);

    /// Returns the stored bytes in place; null if they are not contiguous.
    @Nullable MemorySegment view(int location, int length);

    /// Copies the stored bytes to the beginning of `to`.
    void copyTo(int location, int length, MemorySegment to);

    /// Frees the stored bytes.
    void free(int location, int length);

    /// Adds a frame, which is freed when it becomes empty.
    void addFrame(int frame);

    /// Returns whether any part is in a frame for which `isFrame` is true.
    boolean isInFrame(int location, int length, IntPredicate isFrame);

    /// Returns the space that `length` bytes take, in bytes.
    int storedBytes(int length);

    /// Returns the current number of frames.
    int frameCount();
}
