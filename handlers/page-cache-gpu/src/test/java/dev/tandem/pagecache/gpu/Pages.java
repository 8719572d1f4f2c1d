package dev.tandem.pagecache.gpu;

import dev.tandem.files.FileCache;
import dev.tandem.files.FileState;
import dev.tandem.pagecache.CacheOptions;
import dev.tandem.pagecache.CompressionEngine;
import dev.tandem.pagecache.PageCache;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/// Contents that compress, and files of them that are read through a cache.
final class Pages {
    static final int PAGE = 4 << 10;
    private static final int FILES = 24;
    private static final long OLD = 1_000_000_000_000L;

    private Pages() {}

    /// Returns text-like bytes.
    static byte[] text(int length, long seed) {
        var random = new Random(seed);
        var bytes = new byte[length];
        int at = 0;
        while (at < length) {
            String word = "word" + random.nextInt(40) + ' ';
            for (int i = 0; i < word.length() && at < length; i++) {
                bytes[at++] = (byte) word.charAt(i);
            }
        }
        return bytes;
    }

    static void write(Path folder) throws IOException {
        for (int i = 0; i < FILES; i++) {
            Path file = Files.write(folder.resolve("f" + i), content(i));
            Files.setLastModifiedTime(file, FileTime.fromMillis(OLD + i));
        }
    }

    private static byte[] content(int index) {
        return text(1_000 + 700 * index, index);
    }

    /// A cache that is smaller than the files.
    static PageCache cache(CompressionEngine engine) {
        return PageCache.of(
                CacheOptions.DEFAULT.withBytes(96 << 10).withPageBytes(PAGE).withCompressorShare(1),
                engine);
    }

    /// Reads files at random.
    ///
    /// @throws AssertionError if a byte is wrong
    static void readAtRandom(PageCache cache, Path folder, long seed) {
        var random = new Random(seed);
        for (int i = 0; i < FILES; i++) {
            int index = random.nextInt(FILES);
            try {
                byte[] read = read(cache, folder.resolve("f" + index));
                if (!Arrays.equals(content(index), read)) {
                    throw new AssertionError("wrong bytes of file " + index);
                }
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
    }

    private static byte[] read(PageCache cache, Path path) throws IOException {
        var out = new ByteArrayOutputStream();
        FileState state = FileState.of(path);
        try (FileCache.Content file = cache.open(path.toRealPath(), state)) {
            while (out.size() < state.size()) {
                var ready = new CompletableFuture<Boolean>();
                if (file.fetch(out.size(), () -> ready.complete(true))) {
                    ready.join();
                }
                file.transferTo(
                        out.size(),
                        state.size() - out.size(),
                        buffer -> {
                            var bytes = new byte[buffer.remaining()];
                            buffer.get(bytes);
                            out.writeBytes(bytes);
                        });
            }
        }
        return out.toByteArray();
    }
}
