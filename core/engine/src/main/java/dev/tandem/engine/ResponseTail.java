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

    /// Whether [#sendBehind] can be called.
    default boolean canFollow() {
        return false;
    }

    /// Sends what waits in a buffer and as much of the content as the client takes, in one call of
    /// the socket.
    ///
    /// @param head what is sent first; its position is moved behind what the client took
    /// @param most in bytes of the content, at least 1
    /// @return number of bytes of the content; 0 if the client takes none now
    /// @throws IOException as [#send]
    default long sendBehind(Socket socket, IoBuffer head, long most) throws IOException {
        throw new UnsupportedOperationException("this content is sent by a call of its own");
    }

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

    /// Begins to get the next content, if that takes time in which no worker is needed. Called
    /// before [#send] and [#read].
    ///
    /// @return whether it is not there yet: nothing is to be sent before [#whenThere]
    default boolean mustAwait() {
        return false;
    }

    /// Returns whether the next content was not there yet at the last call of [#mustAwait], and
    /// still is not. Does not begin to get it.
    default boolean isAwaited() {
        return false;
    }

    /// Has an action run once the content that is awaited is there: by any thread, or at once.
    default void whenThere(Runnable action) {
        action.run();
    }

    @Override
    void close();
}
