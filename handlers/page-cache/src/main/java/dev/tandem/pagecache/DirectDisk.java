package dev.tandem.pagecache;

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

/// Reads files by direct I/O, so that memory holds a page only once; through the kernel's cache
/// where a file system does not support that. Some file systems report this when a file is opened,
/// others when it is read: the JDK rejects reads smaller than the file system's block, which is 1
/// MiB on some network file systems. Unsupported file systems are remembered for a minute, so that
/// other failures have no lasting effect.
final class DirectDisk implements Disk {
    static final long UNSUPPORTED_NANOS = 60_000_000_000L;

    private final Disk direct;
    private final Disk buffered;
    private final FileSystems fileSystems;
    private final LongSupplier nanoTime;

    /// By file system: when direct I/O failed.
    private final Map<Object, Long> unsupported = new ConcurrentHashMap<>();

    /// Identifies file systems.
    @FunctionalInterface
    interface FileSystems {
        /// Returns an identifier of the file's file system.
        Object of(Path path) throws IOException;
    }

    DirectDisk() {
        this(new ChannelDisk(true), new ChannelDisk(false), DirectDisk::device, System::nanoTime);
    }

    /// @param direct reads directly
    /// @param buffered reads through the kernel's cache
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
            return "all"; // not Unix
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
            // The file is gone; the next one will show whether direct I/O is supported.
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
            // An unsupporting file system returns EINVAL, for which Java has no exception type and
            // a localized message. Any other failure will occur here, too.
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
