package dev.tandem.pagecache;

import dev.tandem.files.FileState;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/// Reads as the server does: waits for what an engine decompresses, then transfers.
final class Fetching {
    private Fetching() {}

    static byte[] read(PageCache cache, Path path, long offset, long length) throws IOException {
        try (CachedFile file = cache.open(path, FileState.of(path))) {
            return read(file, offset, length);
        }
    }

    static byte[] read(CachedFile file, long offset, long length) throws IOException {
        var out = new ByteArrayOutputStream();
        while (out.size() < length) {
            var ready = new CompletableFuture<Void>();
            if (file.fetch(offset + out.size(), () -> complete(ready))) {
                ready.join();
            }
            file.transferTo(
                    offset + out.size(),
                    length - out.size(),
                    buffer -> {
                        var bytes = new byte[buffer.remaining()];
                        buffer.get(bytes);
                        out.writeBytes(bytes);
                    });
        }
        return out.toByteArray();
    }

    private static void complete(CompletableFuture<Void> ready) {
        if (!ready.complete(null)) {
            throw new IllegalStateException("ready twice");
        }
    }
}
