package dev.tandem.files;

import dev.tandem.files.FileLookup.Document;
import dev.tandem.http.Body;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.StandardOpenOption;

/// An open file read through the kernel's cache. If the file is replaced, the old one is sent; if
/// it is truncated, reading fails. Used by one thread at a time.
final class OpenDocument implements MultipartSegments.Source {
    /// Also the amount that is buffered for a slow client.
    private static final int BUFFER_BYTES = 16 << 10;

    private final Document document;
    private final FileChannel file;
    private final Arena arena = Arena.ofShared(); // different workers may continue
    private final ByteBuffer buffer = arena.allocate(BUFFER_BYTES).asByteBuffer();

    private OpenDocument(Document document, FileChannel file) {
        this.document = document;
        this.file = file;
    }

    /// @throws IOException also if the file has changed
    static OpenDocument open(Document document) throws IOException {
        requireUnchanged(document); // it may be a pipe, whose opening would wait for a writer
        FileChannel file =
                FileChannel.open(
                        document.path(), StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
        var open = new OpenDocument(document, file);
        try {
            requireUnchanged(document); // now the open file is known to have the stamp
        } catch (IOException e) {
            open.close();
            throw e;
        }
        return open;
    }

    private static void requireUnchanged(Document document) throws IOException {
        if (!document.isUnchanged()) {
            throw changed(document);
        }
    }

    @Override
    public int transferTo(long offset, long length, Body.Sink to) throws IOException {
        buffer.clear().limit((int) Math.min(BUFFER_BYTES, length));
        if (file.read(buffer, offset) <= 0) {
            throw changed(document);
        }
        to.write(buffer.flip());
        return buffer.position();
    }

    private static IOException changed(Document document) {
        return new IOException("the file changed while it was being sent: " + document.path());
    }

    @Override
    public void close() {
        arena.close();
        try {
            file.close();
        } catch (IOException _) {
            // The channel was only read from.
        }
    }
}
