package dev.tandem.engine;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.Objects;

/// A response that is produced while it is sent. Writing waits while the client does not read, so
/// the handler is as fast as the client. Confined to the worker.
///
/// Content that fits the buffer is sent in one piece with its length; longer content goes in
/// chunks, or unframed if its length was set or the client uses HTTP/1.0.
final class ResponseStream extends OutputStream implements WritableByteChannel {
    private static final int BUFFER = 8192;

    /// Maximum size of content that is produced without being sent, to HEAD for example, before its
    /// handler is stopped: 64 KiB, or what it produces in a second. So short streams end as they do
    /// for GET, and endless ones end too.
    private static final int UNSENT_MAX = 65_536;

    private static final long UNSENT_NANOS = 1_000_000_000L;

    private final ServerExchange exchange;
    private final ExchangeIo io;
    private final long declared;
    private byte[] buffer = new byte[BUFFER];
    private int buffered;
    private long written;
    private boolean isBegun;
    private boolean isClosed;

    /// When the head of a response without content was sent.
    private long unsentSince;

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

    /// For content outside of the heap: it is copied once, to the buffer that it is sent from.
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
            throw new IOException("the response is complete");
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
                begin(); // so that the client sees the head of a slow response
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
            throw exchange.clientGone(e);
        } catch (RuntimeException | Error e) {
            isClosed = true;
            throw e;
        }
    }

    /// An error, such as a lack of memory: it is unknown what was sent, so nothing may follow.
    private void cut() {
        isClosed = true;
        exchange.cut();
    }

    private void piece(ByteBuffer bytes) throws IOException {
        int length = bytes.remaining();
        if (!isBegun) {
            begin();
        }
        if (!exchange.hasContent()) {
            bytes.position(
                    bytes.limit()); // consumed, as a channel must: else callers retry for ever
            discard();
            return;
        }
        exchange.sent(length);
        try {
            io.write(bytes);
        } catch (IOException e) {
            throw exchange.clientGone(e);
        } catch (RuntimeException | Error e) {
            cut();
            throw e;
        }
    }

    private void discard() throws IOException {
        long now = io.nanos();
        if (unsentSince == 0) {
            send();
            unsentSince = now;
        } else if (written > UNSENT_MAX || now - unsentSince > UNSENT_NANOS) {
            isClosed = true;
            throw new ResponseOverException();
        }
    }

    private void send() throws IOException {
        try {
            io.flush();
        } catch (IOException e) {
            throw exchange.clientGone(e);
        } catch (RuntimeException | Error e) {
            cut();
            throw e;
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
            buffer = new byte[0]; // owned by the server now
            return;
        }
        if (!isBegun && written < declared && exchange.hasContent()) {
            isClosed = true;
            throw new IllegalStateException(tooShort()); // nothing is sent yet: it can be a 500
        }
        sendBuffered();
        if (!isBegun) {
            begin();
        }
        isClosed = true;
        if (declared >= 0 && written < declared && exchange.hasContent()) {
            throw exchange.clientGone(new IOException(tooShort()));
        }
        try {
            io.end(exchange.trailers());
        } catch (IOException e) {
            throw exchange.clientGone(e);
        } catch (RuntimeException | Error e) {
            cut();
            throw e;
        }
    }

    private String tooShort() {
        return "Content-Length was " + declared + ", only " + written + " came";
    }
}
