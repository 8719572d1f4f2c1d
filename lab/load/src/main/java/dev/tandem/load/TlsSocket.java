package dev.tandem.load;

import dev.tandem.net.ByteStream;
import dev.tandem.net.IoBuffer;
import dev.tandem.net.Poller;
import dev.tandem.net.Socket;
import java.io.IOException;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// A client's TLS around a socket. Key operations run on the calling thread: a generator has no
/// other threads for them. Confined to one load thread.
final class TlsSocket implements ByteStream {
    private static final byte[] NOTHING = {};

    /// The maximum number of steps of one handshake in one event: far more than any has.
    private static final int STEPS_MAX = 1_000;

    private final Socket inner;
    private final SSLEngine engine;
    private final TlsClient client;
    private final TlsClient.Buffers buffers;

    /// Received records, the last of them in part.
    private byte[] unread = NOTHING;

    /// Decrypted bytes that did not fit into the caller's buffer.
    private byte[] plain = NOTHING;

    /// Encrypted bytes that did not fit into the kernel's buffer.
    private byte[] unsent = NOTHING;

    private boolean isConnected;
    private boolean isShaken;
    private boolean isResumed = true;
    private boolean isEnded;
    private boolean isReleased;

    TlsSocket(Socket inner, SSLEngine engine, TlsClient client) {
        this.inner = inner;
        this.engine = engine;
        this.client = client;
        this.buffers = client.buffers();
    }

    /// Whether TCP has connected, so that a handshake has begun.
    boolean isConnected() {
        return isConnected;
    }

    /// Whether the handshake resumed an earlier session.
    boolean isResumed() {
        return isResumed;
    }

    /// The protocol that the server chose by ALPN; null or empty for none.
    @Nullable String applicationProtocol() {
        return engine.getApplicationProtocol();
    }

    /// Whether records wait for the kernel to accept them.
    boolean isSending() {
        return unsent.length > 0;
    }

    /// The readiness it waits for until it is connected.
    int interest() {
        return isConnected && !isSending() ? Poller.READ : Poller.READ | Poller.WRITE;
    }

    /// Sends the remaining records, as far as the kernel accepts them.
    void flush() throws IOException {
        if (unsent.length > 0) {
            byte[] left = unsent;
            unsent = NOTHING;
            for (int at = 0; at < left.length && unsent.length == 0; ) {
                ByteBuffer out = buffers.out.bytes().clear();
                int count = Math.min(out.capacity(), left.length - at);
                out.put(left, at, count);
                at += count;
                send();
                if (unsent.length > 0) {
                    unsent = joined(unsent, left, at);
                }
            }
        }
    }

    private static byte[] joined(byte[] first, byte[] second, int from) {
        var both = new byte[first.length + second.length - from];
        System.arraycopy(first, 0, both, 0, first.length);
        System.arraycopy(second, from, both, first.length, second.length - from);
        return both;
    }

    @Override
    public boolean finishConnect() throws IOException {
        if (!isConnected) {
            if (!inner.finishConnect()) {
                return false;
            }
            isConnected = true;
            engine.beginHandshake();
        }
        flush();
        long before = client.trust().askedCount();
        try {
            return shakeHands();
        } finally {
            isResumed &= client.trust().askedCount() == before;
        }
    }

