package dev.tandem.engine.websocket;

import dev.tandem.engine.IoContext;
import java.io.IOException;

/// What a session needs of what carries it: a connection ([SessionConnection]), or a stream of one.
interface SessionIo {
    /// Sends what is queued. Called by the owner, that is the thread that handles a message.
    ///
    /// @param waits whether to wait while the client does not read
    /// @throws IOException if the client has disconnected, or has read nothing for too long
    void send(boolean waits) throws IOException;

    /// Has what is queued sent. Called by any thread but the owner.
    void scheduleSending();

    /// Ends the session without a close frame, since its client takes nothing. Called by any
    /// thread.
    void drop();

    /// Whether nothing can be sent any more. Called by any thread.
    boolean isClosed();

    /// Returns the time by the clock of the loop. Called by any thread.
    long nanos();

    /// Returns the loop's context, which is used where no other thread is the owner.
    IoContext loopContext();
}
