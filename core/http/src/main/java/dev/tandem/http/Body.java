package dev.tandem.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/// What an answer carries. A handler says *what*; the server alone decides *how* it travels (one
/// gathering write, sendfile, chunks).
public sealed interface Body {

    /// No content.
    record Empty() implements Body {
        static final Empty EMPTY = new Empty();
    }

    /// Bytes in memory. The array belongs to the server from now on and must not be changed.
    record Bytes(byte[] bytes) implements Body {}

    /// A stretch of a file.
    ///
    /// @param path the file, opened by the server when it writes
    /// @param offset where to begin, in bytes; at least 0
    /// @param length how many bytes; `offset + length` at most `stamp.size()`
    /// @param stamp what the file was when the answer's head was decided; a file that no longer
    ///     matches is not sent, so that no length and validator ever stand over other bytes
    record FileRegion(Path path, long offset, long length, FileStamp stamp) implements Body {
        public FileRegion {
            if (offset < 0 || length < 0 || offset + length > stamp.size()) {
                throw new IllegalArgumentException(
                        "region " + offset + "+" + length + " is not within " + stamp.size());
            }
        }
    }

    /// Made while it is sent, by a writer that may block.
    ///
    /// @param length in bytes, or -1 where it is not known before the end
    record Stream(long length, Writer writer) implements Body {}

    /// Writes a [Stream]'s bytes.
    @FunctionalInterface
    interface Writer {
        /// Writes everything and returns; the server closes `out`.
        ///
        /// @throws IOException if the client is gone or too slow, or the source fails: the answer
        ///     is then cut so that the client can tell
        void write(OutputStream out) throws IOException;
    }

    /// Content that something else holds, such as a cache, and passes on piece by piece. Nobody
    /// waits for the client: while that does not take more, no thread and no piece is held for
    /// it.
    ///
    /// @param length in bytes
    /// @param segments the server's from now on, which closes them, sent or not
    record Segmented(long length, Segments segments) implements Body {}

    /// The pieces of a [Segmented]. Used by one thread at a time.
    interface Segments extends AutoCloseable {
        /// Passes on what follows at an offset, once: at least a byte of it. May block for a
        /// disk, not for the client.
        ///
        /// @param offset from the content's beginning, in bytes; below its length
        /// @return how many bytes were taken
        /// @throws IOException if the source fails, or the client is gone: the answer is then cut
        int transferTo(long offset, Sink to) throws IOException;

        @Override
        void close();
    }

    /// Takes a piece.
    @FunctionalInterface
    interface Sink {
        /// Takes what it can at the moment, perhaps nothing, and moves the position by that.
        ///
        /// @param piece a direct buffer, to be used during the call only
        void write(ByteBuffer piece) throws IOException;
    }

    static Body empty() {
        return Empty.EMPTY;
    }
}
