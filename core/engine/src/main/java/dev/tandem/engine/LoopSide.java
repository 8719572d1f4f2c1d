package dev.tandem.engine;

import dev.tandem.net.Loop;
import java.io.IOException;

/// The protocol's side of an exchange that continues on its loop. Called on the loop, except where
/// a method says otherwise.
public interface LoopSide {

    /// What the protocol reports of the exchange's client. Called on the loop.
    interface Events {
        /// The client has sent, or taken, something.
        void clientReady();

        /// The client is gone, but its connection or stream is not closed yet.
        void clientGone(IOException e);

        /// The connection or stream is closed: the exchange is over.
        void closed();
    }

    /// Returns the loop. May be called by any thread.
    Loop loop();

    /// The thread that ran the handler no longer has the exchange. Called by that thread.
    ///
    /// @throws IOException if the client has disconnected
    void release() throws IOException;

    /// The loop has the exchange from now on.
    ///
    /// @return the loop's context; null if the connection or stream is closed already
    @org.jspecify.annotations.Nullable
    IoContext begin(Events events);

    /// Reads some of the body without waiting.
    ///
    /// @return the number of bytes; 0 if none was received, -1 at the end
    int read(byte[] to, int offset, int length) throws IOException;

    /// Returns when the client must have sent more, by the loop's clock.
    long readDeadline();

    /// The client has sent too slowly: no more of the body can be read.
    void readTimedOut();

    /// Whether some of the output waits for the client.
    boolean isHeldUp();

    /// Returns a number that grows whenever the client takes some of the output.
    long progress();

    /// Sends what was gathered, and has the next events reported: that output was taken, if some is
    /// held up, and input.
    void await(boolean isForInput) throws IOException;

    /// Switches to raw bytes.
    void upgrade(String protocol, ResponseHead head) throws IOException;

    /// Writes raw bytes.
    void write(byte[] bytes, int offset, int length) throws IOException;

    /// Sends what was gathered, or keeps it where the client does not take it: the buffer is the
    /// next connection's.
    ///
    /// @throws IOException if the client has disconnected
    void flush() throws IOException;

    /// Whether finishing the exchange has to wait for the client, so that a worker must do it.
    boolean mustWaitToFinish();

    /// Has a worker run the exchange to its end.
    void submit();

    /// The exchange is over, and was finished.
    ///
    /// @param isBroken whether the response is incomplete
    void over(RunningExchange x, boolean isBroken);

    /// As [#over], where the connection or stream is closed already.
    void overClosed(RunningExchange x);

    /// Closes the connection, or resets the stream.
    void close();
}
