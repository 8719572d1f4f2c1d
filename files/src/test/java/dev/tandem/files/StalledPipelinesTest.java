package dev.tandem.files;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import dev.tandem.cache.CacheOptions;
import dev.tandem.cache.Compression;
import dev.tandem.cache.PageCache;
import dev.tandem.testkit.Patience;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Clients that ask for thousands of single bytes and read none of the answers, over real
/// sockets: where the kernel takes no more, it is a head that waits, not content.
@Timeout(60)
class StalledPipelinesTest {
    private static final int PAGE = 65_536;
    private static final int FRAMES = 3;

    /// Whose answers are more than the kernel keeps for both ends, 4 MiB here and little there.
    private static final int REQUESTS = 16_000;

    @Test
    void holdNoPage(@TempDir Path folder) throws IOException {
        byte[] file = write(folder.resolve("f.bin"), FRAMES * PAGE);
        CacheOptions frames =
                CacheOptions.DEFAULT
                        .withBytes((long) FRAMES * PAGE)
                        .withCompression(Compression.NONE); // which would pin pages now and then
        FolderOptions none = FolderOptions.DEFAULT.withCacheBytes(0);
        List<Socket> stalled = new ArrayList<>();
        try (PageCache pages = PageCache.of(frames);
                Web web = new Web(Folder.of(folder.toRealPath(), none, pages))) {
            byte[] other = write(folder.resolve("other.bin"), FRAMES * PAGE);
            for (int i = 0; i < FRAMES; i++) {
                stalled.add(stalled(web, i * PAGE));
            }
            awaitRest(pages);
            Patience.until("all pages are free", () -> isKept(pages, web, other));
            assertArrayEquals(file, web.get("/f.bin").body());
        } finally {
            for (Socket socket : stalled) {
                socket.close();
            }
        }
    }

    /// Until nobody is answered any more; should that be believed too soon, all holds as well.
    private static void awaitRest(PageCache pages) {
        long[] last = {-1, 0};
        Patience.until(
                "all are stalled",
                () -> {
                    long hits = pages.figures().plainHits();
                    last[1] = hits == last[0] ? last[1] + 1 : 0;
                    last[0] = hits;
                    return last[1] > 200; // looks, a millisecond apart at least
                });
    }

    private static Socket stalled(Web web, int at) throws IOException {
        Socket socket = web.connect();
        socket.setReceiveBufferSize(4_096);
        byte[] request =
                "GET /f.bin HTTP/1.1\r\nHost: localhost\r\nRange: bytes=%d-%d\r\n\r\n"
                        .formatted(at, at)
                        .getBytes(US_ASCII);
        Thread.startVirtualThread(() -> send(socket, request));
        return socket;
    }

    private static void send(Socket socket, byte[] request) {
        try {
            OutputStream out = socket.getOutputStream();
            for (int i = 0; i < REQUESTS; i++) {
                out.write(request);
            }
        } catch (IOException _) {
            // The test is over.
        }
    }

    /// Whether there was room for all pages of a file.
    private static boolean isKept(PageCache pages, Web web, byte[] file) {
        long before = pages.figures().unkept();
        try {
            assertArrayEquals(file, web.get("/other.bin").body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return pages.figures().unkept() == before;
    }

    private static byte[] write(Path file, int length) throws IOException {
        var bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        Files.write(file, bytes);
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000_000_000L));
        return bytes;
    }
}
