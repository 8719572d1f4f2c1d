package dev.tandem.files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.http.Body;
import dev.tandem.http.Exchange;
import dev.tandem.net.Network;
import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.Shelved;
import dev.tandem.testkit.server.Web;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/// Files that change during a response.
@ParameterizedClass(name = "{0}")
@ValueSource(strings = {"nio", "epoll"})
class ChangeTest {
    /// More than the socket buffers of both sides hold.
    private static final int LARGE = 32 << 20;

    private static final Instant LATER = Shelved.LONG_AGO.plusSeconds(60);

    private final Network network;
    private Path root;
    private Path file;

    ChangeTest(String network) {
        this.network = Web.network(network);
    }

    @BeforeEach
    void makeFile(@TempDir Path folder) throws IOException {
        root = folder;
        file = Shelved.write(root.resolve("a.txt"), "before");
    }

    /// Something that happens between the look-up of a file and its opening.
    @FunctionalInterface
    private interface Interference {
        void interfere() throws IOException;
    }

    /// Interferes before the first sends of an exchange.
    private static final class InterferingExchange extends PathParamExchange {
        private final Interference interference;
        private int left;

        InterferingExchange(Exchange x, Interference interference, int times) {
            super(x, "path", x.pathParam("path"));
            this.interference = interference;
            this.left = times;
        }

        @Override
        public void send(Body body) throws IOException {
            if (left > 0) {
                left--;
                interference.interfere();
            }
            super.send(body);
        }
    }

    /// Starts a server that interferes with the first `times` responses.
    private Web interfering(int times, Interference interference) throws IOException {
        Folder folder = Folder.of(root, FolderOptions.DEFAULT.withCacheBytes(0));
        return Web.of(x -> folder.handle(new InterferingExchange(x, interference, times)), network);
    }

    @Test
    void fileReplacedBeforeItsOpeningIsSentInItsNewState() throws IOException {
        try (Web web = interfering(1, () -> Shelved.replace(file, "behind", LATER))) {
            Web.Response response = web.get("/a.txt");
            assertEquals("behind", response.text());
            assertEquals("Sun, 06 Nov 1994 08:50:37 GMT", response.field("Last-Modified"));
        }
    }

    @Test
    void fileReplacedByALongerOneIsSentInItsNewState() throws IOException {
        try (Web web = interfering(1, () -> Shelved.replace(file, "much longer", LATER))) {
            Web.Response response = web.get("/a.txt");
            assertEquals("much longer", response.text());
            assertEquals("11", response.field("Content-Length"));
        }
    }

    @Test
    void rangeOfAReplacedFileIsOfTheNewOne() throws IOException {
        try (Web web = interfering(1, () -> Shelved.replace(file, "much longer", LATER))) {
            Web.Response response = web.get("/a.txt", "Range: bytes=-6");
            assertEquals("longer", response.text());
            assertEquals("bytes 5-10/11", response.field("Content-Range"));
        }
    }

    @Test
    void rangeWithIfRangeOfAReplacedFileIsTheWholeNewOne() throws IOException {
        try (Web web = interfering(1, () -> Shelved.replace(file, "much longer", LATER))) {
            Web.Response response =
                    web.get("/a.txt", "If-Range: Sun, 06 Nov 1994 08:49:37 GMT", "Range: bytes=-6");
            assertEquals(200, response.status());
            assertEquals("much longer", response.text());
        }
    }

    @Test
    void fileTruncatedBeforeItsOpeningIsSentInItsNewState() throws IOException {
        try (Web web = interfering(1, () -> Files.writeString(file, ""))) {
            Web.Response response = web.get("/a.txt");
            assertEquals(200, response.status());
            assertEquals("0", response.field("Content-Length"));
        }
    }

    @Test
    void fileRemovedBeforeItsOpeningIs404() throws IOException {
        try (Web web = interfering(1, () -> Files.delete(file))) {
            assertEquals(404, web.get("/a.txt").status());
        }
    }

    @Test
    void fileThatBecomesAFolderIsRedirected() throws IOException {
        Interference interference =
                () -> {
                    Files.delete(file);
                    Files.createDirectory(file);
                };
        try (Web web = interfering(1, interference)) {
            assertEquals(301, web.get("/a.txt").status());
        }
    }

    @Test
    void fileThatBecomesAnOutwardLinkIs404(@TempDir Path outside) throws IOException {
        Path secret = Shelved.write(outside.resolve("secret"), "secrets");
        Interference interference =
                () -> {
                    Files.delete(file);
                    Files.createSymbolicLink(file, secret);
                };
        try (Web web = interfering(1, interference)) {
            assertEquals(404, web.get("/a.txt").status());
        }
    }

