package dev.tandem.engine.http1;

import dev.tandem.engine.ClientGoneException;
import dev.tandem.engine.Tunnel;
import dev.tandem.engine.UnreadInput;
import dev.tandem.engine.tls.TlsSocket;
import dev.tandem.http.UpgradedConnection;
import dev.tandem.net.Connection;
import dev.tandem.net.IoBuffer;
import dev.tandem.net.TimeoutIOException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// A connection that has changed its protocol (RFC 9110, section 7.8). The worker reads and waits
/// for input; another thread may write meanwhile, and does not wait at the connection, at which one
/// thread can wait, but polls.
final class Http1Tunnel implements UpgradedConnection, Tunnel {
    /// An hour without a byte from the client ends it: clients that want to stay send pings.
    private static final long SILENCE_NANOS = TimeUnit.HOURS.toNanos(1);

    /// Interval at which a writer checks again whether the client takes more: 1 ms at first, up to
    /// 32 ms.
    private static final long CHECK_FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final long CHECK_LAST_NANOS = TimeUnit.MILLISECONDS.toNanos(32);
    private static final int BUFFER = 16 << 10;

    private final Connection connection;
    private final UnreadInput unread;
    private final IoBuffer input;
    private final long stallNanos;
    private final IoBuffer output = new IoBuffer(BUFFER);

    /// Guards the socket: two threads may read and write, and TLS has one state for both.
    private final Object socketLock = new Object();

    /// @param unread received input that follows the request
    /// @param input the worker's buffer for input
    /// @param stallNanos how long the client may take nothing
    Http1Tunnel(Connection connection, UnreadInput unread, IoBuffer input, long stallNanos) {
        this.connection = connection;
        this.unread = unread;
        this.input = input;
        this.stallNanos = stallNanos;
    }

    @Override
    public int read(byte[] to) throws IOException {
        if (connection.isWaitCancelled()) {
            return -1; // also where the client sends without a pause
        }
        if (!unread.isEmpty()) {
            int count = Math.min(to.length, unread.size());
            System.arraycopy(unread.bytes(), unread.from(), to, 0, count);
            unread.used(count);
            return count;
        }
        ByteBuffer bytes = input.bytes();
        // TLS delivers a record as a whole, or nothing.
        int most =
                TlsSocket.isOf(connection)
                        ? Math.max(to.length, DisconnectProbe.RECORD)
                        : to.length;
        bytes.clear().limit(Math.min(bytes.capacity(), most));
        int count = readSome();
        while (count == 0) {
            try {
                connection.awaitInput(SILENCE_NANOS);
            } catch (TimeoutIOException _) {
                return -1;
            }
            count = readSome();
        }
        bytes.flip();
        int taken = Math.min(to.length, count);
        bytes.get(to, 0, Math.max(0, taken));
        unread.keep(bytes);
        return taken;
    }

    private int readSome() throws ClientGoneException {
        try {
            synchronized (socketLock) {
                return connection.socket().read(input);
            }
        } catch (IOException e) {
            throw new ClientGoneException(e);
        }
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        int at = from;
        while (at < from + length) {
            int count = Math.min(BUFFER, from + length - at);
            output.bytes().clear().put(bytes, at, count).flip();
            push();
            at += count;
        }
    }

    private void push() throws IOException {
        long since = System.nanoTime();
        long wait = CHECK_FIRST_NANOS;
        int before = output.bytes().remaining();
        while (true) {
            writeSome();
            int left = output.bytes().remaining();
            if (left == 0) {
                return;
            }
            long now = System.nanoTime();
            if (left < before) {
                before = left;
                since = now;
                wait = CHECK_FIRST_NANOS;
            } else if (now - since > stallMax()) {
                throw new ClientGoneException("the client takes nothing");
            }
            LockSupport.parkNanos(wait);
            wait = Math.min(2 * wait, CHECK_LAST_NANOS);
        }
    }

    private long stallMax() {
        return connection.isWaitCancelled() ? Math.min(stallNanos, LAST_NANOS) : stallNanos;
    }

    private void writeSome() throws ClientGoneException {
        try {
            synchronized (socketLock) {
                connection.socket().write(output);
            }
        } catch (IOException e) {
            throw new ClientGoneException(e);
        }
    }

    @Override
    public void cancelRead() {
        connection.cancelWait();
    }

    /// The handler ends it as if the client had.
    @Override
    public void endSoon() {
        cancelRead();
    }
}
