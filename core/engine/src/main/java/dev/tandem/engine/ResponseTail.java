package dev.tandem.engine;

import dev.tandem.net.IoBuffer;
import dev.tandem.net.Socket;
import java.io.IOException;

/// Content of a response that may have to come from a disk: a worker sends it, as the client reads
/// it, also when the handler has returned. Belongs to the connection's owner.
public interface ResponseTail extends AutoCloseable {

    /// Returns the number of bytes left.
    long left();

    /// Sends as much as the client takes, unframed.
    ///
    /// @param output a context's, empty; it is left empty
    /// @param most in bytes, at least 1
    /// @return number of bytes; 0 if the client takes none now
    /// @throws IOException if the client has disconnected, or the content cannot be read: the
    ///     response is truncated
    long send(Socket socket, IoBuffer output, long most) throws IOException;

    /// Reads the next bytes into the buffer's remaining space, and moves its position: for
    /// protocols that frame content.
    ///
    /// @return number of bytes, at least 1
    /// @throws IOException if the content cannot be read: the response is truncated
    int read(IoBuffer to) throws IOException;

    /// Whether the client took less than was offered last: it would take nothing at once.
    default boolean isHeldUp() {
        return false;
    }

    @Override
    void close();
}
