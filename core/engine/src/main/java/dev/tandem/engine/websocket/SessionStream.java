package dev.tandem.engine.websocket;

import dev.tandem.engine.IoContext;
import dev.tandem.net.Loop;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// A stream that carries a session: what [StreamSession] needs of it. Methods may be called by any
/// thread unless a comment says otherwise.
public interface SessionStream {
    /// Returns the connection's loop.
    Loop loop();

    /// Returns the loop's context.
    IoContext loopContext();

    /// Returns the time by the loop's clock.
    long nanos();

    /// Whether nothing can be sent or received any more.
    boolean isClosed();

    // ---- Input. Called by the session's owner.

    /// Returns what was received next, which the caller may change; null if it was not yet. Its
    /// part of the stream's window is free again.
    @Nullable ByteBuffer nextInput();

    /// Whether some input, or its end, was received and not read.
    boolean hasInput();

    /// Whether all input was received and read.
    boolean isInputOver();

    /// Waits until [#hasInput], or until [#wakeReader] is called.
    ///
    /// @throws dev.tandem.net.TimeoutIOException if neither happens in time
    /// @throws IOException if the stream is closed
    void awaitInput(long nanos) throws IOException;

    /// Ends such a wait, or the next one. Called by any thread.
    void wakeReader();

    /// Drops what was received, and what comes.
    void discardInput();

    // ---- Output.

    /// Whether output waits for the client, as much as may.
    boolean isFull();

    /// Returns how many bytes of output wait for the client.
    long buffered();

    /// Queues a frame, which is not changed any more.
    ///
    /// @throws IOException if the stream is closed
    void add(ByteBuffer frame) throws IOException;

    /// Has what is queued sent.
    void flush();

    /// Waits until less output waits than may.
    ///
    /// @throws dev.tandem.net.TimeoutIOException if that does not happen in time
    /// @throws IOException if the stream is closed
    void awaitRoom(long nanos) throws IOException;

    /// Ends the output behind what is queued.
    ///
    /// @throws IOException if the stream is closed
    void end() throws IOException;

    /// Resets the stream.
    void reset();

    // ---- The loop.

    /// Has the loop call [StreamSession#proceed]. Called by any other thread.
    void proceedSoon();

    /// Has [StreamSession#proceed] called when the present work is done. Called on the loop.
    void proceedNext();

    /// Has the loop call [StreamSession#expired] at a time, in place of any other. Called on the
    /// loop.
    void setDeadline(long nanos);

    /// A thread begins, or ends, to handle messages.
    void begun();

    void ended();
}
