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

/// One field or file of a multipart form (RFC 7578, section 4). Lives as long as its [Form].
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

    /// The name of the form's input.
    public String name() {
        return name;
    }

    /// The file's name as the client has it, or null if the part is no file. Only the last segment
    /// of a path, never `.` or `..`, control characters as `_`; empty if no file was chosen. Still
    /// the client's word: do not store a file under it.
    public @Nullable String fileName() {
        return fileName;
    }

    /// Whether the part is a file.
    public boolean isFile() {
        return fileName != null;
    }

    /// What the client says of the content; `text/plain` if it says nothing (RFC 7578, section
    /// 4.4).
    public String contentType() {
        String type = headers.first("Content-Type");
        return type == null ? "text/plain" : type;
    }

    /// All of the part's header fields, which are UTF-8 here.
    public Headers headers() {
        return headers;
    }

    /// The content's length, in bytes.
    public long size() {
        return content.size();
    }

    /// The content as a new stream, which the caller closes.
    public InputStream open() throws IOException {
        return content.open();
    }

    /// The content as a new array; for large files [#open()] and [#saveTo(Path)] are better.
    public byte[] bytes() throws IOException {
        return content.bytes();
    }

    /// The content as UTF-8, with U+FFFD for what is malformed.
    public String text() throws IOException {
        return new String(content.bytes(), StandardCharsets.UTF_8);
    }

    /// Writes the content to a new file.
    ///
    /// @throws java.nio.file.FileAlreadyExistsException if there is one
    public void saveTo(Path target) throws IOException {
        try (var from = open();
                OutputStream to = Files.newOutputStream(target, CREATE_NEW, WRITE)) {
            from.transferTo(to);
        }
    }

    /// Deletes what is on disk; [Form#close()] does it for all parts.
    @Override
    public void close() throws IOException {
        content.close();
    }

    /// The temporary file, if there is one.
    @Nullable Path file() {
        return content.file();
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
