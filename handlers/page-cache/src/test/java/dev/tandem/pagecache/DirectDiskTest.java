package dev.tandem.pagecache;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Two file systems as folders, one of which does not support direct I/O.
class DirectDiskTest {
    private static final int LENGTH = 10_000;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path dir;

    private final List<String> calls = new ArrayList<>();
    private final AtomicLong now = new AtomicLong();
    private boolean isBroken;

    @SuppressWarnings("NullAway.Init")
    private Path good;

    @SuppressWarnings("NullAway.Init")
    private Path odd;

    @SuppressWarnings("NullAway.Init")
    private byte[] content;

    @BeforeEach
    void write() throws IOException {
        content = Contents.of(1, LENGTH, 50);
        good = Files.write(Files.createDirectory(dir.resolve("good")).resolve("f"), content);
        odd = Files.write(Files.createDirectory(dir.resolve("odd")).resolve("f"), content);
    }

    /// @param rejectsAt `open` or `read`
    private DirectDisk disk(String rejectsAt) {
        return new DirectDisk(
                rejecting("direct", rejectsAt),
                rejecting("through", isBroken ? "all" : "none"),
                path -> String.valueOf(path.getParent()),
                now::get);
    }

    /// Returns a disk that logs its operations, and rejects files of the odd file system.
    private Disk rejecting(String name, String where) {
        Disk disk = new ChannelDisk(false);
        return path -> {
            calls.add(name);
            boolean isOdd = path.equals(odd);
            if (isOdd && where.equals("open")) {
                throw new IOException("Invalid argument");
            }
            Disk.OpenFile opened = disk.open(path);
            return new Disk.OpenFile() {
                @Override
                public long read(long position, ByteBuffer[] to, long length) throws IOException {
                    if (isOdd && where.equals("read") || where.equals("all")) {
                        to[0].position(3);
                        throw new IOException(name + " fails");
                    }
                    return opened.read(position, to, length);
                }

                @Override
                public void close() throws IOException {
                    opened.close();
                }
            };
        };
    }

    private byte[] read(Disk.OpenFile file) throws IOException {
        try (var arena = Arena.ofConfined()) {
            ByteBuffer buffer = arena.allocate(12_288, Frames.ALIGNMENT).asByteBuffer();
            assertEquals(LENGTH, file.read(0, new ByteBuffer[] {buffer}, LENGTH));
            var bytes = new byte[LENGTH];
            buffer.get(0, bytes);
            return bytes;
        }
    }

    private void assertReads(Disk disk, Path path, String... expected) throws IOException {
        calls.clear();
        try (Disk.OpenFile file = disk.open(path)) {
            assertArrayEquals(content, read(file));
            assertArrayEquals(content, read(file));
        }
        assertEquals(List.of(expected), calls);
    }

    @Test
    void fileSystemThatRejectsDirectOpenIsReadThroughTheCache() throws IOException {
        falls(disk("open"));
    }

    @Test
    void fileSystemThatRejectsDirectReadIsReadThroughTheCache() throws IOException {
        falls(disk("read"));
    }

    private void falls(DirectDisk disk) throws IOException {
        assertReads(disk, good, "direct");
        assertReads(disk, odd, "direct", "through");
        assertReads(disk, odd, "through");
        assertReads(disk, good, "direct"); // the other file system is still read directly
        now.addAndGet(DirectDisk.UNSUPPORTED_NANOS);
        assertReads(disk, odd, "direct", "through"); // after a minute, direct I/O is tried again
        assertReads(disk, odd, "through");
    }

    @Test
    void diskThatFailsBothWaysIsNotRemembered() throws IOException {
        isBroken = true;
        DirectDisk disk = disk("read");
        for (int i = 0; i < 2; i++) {
            calls.clear();
            try (Disk.OpenFile file = disk.open(odd)) {
                assertThrows(IOException.class, () -> read(file));
            }
            assertEquals(List.of("direct", "through"), calls);
        }
    }
}
