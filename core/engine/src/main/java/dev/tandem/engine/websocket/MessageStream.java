package dev.tandem.engine.websocket;

import dev.tandem.engine.WaitingClient;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/// The content of a message that is read while it is received. For the thread that handles the
/// message, until its handler returns.
final class MessageStream extends InputStream implements WaitingClient {
    private static final double SECOND = 1_000_000_000;

    private final SessionMessages messages;
    private final SessionIo io;
    private final long begin = System.nanoTime();
    private final byte[] one = new byte[1];

    /// Written by the handler's thread.
    private volatile long received;

    /// How long the handler has waited for the client, in all.
    private long waited;

    /// Whether the session has ended before the message.
    private boolean isCut;

    private boolean isClosed;

    MessageStream(SessionMessages messages, SessionIo io) {
        this.messages = messages;
        this.io = io;
    }

    @Override
    public int read() throws IOException {
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, to.length);
        checkOpen();
        return length == 0 ? 0 : messages.read(this, to, offset, length);
    }

    @Override
    public int available() throws IOException {
        checkOpen();
        return messages.available();
    }

    private void checkOpen() throws IOException {
        if (isClosed || !messages.isOwner()) {
            throw new IOException("the stream of a message is closed when its handler returns");
        }
    }

    /// Reads no more; the rest of the message is skipped when its handler returns.
    @Override
    public void close() {
        isClosed = true;
    }

    // ---- Its client.

    void received(int count) {
        received += count; // only the handler's thread writes
    }

    /// Returns how long the client may still keep the handler waiting, in nanoseconds.
    ///
    /// @param grace how long it may be slower than the rate
    /// @param rate in bytes a second; 0: the grace holds for each wait
    long patience(long grace, long rate) {
        return rate == 0 ? grace : grace + (long) (received / (double) rate * SECOND) - waited;
    }

    void waited(long nanos) {
        waited += nanos;
    }

    /// The session has ended before the message.
    void cut() {
        isCut = true;
    }

    boolean isCut() {
        return isCut;
    }

    @Override
    public long runNanos() {
        return begin;
    }

    @Override
    public double bytesPerSecond(long nowNanos) {
        return received * SECOND / Math.max(1, nowNanos - begin);
    }

    @Override
    public void abort() {
        io.cancelWait();
    }
}
