package dev.tandem.pagecache;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/// The file with a [RestoreList]. Its size is bounded by the heap: a 32nd of its maximum, at most
/// 32 MiB, which is a list of three million runs of pages.
final class RestoreFile {
    private static final int BYTES_MAX = 32 << 20;
    private static final int BYTES_MIN = 64 << 10;
    private static final int HEAP_SHARE = 32;

    private final Path path;
    private final int pageBytes;
    private final int bytesMax;

    /// @throws IllegalArgumentException if no file can be written there; says why
    RestoreFile(Path path, int pageBytes) {
        this.path = path.toAbsolutePath().normalize();
        this.pageBytes = pageBytes;
        long share = Runtime.getRuntime().maxMemory() / HEAP_SHARE;
        this.bytesMax = Math.clamp(share, BYTES_MIN, BYTES_MAX);
        Path folder = this.path.getParent();
        if (folder == null || !Files.isDirectory(folder) || !Files.isWritable(folder)) {
            throw new IllegalArgumentException("no file can be written in " + folder);
        }
        if (Files.isDirectory(this.path)) {
            throw new IllegalArgumentException(this.path + " is a folder");
        }
    }

    Path path() {
        return path;
    }

    /// Reads the list; an empty one if there is no file.
    ///
    /// @throws IOException if it cannot be read
    RestoreFormat.Parsed read() throws IOException {
        if (!Files.exists(path)) {
            return new RestoreFormat.Parsed.Good(RestoreList.EMPTY);
        }
        if (!Files.isRegularFile(path)) { // opening a pipe would wait
            return new RestoreFormat.Parsed.Bad("it is not a file");
        }
        byte[] bytes;
        try (InputStream in = Files.newInputStream(path)) {
            bytes = in.readNBytes(bytesMax + 1);
        }
        return bytes.length > bytesMax
                ? new RestoreFormat.Parsed.Bad("it has more than " + bytesMax + " bytes")
                : RestoreFormat.parse(bytes, pageBytes);
    }

    /// Replaces the file: it has the former content or the new one, whatever happens.
    ///
    /// @throws IOException if that fails; then the file is as it was
    void write(RestoreList list) throws IOException {
        byte[] bytes = RestoreFormat.bytes(list, pageBytes, bytesMax);
        Path next = Files.createTempFile(path.getParent(), "." + path.getFileName(), ".new");
        boolean isDone = false;
        try {
            try (var to = FileChannel.open(next, StandardOpenOption.WRITE)) {
                var buffer = ByteBuffer.wrap(bytes);
                while (buffer.hasRemaining()) {
                    to.write(buffer);
                }
                to.force(true);
            }
            Files.move(next, path, StandardCopyOption.ATOMIC_MOVE);
            isDone = true;
        } finally {
            if (!isDone) {
                Files.deleteIfExists(next);
            }
        }
    }
}
