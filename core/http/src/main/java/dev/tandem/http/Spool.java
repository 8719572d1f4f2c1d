package dev.tandem.http;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Keeps bytes in memory up to a number of them, and in a temporary file beyond. Written by one
/// thread, then [#finish()]ed, then read.
final class Spool implements AutoCloseable {
    private final int memoryMax;
    private final Path folder;
    private final ByteArrayOutputStream memory = new ByteArrayOutputStream();
    private byte[] content = new byte[0];
    private @Nullable Path file;
    private @Nullable OutputStream toFile;
    private long size;

    /// @param folder where the file is made
    Spool(int memoryMax, Path folder) {
        this.memoryMax = memoryMax;
        this.folder = folder;
    }

    void write(byte[] bytes, int from, int length) throws IOException {
        if (toFile == null && size + length > memoryMax) {
            // Only its owner may read a file made so.
            file = Files.createTempFile(folder, "tandem-form-", ".part");
            toFile = Files.newOutputStream(file);
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

    /// The file, where it is not kept in memory.
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
