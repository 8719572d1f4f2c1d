package dev.tandem.cgi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.http.StorageException;
import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.RawClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ContentTest {
    private static final byte[] LONG = new byte[200_000];

    @TempDir private Path folder = Path.of("");

    /// A file on a full disk; deleting it deletes a link.
    private Path full() throws IOException {
        Path device = Path.of("/dev/full");
        assumeTrue(Files.isWritable(device));
        return Files.createSymbolicLink(folder.resolve("full"), device);
    }

    @Test
    void longBodyIsKeptInATemporaryFile() throws IOException {
        Path file = folder.resolve("file");
        try (var content =
                Content.read(new ByteArrayInputStream(LONG), () -> Files.createFile(file))) {
            assertEquals(LONG.length, content.length());
            assertArrayEquals(LONG, content.stream().readAllBytes());
        }
        assertFalse(Files.exists(file));
    }

    @Test
    void diskFailureIsNotTheClients() throws IOException {
        Path file = full();
        assertThrows(
                StorageException.class,
                () -> Content.read(new ByteArrayInputStream(LONG), () -> file));
        assertFalse(Files.exists(file, LinkOption.NOFOLLOW_LINKS), "it is deleted");
        assertThrows(
                StorageException.class,
                () ->
                        Content.read(
                                new ByteArrayInputStream(LONG),
                                () -> Files.createFile(folder.resolve("no/such"))));
    }

    @Test
    void clientFailureIsNotTheDisks() {
        var broken =
                new InputStream() {
                    private int left = 100_000;

                    @Override
                    public int read() throws IOException {
                        if (--left < 0) {
                            throw new IOException("gone");
                        }
                        return 'x';
                    }
                };
        IOException thrown =
                assertThrows(
                        IOException.class,
                        () -> Content.read(broken, () -> folder.resolve("file")));
        assertFalse(thrown instanceof StorageException);
    }

    /// Such as for lack of memory.
    @Test
    void fileIsDeletedAfterAnError() {
        Path file = folder.resolve("file");
        var failing =
                new InputStream() {
                    private int left = 100_000;

                    @Override
                    public int read() {
                        if (--left < 0) {
                            throw new OutOfMemoryError("on purpose");
                        }
                        return 'x';
                    }
                };
        assertThrows(
                OutOfMemoryError.class, () -> Content.read(failing, () -> Files.createFile(file)));
        assertFalse(Files.exists(file));
    }

    @Test
    void fullDiskIs507AndLoggedOnce() throws IOException {
        Path file = full();
        Server server =
                Tandem.listen("127.0.0.1", 0)
                        .post("/", x -> Content.read(x.request().body(), () -> file).close())
                        .start();
        try (var log = LogCapture.of("dev.tandem.engine");
                var client = RawClient.connect(server.address())) {
            client.send("POST / HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\n\n30d40\n");
            client.send(LONG).send("\n0\n\n");
            assertEquals(507, client.response().status());
            LogCapture.Line line = log.lines().getFirst();
            assertNull(line.thrown());
            assertEquals("SEVERE", line.level());
        } finally {
            server.stop(Duration.ofSeconds(5));
        }
    }
}
