package dev.tandem.server;

import dev.tandem.net.IoBuffer;
import dev.tandem.net.Socket;
import java.io.IOException;

/// The rest of an answer that may have to come from a disk: a worker sends it, as often as the
/// peer takes more. Whoever has the connection has it.
interface ResponseTail extends AutoCloseable {

    /// In bytes.
    long left();

    /// Sends what the peer takes.
    ///
    /// @param output a kit's, empty; it is left empty
    /// @param most in bytes, at least 1
    /// @return how many bytes; 0 if the peer takes none now
    /// @throws IOException if the peer is gone, or the rest is not to be had: the answer is cut
    long send(Socket socket, IoBuffer output, long most) throws IOException;

    /// Whether the peer took less than it was given last: asked at once, it would take nothing.
    default boolean isHeldUp() {
        return false;
    }

    @Override
    void close();
}
