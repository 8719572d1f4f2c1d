package dev.tandem.pagecache;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/// Reads files for a [PageCache]. Thread safe.
public interface Disk {

    /// Returns this machine's disk, read by direct I/O where the file system supports it.
    static Disk direct() {
        return new DirectDisk();
    }

    /// Opens a file; does not follow a link.
    OpenFile open(Path path) throws IOException;

    /// An open file. Used by one thread.
    interface OpenFile extends Closeable {
        /// Reads from `position` into the buffers, one after the other; fills all but the last.
        ///
        /// @param position a multiple of 4 KiB
        /// @param to buffers aligned to 4 KiB, whose capacity is a multiple of that
        /// @param length number of bytes to read
        /// @return the number of bytes read: fewer if the file ends
        long read(long position, ByteBuffer[] to, long length) throws IOException;
    }
}
