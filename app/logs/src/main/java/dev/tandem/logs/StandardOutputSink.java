package dev.tandem.logs;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;

/// The process's standard output, without [System#out] and its lock. It is never closed, because
/// other code prints there, too.
final class StandardOutputSink implements Sink {
    @SuppressWarnings("resource") // not ours to close
    private final FileOutputStream out = new FileOutputStream(FileDescriptor.out);

    @Override
    public void write(ByteBuffer lines) throws IOException {
        out.write(lines.array(), lines.arrayOffset() + lines.position(), lines.remaining());
        lines.position(lines.limit());
    }

    @Override
    public void reopen() {
        // Standard output has no name.
    }

    @Override
    public void close() {
        // Standard output stays open.
    }
}
