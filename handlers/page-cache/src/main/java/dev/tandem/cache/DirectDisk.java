package dev.tandem.cache;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/// Reads past the kernel's cache, so that memory holds a page once; through it where a file
/// system cannot do that. Some say so when a file is opened, others when it is read: the JDK
/// refuses to read by less than the file system's block, which is 1 MiB on some networks'. Which
/// those are is noted for a minute: what was another failure is so forgotten.
final class DirectDisk implements Disk {
    static final long UNSUPPORTED_NANOS = 60_000_000_000L;

    private final Disk direct;
    private final Disk buffered;
    private final FileSystems fileSystems;
    private final LongSupplier nanoTime;

    /// By file system: since when it is noted.
    private final Map<Object, Long> unsupported = new ConcurrentHashMap<>();

    /// Tells file systems apart.
    @FunctionalInterface
    interface FileSystems {
        /// What the file is on.
        Object of(Path path) throws IOException;
    }

    DirectDisk() {
        this(new ChannelDisk(true), new ChannelDisk(false), DirectDisk::device, System::nanoTime);
    }

    /// @param direct reads past the kernel's cache
    /// @param buffered reads through it
    /// @param nanoTime as [System#nanoTime()]
    DirectDisk(Disk direct, Disk buffered, FileSystems fileSystems, LongSupplier nanoTime) {
        this.direct = direct;
        this.buffered = buffered;
        this.fileSystems = fileSystems;
        this.nanoTime = nanoTime;
    }

    private static Object device(Path path) throws IOException {
        try {
            return Files.getAttribute(path, "unix:dev", LinkOption.NOFOLLOW_LINKS);
        } catch (UnsupportedOperationException | IllegalArgumentException _) {
            return "all"; // no Unix
        }
    }

    private boolean isKnownUnsupported(Path path) throws IOException {
        if (unsupported.isEmpty()) {
            return false;
        }
        Long since = unsupported.get(fileSystems.of(path));
        return since != null && nanoTime.getAsLong() - since < UNSUPPORTED_NANOS;
    }

    private void markUnsupported(Path path) {
        try {
            unsupported.put(fileSystems.of(path), nanoTime.getAsLong());
        } catch (IOException _) {
            // It is gone by now; the next file will tell.
        }
    }

    @Override
    public OpenFile open(Path path) throws IOException {
        if (isKnownUnsupported(path)) {
            return buffered.open(path);
        }
        try {
            return new DirectFile(path, direct.open(path));
        } catch (NoSuchFileException | AccessDeniedException e) {
            throw e;
        } catch (IOException | UnsupportedOperationException _) {
            // A file system that cannot says EINVAL, for which Java has no type, and a text in
            // the user's language. Whatever else it is fails here, too.
            OpenFile opened = buffered.open(path);
            markUnsupported(path);
            return opened;
        }
    }

    private final class DirectFile implements OpenFile {
        private final Path path;
        private OpenFile opened;
        private boolean isDirect = true;

        DirectFile(Path path, OpenFile opened) {
            this.path = path;
            this.opened = opened;
        }

        @Override
        public long read(long position, ByteBuffer[] to, long length) throws IOException {
            try {
                return opened.read(position, to, length);
            } catch (ClosedChannelException e) {
                throw e; // the thread was interrupted
            } catch (IOException e) {
                if (!isDirect) {
                    throw e;
                }
                switchToBuffered(e);
                long count = opened.read(position, to, length);
                markUnsupported(path);
                return count;
            }
        }

        private void switchToBuffered(IOException failure) throws IOException {
            OpenFile former = opened;
            try {
                opened = buffered.open(path);
                isDirect = false;
                former.close();
            } catch (IOException e) {
                failure.addSuppressed(e);
                throw failure;
            }
        }

        @Override
        public void close() throws IOException {
            opened.close();
        }
    }
}
