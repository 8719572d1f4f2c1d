package dev.tandem.engine;

import dev.tandem.net.IoBuffer;
import dev.tandem.net.OpenFile;
import dev.tandem.net.Socket;
import java.io.IOException;

/// A range of a file, which the kernel sends.
public final class FileTail implements ResponseTail {
    private final OpenFile file;
    private long offset;
    private long left;

    /// @param file closed together with it
    public FileTail(OpenFile file, long offset, long length) {
        this.file = file;
        this.offset = offset;
        this.left = length;
    }

    @Override
    public long left() {
        return left;
    }

    @Override
    public long send(Socket socket, IoBuffer output, long most) throws IOException {
        long sent = socket.send(file, offset, Math.min(left, most));
        return sent(sent);
    }

    @Override
    public int read(IoBuffer to) throws IOException {
        int limit = to.bytes().limit();
        int space = (int) Math.min(left, to.bytes().remaining());
        to.bytes().limit(to.bytes().position() + space);
        try {
            return (int) sent(file.read(to, offset));
        } finally {
            to.bytes().limit(limit);
        }
    }

    private long sent(long count) throws IOException {
        if (count < 0) {
            throw new IOException("a file became shorter while it was sent");
        }
        offset += count;
        left -= count;
        return count;
    }

    @Override
    public void close() {
        file.close();
    }
}
