package dev.tandem.net.epoll;

import dev.tandem.net.Poller;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// The watch of each descriptor. Read by the loop, written by any thread; grows by chunks, so that
/// no write is lost during copying.
final class WatchTable {
    private static final int CHUNK = 1024;

    /// 2^20 descriptors, the default maximum of Linux per process.
    private static final int CHUNKS = 1024;

    private final AtomicReferenceArray<@Nullable AtomicReferenceArray<@Nullable Watch>> chunks =
            new AtomicReferenceArray<>(CHUNKS);

    /// @param generation distinguishes this socket from earlier ones with the same descriptor
    record Watch(int generation, Poller.ReadinessListener readiness, EpollDescriptor descriptor) {}

    @Nullable Watch get(int fd) {
        if (fd < 0 || fd >= CHUNK * CHUNKS) {
            return null;
        }
        AtomicReferenceArray<@Nullable Watch> chunk = chunks.get(fd / CHUNK);
        return chunk == null ? null : chunk.get(fd % CHUNK);
    }

    void put(int fd, Watch watch) throws IOException {
        if (fd >= CHUNK * CHUNKS) {
            throw new IOException("descriptor " + fd + " is beyond " + CHUNK * CHUNKS);
        }
        chunk(fd / CHUNK).set(fd % CHUNK, watch);
    }

    private AtomicReferenceArray<@Nullable Watch> chunk(int index) {
        AtomicReferenceArray<@Nullable Watch> chunk = chunks.get(index);
        if (chunk != null) {
            return chunk;
        }
        chunks.compareAndSet(index, null, new AtomicReferenceArray<>(CHUNK));
        chunk = chunks.get(index);
        if (chunk == null) {
            throw new IllegalStateException("chunks are never taken back");
        }
        return chunk;
    }

    /// Removes a watch unless the descriptor already has a new one.
    void clear(int fd, Watch watch) {
        replace(fd, watch, null);
    }

    /// Replaces a watch unless the descriptor already has a new one.
    void replace(int fd, Watch watch, @Nullable Watch other) {
        chunk(fd / CHUNK).compareAndSet(fd % CHUNK, watch, other);
    }
}