    @Test
    void fileThatChangesTooOftenIs503() throws IOException {
        int[] count = {0};
        Interference interference =
                () -> Shelved.replace(file, "change", LATER.plusSeconds(count[0]++));
        try (Web web = interfering(100, interference)) {
            assertEquals(503, web.get("/a.txt").status());
        }
        assertEquals(5, count[0]);
    }

    @Test
    void fileReplacedBeforeItsPartsAreSentIsSentInItsOldState() throws IOException {
        Shelved.write(file, "x".repeat(1000));
        try (Web web = interfering(1, () -> Shelved.replace(file, "y".repeat(1000), LATER))) {
            Web.Response response = web.get("/a.txt", "Range: bytes=0-0,500-500");
            assertEquals(206, response.status());
            String text = response.text();
            assertTrue(text.contains("\r\n\r\nx\r\n") && !text.contains("\ny\r"), text);
        }
    }

    @Test
    void fileReplacedDuringTheResponseIsSentInItsOldState() throws IOException {
        byte[] content = large();
        try (Web web = Web.of(Folder.of(root), network);
                Socket socket = web.connect()) {
            InputStream in = firstByte(socket);
            Shelved.replace(root.resolve("large.bin"), "short", LATER);
            assertArrayEquals(content, rest(in));
        }
    }

    @Test
    void fileRemovedDuringTheResponseIsSentCompletely() throws IOException {
        byte[] content = large();
        try (Web web = Web.of(Folder.of(root), network);
                Socket socket = web.connect()) {
            InputStream in = firstByte(socket);
            Files.delete(root.resolve("large.bin"));
            assertArrayEquals(content, rest(in));
        }
    }

    @Test
    void fileTruncatedDuringTheResponseAbortsIt() throws IOException {
        large();
        try (Web web = Web.of(Folder.of(root), network);
                Socket socket = web.connect()) {
            InputStream in = firstByte(socket);
            truncate(root.resolve("large.bin"));
            assertTrue(countUntilEnd(in) < LARGE - 1);
        }
    }

    @Test
    void fileTruncatedDuringAMultipartResponseAbortsIt() throws IOException {
        large();
        try (var log = LogCapture.of("dev.tandem.engine");
                Web web = Web.of(Folder.of(root), network);
                Socket socket = web.connect()) {
            int half = LARGE / 2;
            Web.send(
                    socket,
                    "GET",
                    "/large.bin",
                    "Range: bytes=0-" + (half - 1) + "," + (half + 1000) + "-");
            InputStream in = socket.getInputStream();
            in.read();
            truncate(root.resolve("large.bin"));
            assertTrue(countUntilEnd(in) < half);
            assertEquals(1, log.lines().size(), "said once, with its name");
        }
    }

    @Test
    void fileRemovedBeforeItsPartsAreSentIs404() throws IOException {
        Shelved.write(file, "x".repeat(1000));
        var folder = Folder.of(root);
        try (Web web = Web.of(folder, network)) {
            assertEquals(206, web.get("/a.txt", "Range: bytes=0-0,500-500").status());
            Files.delete(file);
            assertEquals(404, web.get("/a.txt", "Range: bytes=0-0,500-500").status());
        }
    }

    private byte[] large() throws IOException {
        var content = new byte[LARGE];
        for (int i = 0; i < LARGE; i += 8) {
            ByteBuffer.wrap(content).putLong(i, i);
        }
        Files.write(root.resolve("large.bin"), content);
        return content;
    }

    private static void truncate(Path path) throws IOException {
        try (var channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
            channel.truncate(1000);
        }
    }

    /// Requests the large file and reads one byte, so that the response has certainly begun.
    private static InputStream firstByte(Socket socket) throws IOException {
        Web.send(socket, "GET", "/large.bin");
        InputStream in = socket.getInputStream();
        assertEquals('H', in.read());
        return in;
    }

    /// Reads the content of a response whose first byte was read.
    private static byte[] rest(InputStream in) throws IOException {
        byte[] all = in.readAllBytes();
        return java.util.Arrays.copyOfRange(all, all.length - LARGE, all.length);
    }

    private static long countUntilEnd(InputStream in) {
        long count = 0;
        var buffer = new byte[1 << 16];
        try {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                count += n;
            }
        } catch (IOException _) {
            // A reset is an end, too.
        }
        return count;
    }
}
