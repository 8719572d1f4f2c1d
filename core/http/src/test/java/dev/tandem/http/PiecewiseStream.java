package dev.tandem.http;

import java.io.InputStream;
import java.util.Objects;

/// Returns bytes in pieces: the first with one size, the others with another.
final class PiecewiseStream extends InputStream {
    private final byte[] bytes;
    private final int others;
    private int next;
    private int at;

    PiecewiseStream(byte[] bytes, int first, int others) {
        this.bytes = bytes;
        this.next = first;
        this.others = others;
    }

    @Override
    public int read() {
        return at < bytes.length ? bytes[at++] & 0xff : -1;
    }

    @Override
    public int read(byte[] to, int from, int length) {
        Objects.checkFromIndexSize(from, length, to.length);
        if (at == bytes.length) {
            return -1;
        }
        int count = Math.min(Math.min(length, next), bytes.length - at);
        System.arraycopy(bytes, at, to, from, count);
        at += count;
        next = others;
        return count;
    }
}
