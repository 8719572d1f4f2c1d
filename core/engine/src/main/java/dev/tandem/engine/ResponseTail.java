package dev.tandem.engine;

import dev.tandem.net.IoBuffer;
import dev.tandem.net.Socket;
import java.io.IOException;

/// Content of a response that may have to come from a disk: a worker sends it, as often as the
/// client takes more, also when the handler has returned. Belongs to the connection's owner.
public interface ResponseTail extends AutoCloseable {

    /// Returns how many bytes are left.
    long left();

    /// Sends what the client takes, as it is.
    ///
    /// @param output a context's, empty; it is left empty
    /// @param most in bytes, at least 1
    /// @return how many bytes; 0 if the client takes none now
    /// @throws IOException if the client is gone, or the content cannot be read: the response is
    ///     cut
    long send(Socket socket, IoBuffer output, long most) throws IOException;

    /// Reads what is next into the buffer's remaining room, and moves its position: for protocols
    /// that frame content.
    ///
    /// @return how many bytes, at least 1
    /// @throws IOException if the content cannot be read: the response is cut
    int read(IoBuffer to) throws IOException;

    /// Whether the client took less than it was given last: asked at once, it would take nothing.
    default boolean isHeldUp() {
        return false;
    }

    @Override
    void close();
}
