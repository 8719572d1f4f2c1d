package dev.tandem.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// The content of a response. The handler chooses the content; the server alone decides how it is
/// sent (one gathering write, sendfile, chunks).
public sealed interface Body {

    /// No content.
    record Empty() implements Body {
        static final Empty EMPTY = new Empty();
    }

    /// Bytes in memory. The server owns the array from now on; it must not be modified.
    record Bytes(byte[] bytes) implements Body {}

    /// A region of a file.
    ///
    /// @param path the file, which the server opens when it writes the response
    /// @param offset the start of the region, in bytes; at least 0
    /// @param length the length in bytes; `offset + length` at most `stamp.size()`
    /// @param stamp the state of the file when the response head was built; a file that no longer
    ///     matches is not sent, so that a length and a validator never apply to other bytes
    record FileRegion(Path path, long offset, long length, FileStamp stamp) implements Body {
        public FileRegion {
            if (offset < 0 || length < 0 || offset + length > stamp.size()) {
                throw new IllegalArgumentException(
                        "region " + offset + "+" + length + " is not within " + stamp.size());
            }
        }
    }

    /// Content that a writer, which may block, produces while it is sent.
    ///
    /// @param length in bytes, or -1 if it is unknown in advance
    record Stream(long length, Writer writer) implements Body {}

    /// Writes the content of a [Stream].
    @FunctionalInterface
    interface Writer {
        /// Writes the whole content. The server closes `out`.
        ///
        /// @throws IOException if the client has disconnected or is too slow, or the source fails:
        ///     the response is then truncated in a way that the client detects
        void write(OutputStream out) throws IOException;
    }

    /// Content that another component, such as a cache, holds and transfers in segments. While the
    /// client does not accept more data, the response occupies neither a thread nor a segment.
    ///
    /// @param length in bytes
    /// @param segments owned by the server from now on, which closes them whether or not they were
    ///     sent
    record Segmented(long length, Segments segments) implements Body {}

    /// The segments of a [Segmented] body. Used by one thread at a time.
    interface Segments extends AutoCloseable {
        /// Transfers, in one call of the sink, the data that begins at an offset: at least one
        /// byte. May block for a disk, but not for the client.
        ///
        /// @param offset from the start of the content, in bytes; less than its length
        /// @return the number of bytes that the sink accepted
        /// @throws IOException if the source fails or the client has disconnected: the response is
        ///     then truncated
        int transferTo(long offset, Sink to) throws IOException;

        /// Begins to get the data at an offset, if that takes time in which no thread is needed, as
        /// when a coprocessor decompresses it. [#transferTo] is called afterwards, with this
        /// offset, or the segments are closed.
        ///
        /// @param ready run once, by any thread, also before this method returns: when the data is
        ///     there, or will not come, and `transferTo` gets it itself. Does not block
        /// @return whether `ready` is run; if not, `transferTo` can be called now
        default boolean fetch(long offset, Runnable ready) {
            return false;
        }

        @Override
        void close();
    }

    /// Receives the data of a segment.
    @FunctionalInterface
    interface Sink {
        /// Accepts as many bytes as currently possible, perhaps none, and advances the position by
        /// that number.
        ///
        /// @param piece a direct buffer, valid only during the call
        void write(ByteBuffer piece) throws IOException;
    }

    /// Content, such as events, that another component supplies after the handler has returned,
    /// whenever it has some. While it has none, or the client accepts none, the response occupies
    /// neither a thread nor a buffer, and never counts as load.
    ///
    /// @param first what only this client gets, before all that the source supplies; it counts as
    ///     the client's memory until it is sent. The server owns the array from now on
    /// @param source owned by the server from now on, which closes it whether or not anything was
    ///     sent
    record Feed(byte[] first, FeedSource source) implements Body {}

    /// The content of a [Feed]. All methods are called by the event loop of the client's
    /// connection, so they must not block; [#close()] may be called by another thread if
    /// [#begin] was not called.
    interface FeedSource extends AutoCloseable {
        /// Called once, before all others: content can be sent from now on.
        void begin(FeedOutput to);

        /// Returns the next piece of content, and removes it; null if there is none now. Its bytes
        /// are not changed any more, so one array may be sent to many clients.
        byte @Nullable [] next();

        /// Returns whether the content ends with what [#next()] has returned.
        boolean isOver();

        /// Returns whether more waits for this client than it may leave unread: it is disconnected
        /// then. Asked while the client accepts no more.
        boolean isTooFarBehind();

        /// Returns the time without content after which [#filler()] is sent, in nanoseconds; 0 for
        /// none.
        long silenceMaxNanos();

        /// Returns content without a meaning.
        byte[] filler();

        /// The server, or the connection, is to end: no content follows what is there now.
        void end();

        /// The response is over; called once.
        @Override
        void close();
    }

    /// Where a [FeedSource] announces that it has content.
    interface FeedOutput {
        /// Returns the event loop of the client's connection; equal for all connections of a loop,
        /// so that one task can serve them.
        Executor loop();

        /// Sends what the source has, as far as the client accepts it. Called by the event loop.
        void send();
    }

    static Body empty() {
        return Empty.EMPTY;
    }
}
