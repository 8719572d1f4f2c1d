package dev.tandem.engine;

import dev.tandem.http.Headers;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/// The body of a request on a [ToyConnection]: the loop adds to it while a worker reads.
final class ToyBody extends InputStream implements RequestBody {
    private static final int END = -1;

    private final BlockingQueue<Integer> bytes = new LinkedBlockingQueue<>();
    private volatile long received;

    /// Adds a frame's content. Called by the loop.
    void add(String text) {
        byte[] all = text.getBytes(StandardCharsets.UTF_8);
        for (byte b : all) {
            bytes.add(b & 0xff);
        }
        received += all.length;
    }

    /// Ends the body. Called by the loop.
    void end() {
        bytes.add(END);
    }

    @Override
    public int read() throws IOException {
        try {
            int next = bytes.take();
            if (next == END) {
                bytes.add(END);
            }
            return next;
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    /// Returns what one frame brought, or less: a reader need not wait until its buffer is full.
    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
        int first = read();
        if (first < 0) {
            return -1;
        }
        to[offset] = (byte) first;
        return 1;
    }

    @Override
    public InputStream stream() {
        return this;
    }

    @Override
    public long length() {
        return -1;
    }

    @Override
    public Headers trailers() {
        return Headers.EMPTY;
    }

    @Override
    public long received() {
        return received;
    }
}
