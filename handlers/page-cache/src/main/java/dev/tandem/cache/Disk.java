package dev.tandem.cache;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/// Where a [PageCache] reads files from. Safe for all threads.
public interface Disk {

    /// This machine's, past the kernel's cache where the file system can do that.
    static Disk direct() {
        return new DirectDisk();
    }

    /// Opens a file; does not follow a link.
    OpenFile open(Path path) throws IOException;

    /// An open file. One thread's.
    interface OpenFile extends Closeable {
        /// Reads from `position` on into the buffers, one after the other, each from its
        /// beginning and all but the last up to its end.
        ///
        /// @param position a multiple of 4 KiB
        /// @param to of memory aligned to 4 KiB, each with a capacity of a multiple of that
        /// @param length how many bytes are wanted
        /// @return how many came: fewer if the file ends
        long read(long position, ByteBuffer[] to, long length) throws IOException;
    }
}
