package dev.tandem.files;

import dev.tandem.files.Found.Document;
import dev.tandem.http.Body;
import dev.tandem.http.ByteRange;
import dev.tandem.http.HttpException;
import dev.tandem.http.RangeParts;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.LinkOption;
import java.nio.file.StandardOpenOption;

/// Writes several ranges of a file as `multipart/byteranges`. A file that changes meanwhile fails
/// the writing: with 503 before anything was sent, else so that the answer is cut short of its
/// length, and the client can tell.
final class PartsWriter implements Body.Writer {
    private static final int BUFFER_BYTES = 16 << 10;

    private final Document document;
    private final RangeParts parts;

    PartsWriter(Document document, RangeParts parts) {
        this.document = document;
        this.parts = parts;
    }

    @Override
    public void write(OutputStream out) throws IOException {
        try (FileChannel file =
                FileChannel.open(
                        document.path(), StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            var buffer = ByteBuffer.allocate(BUFFER_BYTES);
            for (int i = 0; i < parts.ranges().size(); i++) {
                requireUnchanged();
                write(parts.head(i), out);
                copy(file, parts.ranges().get(i), buffer, out);
            }
            requireUnchanged();
            write(parts.tail(), out);
        }
    }

    /// The path is looked at after the file was opened, so that it is the file opened that has the
    /// stamp.
    private void requireUnchanged() throws IOException {
        if (!document.isThere()) {
            throw new HttpException(503, "this file changed while it was sent");
        }
    }

    private void copy(FileChannel file, ByteRange range, ByteBuffer buffer, OutputStream out)
            throws IOException {
        long at = range.first();
        while (at <= range.last()) {
            buffer.clear().limit((int) Math.min(buffer.capacity(), range.last() - at + 1));
            int count = file.read(buffer, at);
            if (count < 0) {
                throw new EOFException(document.path() + " ends at " + at);
            }
            out.write(buffer.array(), 0, count);
            at += count;
        }
    }

    private static void write(String text, OutputStream out) throws IOException {
        out.write(text.getBytes(StandardCharsets.ISO_8859_1));
    }
}
