package dev.tandem.files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tandem.http.Handler;
import dev.tandem.pagecache.CacheOptions;
import dev.tandem.pagecache.CompressionMode;
import dev.tandem.pagecache.PageCache;
import dev.tandem.testkit.RawSite;
import dev.tandem.testkit.server.Web;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A client that has read the first byte of a head and stops reading, over a real socket: the head
/// is larger than the kernel's buffers for both ends, so no content was sent yet. The same holds
/// for a client that pipelines thousands of requests and reads no response.
@Timeout(60)
class StalledHeadTest {
    private static final int PAGE = 65_536;

    /// The kernel buffers 4 MiB on this side, and little on the other while nothing is read.
    private static final int HEAD = 8 << 20;

    @Test
    void stalledHeadHoldsNoPage(@TempDir Path folder) throws IOException {
        byte[] one = write(folder.resolve("one.bin"));
        byte[] other = write(folder.resolve("other.bin"));
        CacheOptions frame =
                CacheOptions.DEFAULT
                        .withBytes(PAGE)
                        .withCompression(CompressionMode.NONE); // which would sometimes pin pages
        FolderOptions none = FolderOptions.DEFAULT.withCacheBytes(0);
        try (PageCache pages = PageCache.of(frame);
                Web web = Web.of(stuffed(Folder.of(folder.toRealPath(), none, pages)));
                Socket stalled = web.connect()) {
            RawSite.send(stalled, "GET", "/one.bin", "X-Stuff: 1");
            assertEquals('H', stalled.getInputStream().read());
            assertArrayEquals(other, web.get("/other.bin").body());
            assertEquals(0, pages.statistics().uncached(), "there was room for the other file");
            assertArrayEquals(one, web.get("/one.bin").body());
        }
    }

    private static Handler stuffed(Folder folder) {
        return x -> {
            if (x.request().headers().contains("X-Stuff")) {
                x.header("X-Stuff", "x".repeat(HEAD));
            }
            folder.handle(x);
        };
    }

    private static byte[] write(Path file) throws IOException {
        var bytes = new byte[PAGE];
        new Random(file.hashCode()).nextBytes(bytes);
        Files.write(file, bytes);
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000_000_000L));
        return bytes;
    }
}
