package dev.tandem.net;

import java.io.IOException;

/// A connected stream that never blocks: a [Socket], or what stands around one. Used by one thread
/// at a time: the one that owns its connection. Every method but [#close()] throws [IOException] if
/// the peer is gone.
public interface ByteStream extends AutoCloseable {

    /// Reads into the buffer's remaining room and moves its position.
    ///
    /// @return how many bytes; 0 if none wait, -1 at the stream's end
    int read(IoBuffer to) throws IOException;

    /// Writes from the buffer and moves its position by what was taken.
    ///
    /// @return how many bytes were taken; 0 if none now
    int write(IoBuffer from) throws IOException;

    /// Ends this side of the stream; the other may still send.
    void shutdownOutput() throws IOException;

    /// Of one that [Network#connect] gave, or around it: whether it is connected by now.
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

    /// Closes at once; does nothing if it is closed. Unread input makes the kernel reset the
    /// connection, and the peer may then lose what was sent last.
    @Override
    void close();

    /// Closes by a reset: what is not sent is lost, and no port is kept waiting.
    default void abort() {
        close();
    }
}
