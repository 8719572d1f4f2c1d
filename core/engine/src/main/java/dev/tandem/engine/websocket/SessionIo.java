package dev.tandem.engine.websocket;

import dev.tandem.engine.IoContext;
import dev.tandem.net.Loop;
import java.io.IOException;
import java.nio.ByteBuffer;

/// What a session needs of what carries it: a connection ([SessionConnection]), or a stream of one.
interface SessionIo {
    /// Sends what is queued. Called by the owner, that is the thread that handles a message.
    ///
    /// @param waits whether to wait while the client does not read
    /// @throws IOException if the client has disconnected, or has read nothing for too long
    void send(boolean waits) throws IOException;

    /// Decodes some of what was received of a stream ([SessionMessages#decodeSome]), without
    /// waiting. Called by the thread that reads it.
    ///
    /// @return false if nothing was received
    /// @throws IOException if nothing more can be
    boolean decodeSome() throws IOException;

    /// Sends what is queued, and waits until more is received, or until something is queued that
    /// only the calling thread can send, or a close frame is. Called by the thread that reads a
    /// stream.
    ///
    /// @throws dev.tandem.net.TimeoutIOException if none of that happens in time
    /// @throws IOException if the client has disconnected
    void awaitMore(long nanos) throws IOException;

    /// Ends such a wait, and the session without a close frame. Called by any thread.
    void cancelWait();

    /// Has what is queued sent. Called by any thread but the owner.
    void scheduleSending();

    /// Ends the session unless what was queued by [#scheduleSending] is sent at once: there is no
    /// memory for it. Called by any thread but the owner.
    void overdrawn();

    /// Sends frames without queueing them. Called on the loop, while no frames are queued.
    ///
    /// @param frames not changed later, in an array from its beginning
    /// @return false if that is not possible now, since another thread sends, or output waits
    boolean sendNow(ByteBuffer frames);

    /// Ends the session without a close frame, since its client takes nothing. Called by any
    /// thread.
    void drop();

    /// Returns how much the client has taken of output that was taken from the session's queue and
    /// is not counted as sent. Called by any thread: the number may be a moment old.
    long takenOfWaiting();

    /// Whether nothing can be sent any more. Called by any thread.
    boolean isClosed();

    /// Returns the time by the clock of the loop. Called by any thread.
    long nanos();

    /// Returns the loop that sends what other threads queue.
    Loop loop();

    /// Returns the loop's context, which is used where no other thread is the owner.
    IoContext loopContext();
}
