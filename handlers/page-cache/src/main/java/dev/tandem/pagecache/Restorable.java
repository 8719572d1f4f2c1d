package dev.tandem.pagecache;

import dev.tandem.files.FileState;
import java.io.IOException;
import java.nio.file.Path;

/// A cache as [Restorer] sees it. Thread safe.
interface Restorable {
    CacheOptions options();

    /// Returns the number of reads from disk so far, of requests and for the list.
    long diskReads();

    /// Returns whether there is processor time to compress a page.
    boolean hasProcessor();

    /// Returns whether the record of this file displaces no other.
    boolean hasRoomFor(Path path);

    /// Opens a file to read pages of it.
    ///
    /// @param uses how often it was used, as far as is known from before the restart
    /// @throws IllegalStateException if the cache is closed
    Pages open(Path path, FileState state, int uses);

    /// A file's pages. Confined to one thread.
    interface Pages extends AutoCloseable {
        /// Returns the number of pages that the file has.
        int count();

        /// As [PageLoader#restore].
        int restore(int index, int count, boolean isReused) throws IOException;

        /// Compresses a page that was restored, unless it is used or must not displace others.
        void compress(int index);

        @Override
        void close();
    }
}
