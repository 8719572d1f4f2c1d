package dev.tandem.net;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;

/// A connected stream that never blocks. Used by one thread at a time: the one that owns its
/// connection. Every method but [#close()] throws [IOException] if the peer is gone.
public interface Socket extends Poller.Pollable, AutoCloseable {

    /// Reads into the buffer's remaining room and moves its position.
    ///
    /// @return how many bytes; 0 if none wait, -1 at the stream's end
    int read(IoBuffer to) throws IOException;

    /// Writes from the buffer and moves its position by what the kernel took.
    ///
    /// @return how many bytes the kernel took; 0 if it takes none now
    int write(IoBuffer from) throws IOException;

    /// Writes `first`, then `second`, in one system call, and moves both positions.
    ///
    /// @param second a direct buffer
    /// @return how many bytes of both the kernel took
    long write(IoBuffer first, ByteBuffer second) throws IOException;

    /// Sends a stretch of a file.
    ///
    /// @return how many bytes were taken; 0 if the kernel takes none now, -1 if the file ends
    ///     before `offset`
    long send(OpenFile file, long offset, long count) throws IOException;

    /// Ends this side of the stream; the other may still send.
    void shutdownOutput() throws IOException;

    /// For a socket that [Network#connect] gave: whether it is connected by now.
    ///
    /// @throws java.net.ConnectException if the peer refuses
    default boolean finishConnect() throws IOException {
        return true;
    }

    /// Drops input unread: where the system can, without copying it.
    ///
    /// @param scratch what may be overwritten; its position and limit, too
    /// @param most how many bytes at most, at least 1
    /// @return how many bytes; 0 if none wait, -1 at the stream's end
    default long skip(IoBuffer scratch, long most) throws IOException {
        scratch.bytes().clear().limit((int) Math.min(scratch.bytes().capacity(), most));
        return read(scratch);
    }

    /// Whether there is input that no poller tells of, since it was taken from the kernel already:
    /// then nobody may wait for more before it was read.
    default boolean hasInput() {
        return false;
    }

    /// What a poller watches in its place: a socket that stands around another gives that one.
    default Poller.Pollable pollable() {
        return this;
    }

    SocketAddress remote();

    SocketAddress local();

    /// Closes at once; does nothing if it is closed. Unread input makes the kernel reset the
    /// connection, and the peer may then lose what was sent last.
    @Override
    void close();

    /// Closes by a reset: what is not sent is lost, and no port is kept waiting.
    default void abort() {
        close();
    }
}
