package dev.tandem.testkit;

import java.io.IOException;

/// One direction of a [MemoryPipe]: a bounded queue of bytes. Never blocks. Safe for use by any
/// thread.
public final class MemoryStream {
    private final byte[] ring;
    private final Runnable onChange;
    private int first;
    private int size;
    private boolean isEnded;
    private boolean isBroken;

    MemoryStream(int capacity, Runnable onChange) {
        this.ring = new byte[capacity];
        this.onChange = onChange;
    }

    /// Writes as many bytes as fit.
    ///
    /// @return the number of bytes written
    /// @throws IOException if the stream is ended or broken
    public int offer(byte[] bytes, int from, int to) throws IOException {
        int count;
        synchronized (this) {
            if (isBroken || isEnded) {
                throw new IOException("the stream is " + (isBroken ? "broken" : "ended"));
            }
            count = Math.min(to - from, ring.length - size);
            for (int i = 0; i < count; i++) {
                ring[(first + size + i) % ring.length] = bytes[from + i];
            }
            size += count;
        }
        onChange.run();
        return count;
    }

    /// Reads the available bytes.
    ///
    /// @return the number of bytes; 0 if there are none, -1 at the end
    /// @throws IOException if the stream is broken
    public int take(byte[] to, int from, int length) throws IOException {
        int count;
        synchronized (this) {
            if (isBroken) {
                throw new IOException("the stream is broken");
            }
            count = Math.min(length, size);
            for (int i = 0; i < count; i++) {
                to[from + i] = ring[(first + i) % ring.length];
            }
            first = (first + count) % ring.length;
            size -= count;
            if (count == 0 && length > 0 && isEnded) {
                return -1;
            }
        }
        onChange.run();
        return count;
    }

    /// The number of bytes in the stream.
    public synchronized int size() {
        return size;
    }

    public synchronized int capacity() {
        return ring.length;
    }

    /// Ends the stream after what is in it.
    public void end() {
        synchronized (this) {
            isEnded = true;
        }
        onChange.run();
    }

    public synchronized boolean isEnded() {
        return isEnded;
    }

    /// Whether [#take] would return something other than 0.
    public synchronized boolean isReadable() {
        return size > 0 || isEnded || isBroken;
    }

    /// Whether [#offer] would accept a byte, or throw.
    public synchronized boolean isWritable() {
        return size < ring.length || isEnded || isBroken;
    }

    /// Drops the content; from now on both sides fail.
    public void breakOff() {
        synchronized (this) {
            isBroken = true;
            size = 0;
        }
        onChange.run();
    }
}
