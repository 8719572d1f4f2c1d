package dev.tandem.http;

import java.io.IOException;
import java.io.OutputStream;
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

    static Body empty() {
        return Empty.EMPTY;
    }
}
