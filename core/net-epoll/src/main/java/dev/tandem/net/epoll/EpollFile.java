package dev.tandem.net.epoll;

import dev.tandem.net.IoBuffer;
import dev.tandem.net.OpenFile;
import dev.tandem.net.OutOfDescriptorsException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// A file with its descriptor.
final class EpollFile implements OpenFile {
    private static final int AT_FDCWD = -100;
    private static final int AT_EMPTY_PATH = 0x1000;

    /// Does not block on a pipe without a writer, and is not inherited by child processes.
    private static final int O_RDONLY_NONBLOCK_CLOEXEC = 0x800 | 0x80000;

    private static final int STATX_BASIC_STATS = 0x7ff;
    private static final int PATH_MAX = 4096;

    /// Offsets in `struct statx`, the same on every architecture (statx(2)).
    private static final int MODE = 28;

    private static final int SIZE = 40;
    private static final int MODIFIED_SECONDS = 112;
    private static final int MODIFIED_NANOS = 120;
    private static final int S_IFMT = 0xf000;
    private static final int S_IFREG = 0x8000;

    /// The maximum number of attempts of an interrupted call.
    private static final int TRIES = 8;

    private static final Charset FILE_NAMES =
            Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));

    private final int fd;
    private final long size;
    private final long modifiedNanos;
    private final boolean isRegular;
    private boolean isClosed;

    private EpollFile(int fd, ByteBuffer stat, int at) {
        this.fd = fd;
        this.size = stat.getLong(at + SIZE);
        long seconds = stat.getLong(at + MODIFIED_SECONDS);
        this.modifiedNanos = seconds * 1_000_000_000L + stat.getInt(at + MODIFIED_NANOS);
        this.isRegular = (stat.getShort(at + MODE) & S_IFMT) == S_IFREG;
    }

    static EpollFile open(Path path) throws IOException {
        byte[] name = path.toAbsolutePath().toString().getBytes(FILE_NAMES);
        if (name.length >= PATH_MAX) {
            throw new IOException(path + ": the name is too long");
        }
        IoBuffer scratch = Linux.scratch();
        scratch.bytes().put(0, name).put(name.length, (byte) 0);
        SystemCallNumbers calls = SystemCallNumbers.forThisMachine();
        long fd =
                Linux.call(
                        calls.openat(),
                        AT_FDCWD,
                        scratch.address(),
                        O_RDONLY_NONBLOCK_CLOEXEC,
                        0,
                        0,
                        0);
        if (fd < 0) {
            throw toException(path, (int) -fd);
        }
        return stat(calls, (int) fd, path);
    }

    /// Returns the exception that java.nio.file would throw.
    private static IOException toException(Path path, int error) {
        return switch (error) {
            case 2 -> new NoSuchFileException(path.toString());
            case 13 -> new AccessDeniedException(path.toString());
            case Linux.EMFILE, Linux.ENFILE ->
                    new OutOfDescriptorsException(path + ": " + Linux.message(error));
            default -> new FileSystemException(path.toString(), null, Linux.message(error));
        };
    }

    private static EpollFile stat(SystemCallNumbers calls, int fd, Path path) throws IOException {
        IoBuffer found = Linux.scratch();
        found.bytes().put(0, (byte) 0); // the empty name: the descriptor itself
        long result =
                Linux.call(
                        calls.statx(),
                        fd,
                        found.address(),
                        AT_EMPTY_PATH,
                        STATX_BASIC_STATS,
                        found.address() + 8,
                        0);
        if (result < 0) {
            Linux.call(calls.close(), fd, 0, 0);
            throw new IOException(path + ": " + Linux.message(-result));
        }
        return new EpollFile(fd, found.bytes(), 8);
    }

    int fd() {
        return fd;
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public long modifiedNanos() {
        return modifiedNanos;
    }

    @Override
    public boolean isRegular() {
        return isRegular;
    }

    @Override
    public int read(IoBuffer to, long offset) throws IOException {
        ByteBuffer bytes = to.bytes();
        long address = to.address() + bytes.position();
        long count = -Linux.EINTR;
        for (int i = 0; i < TRIES && count == -Linux.EINTR; i++) {
            count =
                    Linux.call(
                            SystemCallNumbers.forThisMachine().pread64(),
                            fd,
                            address,
                            bytes.remaining(),
                            offset,
                            0,
                            0);
        }
        if (count < 0) {
            throw new IOException(Linux.message(-count));
        }
        bytes.position(bytes.position() + (int) count);
        return count == 0 ? -1 : (int) count;
    }

    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            Linux.call(SystemCallNumbers.forThisMachine().close(), fd, 0, 0);
        }
    }
}
