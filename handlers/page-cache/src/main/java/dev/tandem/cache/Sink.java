package dev.tandem.cache;

import java.io.IOException;
import java.nio.ByteBuffer;

/// Takes a file's bytes.
@FunctionalInterface
public interface Sink {
    /// Takes what is between position and limit: all of it in [CachedFile#copy], else what it
    /// can, and moves the position by that. Afterwards the memory is used for something else.
    ///
    /// @param bytes read-only, of memory outside of the heap
    /// @throws IOException if they are not to be had rid of
    void take(ByteBuffer bytes) throws IOException;
}
