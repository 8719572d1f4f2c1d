package dev.tandem.cgi;

import dev.tandem.http.Request;
import dev.tandem.http.StorageException;
import dev.tandem.http.StoringStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// A request's content with its length, which a program needs before it reads (RFC 3875, section
/// 4.1.2). It is complete: what is held while a program reads it waits for no client.
///
/// @param length in bytes
/// @param stream in memory, or of a temporary file
public record Content(long length, InputStream stream) implements AutoCloseable {
    /// How much is held in memory: content of 64 KiB or more goes to a temporary file.
    private static final int MEMORY_MAX = 64 << 10;

    private static final StandardOpenOption DELETE = StandardOpenOption.DELETE_ON_CLOSE;

    /// Reads the whole content.
    ///
    /// @throws StorageException if the disk is full, or fails
    /// @throws IOException if the client has disconnected
    public static Content of(Request request) throws IOException {
        return request.contentLength() == 0
                ? new Content(0, request.body())
                : read(request.body(), Content::temporaryFile);
    }

    private static Path temporaryFile() throws IOException {
        return Files.createTempFile("tandem-cgi-", ".body");
    }

    /// Makes a temporary file.
    @FunctionalInterface
    interface FileCreator {
        Path create() throws IOException;
    }

    static Content read(InputStream body, FileCreator files) throws IOException {
        byte[] first = body.readNBytes(MEMORY_MAX);
        if (first.length < MEMORY_MAX) {
            return new Content(first.length, new ByteArrayInputStream(first));
        }
        Path file;
        try {
            file = files.create();
        } catch (IOException e) {
            throw new StorageException(e);
        }
        try {
            try (OutputStream out = new StoringStream(Files.newOutputStream(file))) {
                out.write(first);
                body.transferTo(out);
            }
            long length = Files.size(file);
            return new Content(length, Files.newInputStream(file, DELETE));
        } catch (IOException | RuntimeException | Error e) {
            Files.deleteIfExists(file);
            throw e;
        }
    }

    public boolean isEmpty() {
        return length == 0;
    }

    @Override
    public void close() throws IOException {
        stream.close();
    }
}
