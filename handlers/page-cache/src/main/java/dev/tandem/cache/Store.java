package dev.tandem.cache;

import java.lang.foreign.MemorySegment;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/// Keeps byte strings of any length up to a page in frames. Guarded by the cache's lock, but
/// for [#get] and [#view], which any thread may call for what it knows to be kept.
interface Store {
    int NONE = -1;

    /// Keeps a copy.
    ///
    /// @param length in bytes, 1 up to a page
    /// @return where it is, or [#NONE] if a frame has to be added first
    int put(MemorySegment bytes, int length);

    /// What was put, where it lies; null if it lies in several places.
    @Nullable MemorySegment view(int place, int length);

    /// Copies what was put to the beginning of `to`.
    void get(int place, int length, MemorySegment to);

    /// Forgets what was put.
    void free(int place, int length);

    /// Takes a frame to keep more in; it goes back when nothing is in it any more.
    void add(int frame);

    /// Whether any of it is in a frame of which `is` is true.
    boolean touches(int place, int length, IntPredicate is);

    /// How much room `length` bytes take, in bytes.
    int charge(int length);

    /// Of the frames that it has now.
    int frameCount();
}
