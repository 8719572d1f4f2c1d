package dev.tandem.http;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Stores bytes in memory up to a limit, and beyond it in a temporary file. Written by one thread,
/// completed by [#finish()], then read.
final class Spool implements AutoCloseable {
    private final int memoryMax;
    private final Path directory;
    private final ByteArrayOutputStream memory = new ByteArrayOutputStream();
    private byte[] content = new byte[0];
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
            memory.writeTo(toFile);
            memory.reset();
        }
        if (toFile == null) {
            memory.write(bytes, from, length);
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
            content = memory.toByteArray();
        } else {
            toFile.close();
        }
    }

    long size() {
        return size;
    }

    int memoryBytes() {
        return content.length;
    }

    /// Returns the temporary file, or null if the bytes are in memory.
    @Nullable Path file() {
        return file;
    }

    InputStream open() throws IOException {
        return file == null ? new ByteArrayInputStream(content) : Files.newInputStream(file);
    }

    byte[] bytes() throws IOException {
        return file == null ? content.clone() : Files.readAllBytes(file);
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
