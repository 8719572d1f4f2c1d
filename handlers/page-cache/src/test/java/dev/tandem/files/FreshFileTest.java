package dev.tandem.files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.pagecache.CacheOptions;
import dev.tandem.pagecache.PageCache;
import dev.tandem.testkit.RawSite;
import dev.tandem.testkit.RawSite.Response;
import dev.tandem.testkit.server.Web;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A file that is too new to be cached changes while a slow client reads it, with a page cache.
class FreshFileTest {
    /// More than the kernel buffers for both ends of a connection, 4 MiB and 6.
    private static final int LARGE = 16 << 20;

    private Path file;
    private PageCache pages;
    private Web web;

    @BeforeEach
    void serve(@TempDir Path folder) throws IOException {
        Path root = folder.toRealPath();
        file = write(root.resolve("large.bin"), 'a');
        pages = PageCache.of(CacheOptions.DEFAULT.withBytes(4 << 20));
        web = Web.of(Folder.of(root, FolderOptions.DEFAULT, pages));
    }

    @AfterEach
    void stop() {
        web.close();
        pages.close();
    }

    /// Writes a file that remains fresh however slow this machine is.
    private static Path write(Path to, char content) throws IOException {
        Files.write(to, bytes(content));
        return Files.setLastModifiedTime(
                to, FileTime.from(Instant.now().plus(Duration.ofHours(1))));
    }

    private static byte[] bytes(char content) {
        var bytes = new byte[LARGE];
        Arrays.fill(bytes, (byte) content);
        return bytes;
    }

    /// Something that happens to the file while its response waits for the client.
    @FunctionalInterface
    private interface Change {
        void apply() throws IOException;
    }

    /// Returns the response, whose body is shorter than its length if the connection was aborted.
    private Response responseDuring(Change change, String... fields) throws IOException {
        try (Socket socket = web.connect()) {
            RawSite.send(socket, "GET", "/large.bin", fields);
            assertEquals('H', socket.getInputStream().read()); // the response has begun
            change.apply();
            return RawSite.read(socket.getInputStream());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"X-None: 1", "Range: bytes=1-", "Range: bytes=1-16000000,1-2"})
    void responseEndsIncompleteIfItsFileIsOverwritten(String range) throws IOException {
        Response response;
        try {
            response = responseDuring(this::overwrite, range);
        } catch (SocketException _) {
            return; // reset, which is visible, too
        }
        assertTrue(response.body().length < Integer.parseInt(length(response)));
        assertEquals(-1, response.text().indexOf('b', 1_000), "bytes of both states");
    }

    private void overwrite() throws IOException {
        try (var to = FileChannel.open(file, StandardOpenOption.WRITE)) {
            var content = ByteBuffer.wrap(bytes('b'));
            while (content.hasRemaining()) {
                to.write(content);
            }
        }
    }

    private static String length(Response response) {
        return String.valueOf(response.field("Content-Length"));
    }

    @Test
    void replacedFileIsSentToItsEnd() throws IOException {
        Response response =
                responseDuring(
                        () -> {
                            Path other = write(file.resolveSibling("other"), 'b');
                            Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);
                        });
        assertArrayEquals(bytes('a'), response.body());
        assertArrayEquals(bytes('b'), web.get("/large.bin").body());
    }

    @Test
    void removedFileIsSentToItsEnd() throws IOException {
        assertArrayEquals(bytes('a'), responseDuring(() -> Files.delete(file)).body());
        assertNotEquals(200, web.get("/large.bin").status());
    }
}
