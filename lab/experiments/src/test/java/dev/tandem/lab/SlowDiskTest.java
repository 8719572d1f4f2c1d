package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.pagecache.Disk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SlowDiskTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    /// Until a download is complete: one, unless the machine is busy.
    private static final int REPETITIONS_MAX = 40;

    private final AtomicLong now = new AtomicLong(5);
    private final List<Long> pauses = new ArrayList<>();

    /// Returns as many bytes as requested, but 1,500 bytes of each file.
    private final Disk endless =
            path ->
                    new Disk.OpenFile() {
                        @Override
                        public long read(long position, ByteBuffer[] to, long length) {
                            return Math.clamp(1_500 - position, 0, length);
                        }

                        @Override
                        public void close() {}
                    };

    private final SlowDisk disk = new SlowDisk(endless, now::get, pauses::add);

    private long read(long position, long length) throws IOException {
        try (Disk.OpenFile file = disk.open(Path.of("f"))) {
            return file.read(position, new ByteBuffer[0], length);
        }
    }

    @Test
    void readsAreSequential() throws IOException {
        assertEquals(1_000, read(0, 1_000));
        disk.limit(1_000);
        assertEquals(1_000, read(0, 1_000));
        assertEquals(500, read(1_000, 1_000), "the file ends");
        now.addAndGet(10 * SECOND); // unused time is lost
        read(0, 250);
        disk.limit(2_000);
        read(0, 250);
        assertEquals(List.of(0L, SECOND, SECOND * 3 / 2, SECOND / 4, SECOND * 3 / 8), pauses);
    }

    /// The complete substitute for control groups, with real files and sockets.
    @Test
    void serverReadsFilesByTheSlowReader(@TempDir Path dir) throws Exception {
        var files = new SupportFiles(Files.createDirectories(dir), 1, 0.01, 0.4, new Contents(38));
        files.write();
        var starter = new OwnSlowSite.Starting(1, "asked for");
        assertThrows(LabException.class, () -> starter.start(PageForm.of("kernel"), dir));
        try (SlowSite site = starter.start(PageForm.of("async"), dir)) {
            site.limitDisk(50_000_000);
            SlowSite.Use before = site.use();
            var downloads = new Downloads(files, site.port(), false);
            Downloads.Result came = downloads.run(2, 0.5, 1);
            for (int i = 1; i < REPETITIONS_MAX && came.requests() == 0; i++) {
                came = downloads.run(2, 0.5, 1);
            }
            double read = site.use().diskBytes() - before.diskBytes();
            assertTrue(came.requests() > 0 && read > 0, came + ", read " + read);
            assertTrue(site.use().of("held_bytes", 0) > 0);
        }
        assertTrue(starter.limits().contains("asked for"));
    }
}
