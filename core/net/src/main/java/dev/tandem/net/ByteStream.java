package dev.tandem.net;

import java.io.IOException;

/// A connected stream that never blocks: a [Socket], or a wrapper of one. Used by one thread at a
/// time, the owner of its connection. All methods except [#close()] throw [IOException] if the peer
/// has disconnected.
public interface ByteStream extends AutoCloseable {

    /// Reads into the remaining space of the buffer and advances its position.
    ///
    /// @return the number of bytes; 0 if none are available, -1 at the end of the stream
    int read(IoBuffer to) throws IOException;

    /// Writes from the buffer and advances its position by the number of bytes written.
    ///
    /// @return the number of bytes written; 0 if none can be written now
    int write(IoBuffer from) throws IOException;

    /// Ends the output of the stream; the peer may still send.
    void shutdownOutput() throws IOException;

    /// Returns whether a stream from [Network#connect], or its wrapper, is connected.
    ///
    /// @throws java.net.ConnectException if the peer refuses the connection
    default boolean finishConnect() throws IOException {
        return true;
    }

    /// Discards input, without copying it if the system supports that.
    ///
    /// @param scratch a buffer that may be overwritten, including its position and limit
    /// @param most the maximum number of bytes, at least 1
    /// @return the number of bytes; 0 if none are available, -1 at the end of the stream
    default long skip(IoBuffer scratch, long most) throws IOException {
        scratch.bytes().clear().limit((int) Math.min(scratch.bytes().capacity(), most));
        return read(scratch);
    }

    /// Closes the stream immediately; has no effect if it is closed. Unread input makes the kernel
    /// reset the connection, and the peer may then lose the last data sent.
    @Override
    void close();

    /// Closes by a reset: unsent data is lost, and the port does not stay in TIME_WAIT.
    default void abort() {
        close();
    }
}
