package dev.tandem.engine;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.Objects;

/// An answer that is made while it is sent. Writing waits while the client does not take it, so the
/// handler goes at the client's pace. Confined to the worker.
///
/// What fits the buffer until the end is sent in one piece with its length; what does not goes in
/// chunks, or as it is if its length was set or the client is of HTTP/1.0.
final class ResponseStream extends OutputStream implements WritableByteChannel {
    private static final int BUFFER = 8192;

    /// How much content is made in vain for an answer that has none, to HEAD for example, before
    /// its handler is stopped: 64 KiB, or what it makes in a second. Short streams so end as they
    /// do for GET, and one without end ends too.
    private static final int VAIN_MAX = 65_536;

    private static final long VAIN_NANOS = 1_000_000_000L;

    private final ServerExchange exchange;
    private final ExchangeIo io;
    private final long declared;
    private byte[] buffer = new byte[BUFFER];
    private int buffered;
    private long written;
    private boolean isBegun;
    private boolean isClosed;

    /// When the head of an answer without content was sent.
    private long vainSince;

    ResponseStream(ServerExchange exchange, ExchangeIo io) {
        this.exchange = exchange;
        this.io = io;
        this.declared = exchange.headers().contentLength();
    }

    @Override
    public void write(int b) throws IOException {
        if (buffered == buffer.length) {
            sendBuffered();
        }
        count(1);
        buffer[buffered++] = (byte) b;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        count(length);
        if (length > buffer.length - buffered) {
            sendBuffered();
        }
        if (length >= buffer.length) {
            piece(ByteBuffer.wrap(bytes, offset, length));
        } else {
            System.arraycopy(bytes, offset, buffer, buffered, length);
            buffered += length;
        }
    }

    /// For content outside of the heap: it is copied once, to where it is sent from.
    @Override
    public int write(ByteBuffer bytes) throws IOException {
        int length = bytes.remaining();
        if (length > 0) {
            count(length);
            sendBuffered();
            piece(bytes);
        }
        return length;
    }

    @Override
    public boolean isOpen() {
        return !isClosed;
    }

    private void count(int length) throws IOException {
        if (isClosed) {
            throw new IOException("the answer is ended");
        }
        if (declared >= 0 && written + length > declared) {
            throw new IOException("Content-Length was set to " + declared + ", more is written");
        }
        written += length;
    }

    /// Sends what was written so far.
    @Override
    public void flush() throws IOException {
        if (!isClosed) {
            sendBuffered();
            if (!isBegun) {
                begin(); // so that the client sees the head of an answer that takes its time
                send();
            }
        }
    }

    private void sendBuffered() throws IOException {
        if (buffered > 0) {
            int length = buffered;
            buffered = 0;
            piece(ByteBuffer.wrap(buffer, 0, length));
        }
    }

    private void begin() throws IOException {
        isBegun = true;
        try {
            exchange.begin(declared);
        } catch (IOException e) {
            throw exchange.gone(e);
        }
    }

    private void piece(ByteBuffer bytes) throws IOException {
        int length = bytes.remaining();
        if (!isBegun) {
            begin();
        }
        if (!exchange.hasContent()) {
            bytes.position(bytes.limit()); // taken, as a channel must: else callers try for ever
            passOver();
            return;
        }
        exchange.sent(length);
        try {
            io.write(bytes);
        } catch (IOException e) {
            throw exchange.gone(e);
        }
    }

    private void passOver() throws IOException {
        long now = io.nanos();
        if (vainSince == 0) {
            send();
            vainSince = now;
        } else if (written > VAIN_MAX || now - vainSince > VAIN_NANOS) {
            isClosed = true;
            throw new ResponseOverException();
        }
    }

    private void send() throws IOException {
        try {
            io.flush();
        } catch (IOException e) {
            throw exchange.gone(e);
        }
    }

    @Override
    public void close() throws IOException {
        if (isClosed) {
            return;
        }
        boolean isWhole = !isBegun && declared < 0 && exchange.trailers() == null;
        if (isWhole) {
            isClosed = true;
            exchange.sendBytes(buffer, buffered);
            buffer = new byte[0]; // the server's now
            return;
        }
        if (!isBegun && written < declared && exchange.hasContent()) {
            isClosed = true;
            throw new IllegalStateException(tooLittle()); // nothing is sent yet: it can be a 500
        }
        sendBuffered();
        if (!isBegun) {
            begin();
        }
        isClosed = true;
        if (declared >= 0 && written < declared && exchange.hasContent()) {
            throw exchange.gone(new IOException(tooLittle()));
        }
        try {
            io.end(exchange.trailers());
        } catch (IOException e) {
            throw exchange.gone(e);
        }
    }

    private String tooLittle() {
        return "Content-Length was " + declared + ", only " + written + " came";
    }
}
