package dev.tandem.lab;

import dev.tandem.pagecache.Disk;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/// A disk with a limited rate in bytes per second for all readers together, one after the other.
/// Safe for all threads.
final class SlowDisk implements Disk {
    private static final double SECOND_NANOS = 1e9;

    private final Disk disk;
    private final LongSupplier nanoTime;
    private final Pause pause;
    private long bytesPerSecond;
    private long freeNanos;

    /// Waits for a time.
    interface Pause {
        void nanos(long nanos) throws InterruptedException;
    }

    SlowDisk(Disk disk, LongSupplier nanoTime, Pause pause) {
        this.disk = disk;
        this.nanoTime = nanoTime;
        this.pause = pause;
        this.freeNanos = nanoTime.getAsLong();
    }

    /// As fast as the given disk until it is limited.
    static SlowDisk of(Disk disk) {
        return new SlowDisk(disk, System::nanoTime, TimeUnit.NANOSECONDS::sleep);
    }

    /// @param bytesPerSecond from now on; 0 for no limit
    synchronized void limit(long bytesPerSecond) {
        this.bytesPerSecond = bytesPerSecond;
    }

    /// How long a read has to wait, in nanoseconds: until the reads before it and the read itself
    /// are done.
    private synchronized long reserve(long bytes) {
        long now = nanoTime.getAsLong();
        if (bytesPerSecond == 0) {
            return 0;
        }
        freeNanos = Math.max(now, freeNanos) + (long) (bytes * SECOND_NANOS / bytesPerSecond);
        return freeNanos - now;
    }

    @Override
    public OpenFile open(Path path) throws IOException {
        return new Slow(disk.open(path));
    }

    private final class Slow implements OpenFile {
        private final OpenFile opened;

        Slow(OpenFile opened) {
            this.opened = opened;
        }

        @Override
        public long read(long position, ByteBuffer[] to, long length) throws IOException {
            long count = opened.read(position, to, length);
            try {
                pause.nanos(reserve(Math.max(0, count)));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while a slow disk read");
            }
            return count;
        }

        @Override
        public void close() throws IOException {
            opened.close();
        }
    }
}
