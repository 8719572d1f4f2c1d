package dev.tandem.cache;

import java.lang.foreign.MemorySegment;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/// Keeps byte strings of any length up to a page in frames. Guarded by the cache's lock, but
/// for [#copyTo] and [#view], which any thread may call for what it knows to be kept.
interface PageStore {
    int NONE = -1;

    /// Keeps a copy.
    ///
    /// @param length in bytes, 1 up to a page
    /// @return where it is, or [#NONE] if a frame has to be added first
    int put(MemorySegment bytes, int length);

    /// What was put, where it lies; null if it lies in several places.
    @Nullable MemorySegment view(int location, int length);

    /// Copies what was put to the beginning of `to`.
    void copyTo(int location, int length, MemorySegment to);

    /// Forgets what was put.
    void free(int location, int length);

    /// Takes a frame to keep more in; it goes back when nothing is in it any more.
    void addFrame(int frame);

    /// Whether any of it is in a frame of which `isFrame` is true.
    boolean isInFrame(int location, int length, IntPredicate isFrame);

    /// How much room `length` bytes take, in bytes.
    int storedBytes(int length);

    /// Of the frames that it has now.
    int frameCount();
}
