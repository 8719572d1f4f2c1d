package dev.tandem.files;

import dev.tandem.http.Body;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/// Caches contents of files for [Folder]s. Implemented by the module `page-cache`; without it,
/// files come from the kernel's cache. Thread safe; to be closed, after the server.
public interface FileCache extends AutoCloseable {
    /// Opens a cache of the [installed][Provider#installed] provider.
    ///
    /// @param bytes maximum memory for contents, in bytes, outside of the heap
    /// @throws IllegalStateException if there is no provider; names the artifact that has one
    static FileCache open(long bytes) {
        return Provider.installed().open(bytes);
    }

    /// Returns a file's content, read through the kernel's cache and not kept: for one that is not
    /// [stable][FileState#isStable].
    ///
    /// @param path as for [#open(Path, FileState)]
    /// @param state that the reader expects
    static Content uncached(Path path, FileState state) {
        return new UncachedFile(path, state);
    }

    /// Opens caches. Found by [java.util.ServiceLoader].
    interface Provider {
        /// Returns the first provider on the class path or module path.
        ///
        /// @throws IllegalStateException if there is none; names the artifact that has one
        static Provider installed() {
            return FoundCache.PROVIDER.orElseThrow(
                    () ->
                            new IllegalStateException(
                                    "no file cache is installed: add tandem-page-cache"));
        }

        /// Opens a cache.
        ///
        /// @param bytes as in [FileCache#open(long)]
        default FileCache open(long bytes) {
            return open(bytes, "");
        }

        /// Opens a cache.
        ///
        /// @param bytes as in [FileCache#open(long)]
        /// @param engine name of what compresses; empty for the default
        /// @throws IllegalArgumentException if there is no such engine; names those that there are
        /// @throws IllegalStateException if it cannot work on this machine; the message says why
        FileCache open(long bytes, String engine);

        /// Returns the size that fits this machine, in bytes.
        long autoBytes();

        /// Returns a size that a user has configured, in bytes.
        ///
        /// @param size `auto`, or a number of bytes with `k`, `m` or `g`, such as `512m` or `2GiB`
        /// @throws IllegalArgumentException if it is neither; quotes it
        default long bytes(String size) {
            return size.equals("auto") ? autoBytes() : CacheSize.parse(size);
        }
    }

    /// A number that describes the cache.
    ///
    /// @param name letters a to z, digits and `_`; one that ends with `_total` only grows
    /// @param help a sentence that describes it
    /// @param value may be called by any thread, a few times a second; does not block
    record Figure(String name, String help, DoubleSupplier value) {}

    /// Returns numbers for metrics, read when they are used.
    default List<Figure> figures() {
        return List.of();
    }

    /// A short description for the log.
    String description();

    /// The content coding in which whole files are available as they are stored, or null.
    @Nullable String coding();

    /// Counts other memory that holds contents of files against the budget of this cache.
    ///
    /// @param owner the object whose memory it is: free once the object is unreachable
    /// @param bytes size of it
    void countExternal(Object owner, long bytes);

    /// Opens a file for reading.
    ///
    /// @param path the real one: no part of it is a link
    /// @param state the state that the reader expects; contents kept of another state are dropped
    /// @throws IllegalStateException if the cache is closed
    Content open(Path path, FileState state);

    @Override
    void close();

    /// One reader's view of a file in one state. Used by one thread at a time; to be closed.
    interface Content extends AutoCloseable {
        /// Makes sure that the first bytes of a range can be read, so that errors occur before a
        /// response begins. Holds nothing afterwards.
        ///
        /// @throws IOException if the disk fails, or the file is in another state by now
        void prepare(long offset, long length) throws IOException;

        /// Begins to get the content at an offset, if that takes time in which no thread is needed.
        ///
        /// @param offset where [#transferTo] will be called next
        /// @param ready as in [Body.Segments#fetch]
        /// @return whether `ready` is run
        default boolean fetch(long offset, Runnable ready) {
            return false;
        }

        /// Passes on the beginning of a range, as far as it is stored in one piece.
        ///
        /// @param length of the range; at least 1
        /// @param to may take a part of what it is given
        /// @return how many bytes it took
        /// @throws IOException as [#prepare], or if `to` fails
        int transferTo(long offset, long length, Body.Sink to) throws IOException;

        /// The whole file in [FileCache#coding()]; null if it is not available.
        @Nullable Stored stored();

        /// Returns a range as the content of a response, which closes this.
        default Body.Segmented range(long offset, long length) {
            return new Body.Segmented(length, new FileSegments(this, offset, length));
        }

        @Override
        void close();
    }

    /// A whole file in a content coding. Used by one thread at a time; to be closed.
    interface Stored extends AutoCloseable {
        /// In bytes, as it is sent.
        long length();

        /// Returns whether it saves at least a sixteenth.
        ///
        /// @param size of the file itself, in bytes
        default boolean isWorthSending(long size) {
            return length() <= size - size / 16;
        }

        /// Passes on what follows at an offset, as far as it is stored in one piece.
        ///
        /// @param offset in bytes, as it is sent; below [#length()]
        /// @param to may take a part of what it is given
        /// @return how many bytes it took
        /// @throws IOException if `to` fails
        int transferTo(long offset, Body.Sink to) throws IOException;

        /// Returns the whole file as the content of a response, which closes this.
        default Body.Segmented whole() {
            return new Body.Segmented(length(), new StoredSegments(this));
        }

        @Override
        void close();
    }
}
