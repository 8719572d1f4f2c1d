package dev.tandem.pagecache;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads files by channels, directly or through the kernel's cache.
///
/// @param isDirect whether to bypass the kernel's cache. Then reads are in whole blocks, the last
///     of which is cut by the file's end
record ChannelDisk(boolean isDirect) implements Disk {
    /// Found by its name, since the compiler's warning about its use cannot be suppressed.
    private static final @Nullable OpenOption DIRECT = direct();

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

    /// @throws UnsupportedOperationException if direct reads are not possible
    @Override
    public OpenFile open(Path path) throws IOException {
        var options = new HashSet<OpenOption>();
        options.add(StandardOpenOption.READ);
        options.add(LinkOption.NOFOLLOW_LINKS);
        if (isDirect) {
            if (DIRECT == null) {
                throw new UnsupportedOperationException("this JDK has no direct I/O");
            }
            options.add(DIRECT);
        }
        return new OpenChannel(FileChannel.open(path, Set.copyOf(options)), isDirect);
    }

    private record OpenChannel(FileChannel file, boolean isDirect) implements OpenFile {

        @Override
        public long read(long position, ByteBuffer[] to, long length) throws IOException {
            long left = length;
            for (ByteBuffer buffer : to) {
                long part = Math.min(left, buffer.capacity());
                buffer.clear().limit((int) (part + Frames.ALIGNMENT - 1) & -Frames.ALIGNMENT);
                left -= part;
            }
            file.position(position);
            long count = 0;
            while (count < length && !isAtFileEnd(count)) {
                long more = file.read(to);
                if (more <= 0) {
                    break;
                }
                count += more;
            }
            return Math.min(count, length);
        }

        /// A direct read that ends inside a block was cut by the file's end.
        private boolean isAtFileEnd(long count) {
            return isDirect && count % Frames.ALIGNMENT != 0;
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
