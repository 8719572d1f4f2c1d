package dev.tandem.http;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// One field or file of a multipart form (RFC 7578, section 4). Valid as long as its [Form] is
/// open.
public final class Part implements AutoCloseable {
    private final String name;
    private final @Nullable String fileName;
    private final Headers headers;
    private final Spool content;

    Part(String name, @Nullable String fileName, Headers headers, Spool content) {
        this.name = name;
        this.fileName = fileName == null ? null : lastSegment(fileName);
        this.headers = headers;
        this.content = content;
    }

    /// Returns the name of the form's input element.
    public String name() {
        return name;
    }

    /// Returns the client's name of the file, or null if the part is not a file. Only the last
    /// segment of a path, never `.` or `..`, with control characters as `_`; empty if no file was
    /// selected. It remains untrusted input: do not store a file under this name.
    public @Nullable String fileName() {
        return fileName;
    }

    /// Returns whether the part is a file.
    public boolean isFile() {
        return fileName != null;
    }

    /// Returns the Content-Type that the client sent; `text/plain` if it sent none (RFC 7578,
    /// section 4.4).
    public String contentType() {
        String type = headers.first("Content-Type");
        return type == null ? "text/plain" : type;
    }

    /// Returns the headers of the part, decoded as UTF-8.
    public Headers headers() {
        return headers;
    }

    /// Returns the length of the content, in bytes.
    public long size() {
        return content.size();
    }

    /// Returns the content as a new stream, which the caller closes.
    public InputStream open() throws IOException {
        return content.open();
    }

    /// Returns the content as a new array; for large files use [#open()] or [#saveTo(Path)].
    public byte[] bytes() throws IOException {
        return content.bytes();
    }

    /// Returns the content decoded as UTF-8, with U+FFFD for malformed input.
    public String text() throws IOException {
        return new String(content.bytes(), StandardCharsets.UTF_8);
    }

    /// Writes the content to a new file. If that fails, as on a full disk, no file is left.
    ///
    /// @throws java.nio.file.FileAlreadyExistsException if the file exists
    public void saveTo(Path target) throws IOException {
        try (var from = open()) {
            OutputStream to = Files.newOutputStream(target, CREATE_NEW, WRITE);
            try {
                try (to) {
                    from.transferTo(to);
                }
            } catch (Throwable e) {
                delete(target, e);
                throw e;
            }
        }
    }

    private static void delete(Path partial, Throwable failure) {
        try {
            Files.deleteIfExists(partial);
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    /// Deletes the temporary file; [Form#close()] does so for all parts.
    @Override
    public void close() throws IOException {
        content.close();
    }

    /// Returns the temporary file, if there is one.
    @Nullable Path file() {
        return content.file();
    }

    /// Returns how much memory its content has.
    int memoryBytes() {
        return content.memoryBytes();
    }

    private static String lastSegment(String fileName) {
        int slash = Math.max(fileName.lastIndexOf('/'), fileName.lastIndexOf('\\'));
        var segment = new StringBuilder(fileName.substring(slash + 1));
        for (int i = 0; i < segment.length(); i++) {
            if (Character.isISOControl(segment.charAt(i))) {
                segment.setCharAt(i, '_');
            }
        }
        String last = segment.toString();
        return last.equals(".") || last.equals("..") ? "" : last;
    }
}
