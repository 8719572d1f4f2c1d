package dev.tandem.engine;

import dev.tandem.net.IoBuffer;
import dev.tandem.net.Socket;
import java.io.IOException;

/// Content that records how it was used: it sends nothing, but counts.
final class CountedTail implements ResponseTail {
    private final int atOnce;
    private final long length;
    private long left;
    int calls;
    int closes;
    boolean isHeldUp;

    /// Fails once so many bytes or more would have been sent.
    long failsAt = Long.MAX_VALUE;

    /// @param atOnce maximum number of bytes that one call takes
    CountedTail(long length, int atOnce) {
        this.length = length;
        this.left = length;
        this.atOnce = atOnce;
    }

    @Override
    public long left() {
        return left;
    }

    @Override
    public long send(Socket socket, IoBuffer output, long most) throws IOException {
        calls++;
        long sent = Math.min(Math.min(atOnce, most), left);
        if (length - left + sent >= failsAt) {
            throw new IOException("on purpose");
        }
        left -= sent;
        return sent;
    }

    @Override
    public int read(IoBuffer to) {
        throw new UnsupportedOperationException("this content is only counted");
    }

    @Override
    public boolean isHeldUp() {
        return isHeldUp;
    }

    @Override
    public void close() {
        closes++;
    }
}
