package dev.tandem.files;

import dev.tandem.files.FileLookup.Document;
import dev.tandem.http.Body;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.StandardOpenOption;

/// An open file whose bytes come from the kernel's cache. If it is replaced, it is sent as it was;
/// if it is cut, that fails. One thread's at a time.
final class OpenDocument implements MultipartSegments.Source {
    /// Also what is kept for a client that reads slowly.
    private static final int BUFFER_BYTES = 16 << 10;

    private final Document document;
    private final FileChannel file;
    private final Arena arena = Arena.ofShared(); // which worker goes on is not known
    private final ByteBuffer buffer = arena.allocate(BUFFER_BYTES).asByteBuffer();

    private OpenDocument(Document document, FileChannel file) {
        this.document = document;
        this.file = file;
    }

    /// @throws IOException if it is not what it was, too
    static OpenDocument open(Document document) throws IOException {
        requireUnchanged(document); // it may even be a pipe, which to open would wait for a writer
        FileChannel file =
                FileChannel.open(
                        document.path(), StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
        var open = new OpenDocument(document, file);
        try {
            requireUnchanged(document); // now it is the file opened that has the stamp
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
        return new IOException("it changed while it was sent: " + document.path());
    }

    @Override
    public void close() {
        arena.close();
        try {
            file.close();
        } catch (IOException _) {
            // It was only read.
        }
    }
}
