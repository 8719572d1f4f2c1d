package dev.tandem.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Stores bytes in memory up to a limit, and beyond it in a temporary file. Written by one thread,
/// completed by [#finish()], then read.
final class Spool implements AutoCloseable {
    private static final byte[] NOTHING = {};

    private final int memoryMax;
    private final Path directory;

    /// What is in memory, of which the first `size` bytes are used; empty once there is a file.
    private byte[] memory = NOTHING;

    private @Nullable Path file;
    private @Nullable OutputStream toFile;
    private long size;

    /// @param directory the directory of the temporary file
    Spool(int memoryMax, Path directory) {
        this.memoryMax = memoryMax;
        this.directory = directory;
    }

    void write(byte[] bytes, int from, int length) throws IOException {
        if (toFile == null && size + length > memoryMax) {
            toFile = openFile();
            toFile.write(memory, 0, (int) size);
            memory = NOTHING;
        }
        if (toFile == null) {
            int used = (int) size;
            if (used + length > memory.length) {
                int grown = Math.min(2 * memory.length, memoryMax);
                memory = Arrays.copyOf(memory, Math.max(used + length, grown));
            }
            System.arraycopy(bytes, from, memory, used, length);
        } else {
            toFile.write(bytes, from, length);
        }
        size += length;
    }

    private OutputStream openFile() throws StorageException {
        try {
            // A file created this way is readable only by its owner.
            Path made = Files.createTempFile(directory, "tandem-form-", ".part");
            file = made;
            return new StoringStream(Files.newOutputStream(made));
        } catch (IOException e) {
            throw new StorageException(e);
        }
    }

    /// Ends writing.
    void finish() throws IOException {
        if (toFile == null) {
            memory = Arrays.copyOf(memory, (int) size);
        } else {
            toFile.close();
        }
    }

    long size() {
        return size;
    }

    /// Returns how much memory its content has now.
    int memoryBytes() {
        return memory.length;
    }

    /// Returns the temporary file, or null if the bytes are in memory.
    @Nullable Path file() {
        return file;
    }

    InputStream open() throws IOException {
        return file == null ? new ByteArrayInputStream(memory) : Files.newInputStream(file);
    }

    byte[] bytes() throws IOException {
        return file == null ? memory.clone() : Files.readAllBytes(file);
    }

    /// Deletes the file.
    @Override
    public void close() throws IOException {
        try {
            if (toFile != null) {
                toFile.close();
            }
        } finally {
            if (file != null) {
                Files.deleteIfExists(file);
            }
        }
    }
}
