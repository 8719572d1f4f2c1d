package dev.tandem.files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tandem.Options;
import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.pagecache.CacheOptions;
import dev.tandem.pagecache.CompressionMode;
import dev.tandem.pagecache.PageCache;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawSite;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Clients that begin to read a large response and then stop reading, over real sockets: as many as
/// the page cache has frames. The server has one worker.
class SlowReadersTest {
    /// More than the kernel buffers for both ends of a connection, 4 MiB and 6.
    private static final int LARGE = 16 << 20;

    private static final int SMALL = 150_000;
    private static final int FRAMES = 3;

    @ParameterizedTest
    @CsvSource({
        "true, X-None: 1",
        "true, 'Range: bytes=1-16000000,1-2'",
        "false, 'Range: bytes=1-16000000,1-2'",
    })
    void slowReadersHoldNeitherWorkerNorPage(boolean isPaged, String range, @TempDir Path folder)
            throws IOException {
        byte[] large = write(folder.resolve("large.bin"), LARGE);
        byte[] small = write(folder.resolve("small.bin"), SMALL);
        CacheOptions frames =
                CacheOptions.DEFAULT
                        .withBytes(FRAMES * 65_536L)
                        .withCompression(CompressionMode.NONE); // which would sometimes pin pages
        FolderOptions none = FolderOptions.DEFAULT.withCacheBytes(0);
        Path root = folder.toRealPath();
        List<Socket> slow = new ArrayList<>();
        try (PageCache pages = PageCache.of(frames);
                var site =
                        new OneWorker(
                                isPaged ? Folder.of(root, none, pages) : Folder.of(root, none))) {
            for (int i = 0; i < FRAMES; i++) {
                Socket socket = site.connect();
                slow.add(socket);
                RawSite.send(socket, "GET", "/large.bin", range);
                assertEquals('H', socket.getInputStream().read()); // the response has begun
            }
            assertArrayEquals(small, site.get("/small.bin").body());
            // Until the kernel's buffers are full, pages are pinned and unpinned.
            Patience.until("a page is free", () -> isKept(pages, site, small));
            for (Socket socket : slow) {
                byte[] body = RawSite.read(socket.getInputStream()).body();
                // The first range begins later by a part's header, and ends before the file does.
                byte[] first = Arrays.copyOfRange(large, 1, 16_000_001);
                int from = indexOf(body, Arrays.copyOf(first, 40));
                assertEquals(
                        -1,
                        Arrays.mismatch(body, from, from + first.length, first, 0, first.length));
            }
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
    }

    /// Returns whether all pages of a file fit.
    private static boolean isKept(PageCache pages, RawSite site, byte[] file) {
        long before = pages.statistics().uncached();
        try {
            assertArrayEquals(file, site.get("/small.bin").body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return pages.statistics().uncached() == before;
    }

    private static int indexOf(byte[] in, byte[] what) {
        for (int i = 0; i < 1_000; i++) {
            if (Arrays.equals(in, i, i + what.length, what, 0, what.length)) {
                return i;
            }
        }
        throw new AssertionError("its content does not begin in 1,000 bytes");
    }

    private static byte[] write(Path file, int length) throws IOException {
        var bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        Files.write(file, bytes);
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000_000_000L));
        return bytes;
    }

    private static final class OneWorker extends RawSite implements AutoCloseable {
        private final Server server;

        OneWorker(Folder folder) throws IOException {
            this(
                    Tandem.listen("127.0.0.1", 0)
                            .options(Options.DEFAULT.withThreads(t -> t.withWorkersMax(1)))
                            .route("*", "/{path...}", folder)
                            .start());
        }

        private OneWorker(Server server) {
            super(server.port());
            this.server = server;
        }

        @Override
        public void close() {
            server.stop(Duration.ZERO);
        }
    }
}
