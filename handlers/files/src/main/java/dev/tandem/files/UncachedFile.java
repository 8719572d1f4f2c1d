package dev.tandem.files;

import dev.tandem.http.Body;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A file in one state, read through the kernel's cache and not kept. The state is checked after
/// each read, so that bytes of two states are never combined. A file that another one replaces, or
/// that is removed, is read to its end. Used by one thread at a time.
final class UncachedFile implements FileCache.Content {
    /// Also the amount that is buffered for a slow client.
    private static final int BUFFER_BYTES = 16 << 10;

    /// Changes within one tick of the kernel's clock, 1 to 10 ms, have the same time.
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

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
            awaitTick();
        }
        return open;
    }

    private void requireState() throws IOException {
        if (!FileState.of(path).equals(state)) {
            throw changed();
        }
    }

    /// Waits until every later change gives the file another time: at most 20 ms, for a file that
    /// changed just now.
    private void awaitTick() {
        long now = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
        long age = now - state.modifiedNanos();
        if (age >= 0 && age < TICK_NANOS) {
            LockSupport.parkNanos(TICK_NANOS - age);
        }
    }

    /// Returns whether the open file has not changed in place. One that was replaced or removed has
    /// no name by which it could be changed.
    private boolean isSame(FileChannel open) throws IOException {
        try {
            FileState now = FileState.of(path);
            if (Objects.equals(now.key(), state.key())) {
                return now.equals(state);
            }
        } catch (NoSuchFileException _) {
            // It was removed.
        }
        return open.size() == state.size();
    }

    private IOException changed() {
        return new IOException("the file changed while it was being sent: " + path);
    }

    @Override
    public int transferTo(long offset, long length, Body.Sink to) throws IOException {
        FileChannel open = channel();
        buffer.clear().limit((int) Math.min(BUFFER_BYTES, length));
        if (open.read(buffer, offset) <= 0 || !isSame(open)) {
            throw changed();
        }
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
