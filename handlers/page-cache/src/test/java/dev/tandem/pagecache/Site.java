package dev.tandem.pagecache;

import dev.tandem.files.FileState;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/// Files on disk and their expected content.
final class Site {
    private final Path root;
    private final Map<Path, byte[]> files = new HashMap<>();
    private long time = 1_000_000_000L;

    Site(Path root) {
        this.root = root;
    }

    /// Creates files of many sizes, compressible and not.
    static Site of(Path root, int count, long seed) throws IOException {
        var site = new Site(root);
        var random = new Random(seed);
        for (int i = 0; i < count; i++) {
            site.write("f" + i, Contents.of(i, size(random), random.nextBoolean() ? 100 : 25));
        }
        return site;
    }

    private static int size(Random random) {
        return switch (random.nextInt(6)) {
            case 0 -> random.nextInt(3);
            case 1 -> 4_096 * random.nextInt(1, 5);
            case 2 -> random.nextInt(3_000);
            default -> random.nextInt(400_000);
        };
    }

    /// Writes a file with a unique modification time.
    Path write(String name, byte[] bytes) throws IOException {
        Path file = root.resolve(name);
        Files.write(file, bytes);
        time += 1_000;
        Files.setLastModifiedTime(file, FileTime.fromMillis(time));
        files.put(file, bytes);
        return file;
    }

    Path file(int index) {
        return root.resolve("f" + index);
    }

    byte[] bytes(Path file) {
        return Objects.requireNonNull(files.get(file));
    }

    int count() {
        return files.size();
    }

    static byte[] read(PageCache cache, Path path, long offset, long length) throws IOException {
        try (CachedFile file = cache.open(path, FileState.of(path))) {
            return read(file, offset, length);
        }
    }

    static byte[] read(CachedFile file, long offset, long length) throws IOException {
        var out = new ByteArrayOutputStream();
        file.copy(
                offset,
                length,
                buffer -> {
                    var bytes = new byte[buffer.remaining()];
                    buffer.get(bytes);
                    out.writeBytes(bytes);
                });
        return out.toByteArray();
    }

    /// Reads a stored file completely.
    static byte[] coded(StoredFile stored) throws IOException {
        var out = new ByteArrayOutputStream();
        while (out.size() < stored.length()) {
            stored.transferTo(
                    out.size(),
                    buffer -> {
                        var bytes = new byte[buffer.remaining()];
                        buffer.get(bytes);
                        out.writeBytes(bytes);
                    });
        }
        return out.toByteArray();
    }
}
