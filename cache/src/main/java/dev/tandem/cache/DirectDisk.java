package dev.tandem.cache;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/// Reads past the kernel's cache, so that memory holds a page once. Where a file system cannot
/// do that, through it.
final class DirectDisk implements Disk {
    /// Named by its name, since the compiler warns of its use, and cannot be told not to.
    private static final @Nullable OpenOption DIRECT = direct();

    private volatile boolean isDirect = true;

    private static @Nullable OpenOption direct() {
        try {
            Class<?> options = Class.forName("com.sun.nio.file.ExtendedOpenOption");
            for (Object option : options.getEnumConstants()) {
                if (option.toString().equals("DIRECT")) {
                    return (OpenOption) option;
                }
            }
        } catch (ClassNotFoundException _) {
            // A JDK without it reads through the kernel's cache.
        }
        return null;
    }

    @Override
    public Opened open(Path path) throws IOException {
        OpenOption direct = DIRECT;
        if (!isDirect || direct == null) {
            return plain(path);
        }
        try {
            return new Reading(
                    FileChannel.open(
                            path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS, direct));
        } catch (NoSuchFileException | AccessDeniedException e) {
            throw e;
        } catch (IOException | UnsupportedOperationException _) {
            // A file system that cannot says EINVAL, for which Java has no type, and a text in
            // the user's language. Whatever else it is fails here, too.
            Opened opened = plain(path);
            isDirect = false;
            return opened;
        }
    }

    private static Opened plain(Path path) throws IOException {
        return new Reading(
                FileChannel.open(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
    }

    private record Reading(FileChannel file) implements Opened {

        @Override
        public long read(long position, ByteBuffer[] to, long length) throws IOException {
            long left = length;
            for (ByteBuffer buffer : to) {
                long part = Math.min(left, buffer.capacity());
                // Direct reads are of whole blocks; the file's end cuts them.
                buffer.clear().limit((int) (part + Frames.ALIGNMENT - 1) & -Frames.ALIGNMENT);
                left -= part;
            }
            file.position(position);
            long count = 0;
            // A read that ends inside a block was cut by the file's end.
            while (count < length && count % Frames.ALIGNMENT == 0) {
                long more = file.read(to);
                if (more <= 0) {
                    break;
                }
                count += more;
            }
            return Math.min(count, length);
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
