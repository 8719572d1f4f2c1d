package dev.tandem.files;

import dev.tandem.http.Body;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/// A file in one state, read through the kernel's cache and not kept. The state is checked after
/// each read, so that bytes of two states are never combined. Used by one thread at a time.
final class UncachedFile implements FileCache.Content {
    /// Also the amount that is buffered for a slow client.
    private static final int BUFFER_BYTES = 16 << 10;

    private final Path path;
    private final FileState state;
    private final Arena arena = Arena.ofShared(); // different workers may continue
    private final ByteBuffer buffer = arena.allocate(BUFFER_BYTES).asByteBuffer();
    private @Nullable FileChannel file;
    private boolean isClosed;

    UncachedFile(Path path, FileState state) {
        this.path = path;
        this.state = state;
    }

    @Override
    public void prepare(long offset, long length) throws IOException {
        channel();
    }

    private FileChannel channel() throws IOException {
        FileChannel open = file;
        if (open == null) {
            requireState(); // it may be a pipe, whose opening would wait for a writer
            open = FileChannel.open(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
            file = open;
            requireState();
        }
        return open;
    }

    private void requireState() throws IOException {
        if (!FileState.of(path).equals(state)) {
            throw changed();
        }
    }

    private IOException changed() {
        return new IOException("the file changed while it was being sent: " + path);
    }

    @Override
    public int transferTo(long offset, long length, Body.Sink to) throws IOException {
        FileChannel open = channel();
        buffer.clear().limit((int) Math.min(BUFFER_BYTES, length));
        if (open.read(buffer, offset) <= 0) {
            throw changed();
        }
        requireState();
        to.write(buffer.flip());
        return buffer.position();
    }

    @Override
    public FileCache.@Nullable Stored stored() {
        return null;
    }

    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        arena.close();
        FileChannel open = file;
        if (open != null) {
            try {
                open.close();
            } catch (IOException _) {
                // The channel was only read from.
            }
        }
    }
}
