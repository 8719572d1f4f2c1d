package dev.tandem.files;

import dev.tandem.files.Found.Document;
import dev.tandem.http.Body;
import dev.tandem.http.ByteRange;
import dev.tandem.http.HttpException;
import dev.tandem.http.RangeParts;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/// Writes several ranges of a file as `multipart/byteranges`. A file that changes meanwhile, or
/// ends, fails the writing: with 503 before anything was sent, else so that the answer is cut
/// short of its length, and the client can tell. Neither is the server's fault.
final class PartsWriter implements Body.Writer, AutoCloseable {
    private static final int BUFFER_BYTES = 16 << 10;

    private final Document document;
    private final RangeParts parts;
    private final FileChannel file;

    private PartsWriter(Document document, RangeParts parts, FileChannel file) {
        this.document = document;
        this.parts = parts;
        this.file = file;
    }

    /// Opens the file, or returns null if it is not what it was.
    static @Nullable PartsWriter open(Document document, RangeParts parts) throws IOException {
        if (!document.isThere()) {
            return null; // it may even be a pipe, which to open would wait for a writer
        }
        FileChannel file;
        try {
            file =
                    FileChannel.open(
                            document.path(), StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
        } catch (IOException e) {
            if (document.isThere() && Files.isReadable(document.path())) {
                throw e;
            }
            return null;
        }
        return new PartsWriter(document, parts, file);
    }

    @Override
    public void write(OutputStream out) throws IOException {
        var buffer = ByteBuffer.allocate(BUFFER_BYTES);
        for (int i = 0; i < parts.ranges().size(); i++) {
            requireUnchanged();
            write(parts.head(i), out);
            copy(parts.ranges().get(i), buffer, out);
        }
        requireUnchanged();
        write(parts.tail(), out);
    }

    /// The path is looked at after the file was opened, so that it is the file opened that has
    /// the stamp.
    private void requireUnchanged() throws IOException {
        if (!document.isThere()) {
            throw changed();
        }
    }

    private static HttpException changed() {
        return new HttpException(503, "this file changed while it was sent");
    }

    private void copy(ByteRange range, ByteBuffer buffer, OutputStream out) throws IOException {
        long at = range.first();
        while (at <= range.last()) {
            buffer.clear().limit((int) Math.min(buffer.capacity(), range.last() - at + 1));
            int count = file.read(buffer, at);
            if (count < 0) {
                throw changed();
            }
            out.write(buffer.array(), 0, count);
            at += count;
        }
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            // It was only read.
        }
    }

    private static void write(String text, OutputStream out) throws IOException {
        out.write(text.getBytes(StandardCharsets.ISO_8859_1));
    }
}