    private boolean shakeHands() throws IOException {
        HandshakeStatus status = engine.getHandshakeStatus();
        for (int i = 0; i < STEPS_MAX && !isShaken && !isSending(); i++) {
            switch (status) {
                case NEED_TASK -> runTasks();
                case NEED_WRAP -> wrap(buffers.nothing);
                case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                    if (!unwrapHandshake()) {
                        return false;
                    }
                }
                case FINISHED, NOT_HANDSHAKING -> isShaken = true;
            }
            status = engine.getHandshakeStatus();
        }
        return isShaken;
    }

    private void runTasks() {
        for (Runnable task = engine.getDelegatedTask();
                task != null;
                task = engine.getDelegatedTask()) {
            task.run();
        }
    }

    /// @return false if more bytes must be received first
    private boolean unwrapHandshake() throws IOException {
        ByteBuffer in = fill();
        SSLEngineResult result = engine.unwrap(in, buffers.plain.clear());
        keep(in);
        if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
            throw new SSLException("the server ended TLS in the handshake");
        }
        if (result.getStatus() == SSLEngineResult.Status.BUFFER_UNDERFLOW) {
            // BoringSSL reports only now that the record before was the last one.
            HandshakeStatus now = engine.getHandshakeStatus();
            if (isEnded && now == HandshakeStatus.NEED_UNWRAP) {
                throw new SSLException("the server closed the connection in the handshake");
            }
            return now != HandshakeStatus.NEED_UNWRAP;
        }
        return true;
    }

    /// Returns the kept bytes and those received since.
    private ByteBuffer fill() throws IOException {
        ByteBuffer in = buffers.in.bytes().clear();
        in.put(unread);
        unread = NOTHING;
        if (!isEnded && in.hasRemaining()) {
            isEnded = inner.read(buffers.in) < 0;
        }
        return in.flip();
    }

    private void keep(ByteBuffer in) {
        if (in.hasRemaining()) {
            unread = new byte[in.remaining()];
            in.get(unread);
        }
    }

    @Override
    public int read(IoBuffer to) throws IOException {
        ByteBuffer destination = to.bytes();
        if (plain.length > 0) {
            return give(ByteBuffer.wrap(plain), destination);
        }
        ByteBuffer in = fill();
        int count = 0;
        boolean isMore = true;
        while (isMore && plain.length == 0) {
            SSLEngineResult result = engine.unwrap(in, buffers.plain.clear());
            isMore = result.getStatus() == SSLEngineResult.Status.OK && result.bytesConsumed() > 0;
            isEnded |= result.getStatus() == SSLEngineResult.Status.CLOSED;
            if (result.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
                runTasks();
            }
            count += give(buffers.plain.flip(), destination);
        }
        keep(in);
        if (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP && !isEnded) {
            wrap(buffers.nothing); // the response to a key update
        }
        return count == 0 && isEnded ? -1 : count;
    }

    /// Copies as much as fits and keeps the remainder.
    private int give(ByteBuffer from, ByteBuffer destination) {
        int count = Math.min(from.remaining(), destination.remaining());
        destination.put(destination.position(), from, from.position(), count);
        destination.position(destination.position() + count);
        from.position(from.position() + count);
        plain = NOTHING;
        if (from.hasRemaining()) {
            plain = new byte[from.remaining()];
            from.get(plain);
        }
        return count;
    }

    @Override
    public int write(IoBuffer from) throws IOException {
        flush();
        int before = from.bytes().remaining();
        if (before > 0 && !isSending()) {
            wrap(from.bytes());
        }
        return before - from.bytes().remaining();
    }

    private void wrap(ByteBuffer from) throws IOException {
        SSLEngineResult result = engine.wrap(from, buffers.out.bytes().clear());
        if (result.getStatus() == SSLEngineResult.Status.CLOSED && from.hasRemaining()) {
            throw new IOException("connection reset: TLS was ended");
        }
        send();
    }

    /// Sends the content of the shared buffer and keeps what the kernel does not accept.
    private void send() throws IOException {
        ByteBuffer out = buffers.out.bytes().flip();
        while (out.hasRemaining() && inner.write(buffers.out) > 0) {
            // The kernel accepts no more for now.
        }
        if (out.hasRemaining()) {
            unsent = new byte[out.remaining()];
            out.get(unsent);
        }
    }

    @Override
    public void shutdownOutput() throws IOException {
        inner.shutdownOutput();
    }

    /// Sends close_notify first (RFC 8446, section 6.1), if the kernel accepts it.
    @Override
    public void close() {
        try {
            if (isShaken && !isSending() && !isReleased) {
                engine.closeOutbound();
                wrap(buffers.nothing);
            }
        } catch (IOException e) {
            // The server has disconnected already.
        } finally {
            inner.close();
            release();
        }
    }

    @Override
    public void abort() {
        inner.abort();
        release();
    }

    private void release() {
        if (!isReleased) {
            isReleased = true;
            client.engines().release(engine);
        }
    }
}
