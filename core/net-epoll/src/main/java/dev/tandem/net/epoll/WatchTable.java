package dev.tandem.net.epoll;

import dev.tandem.net.Poller;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// Who watches which descriptor. Read by the loop, written by any thread; grows by chunks, so that
/// no write is lost to a copy.
final class WatchTable {
    private static final int CHUNK = 1024;

    /// 2^20 descriptors, the most that Linux gives a process unless it is built otherwise.
    private static final int CHUNKS = 1024;

    private final AtomicReferenceArray<@Nullable AtomicReferenceArray<@Nullable Watch>> chunks =
            new AtomicReferenceArray<>(CHUNKS);

    /// @param generation tells this owner of the descriptor from earlier ones
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

    /// Forgets a watch unless the descriptor has a new one by now.
    void clear(int fd, Watch watch) {
        chunk(fd / CHUNK).compareAndSet(fd % CHUNK, watch, null);
    }
}
