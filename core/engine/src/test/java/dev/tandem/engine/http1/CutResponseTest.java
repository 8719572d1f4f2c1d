package dev.tandem.engine.http1;

import static dev.tandem.engine.http1.WireCases.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tandem.Options;
import dev.tandem.engine.MemoryServer;
import dev.tandem.http.Body;
import dev.tandem.http.Exchange;
import dev.tandem.http.FileStamp;
import dev.tandem.http.Router;
import dev.tandem.testkit.MemoryPipe;
import dev.tandem.testkit.WireText;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Handlers that catch an error while their response is sent, such as a lack of memory: it is
/// unknown what of it was sent, so the next response must not follow.
@Timeout(60)
class CutResponseTest {
    private final MemoryServer server =
            new MemoryServer(
                    Options.DEFAULT,
                    Router.builder()
                            .add("GET", "/whole", this::sendWhole)
                            .add("GET", "/stream", this::sendStream)
                            .add("GET", "/file", this::sendFile)
                            .add("GET", "/hints", this::sendHints)
                            .add("GET", "/hints-and-whole", this::sendHintsAndWhole)
                            .build());
    private final Path folder;

    CutResponseTest(@TempDir Path folder) {
        this.folder = folder;
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private void sendWhole(Exchange x) {
        server.failNextWrite(new OutOfMemoryError("at the moment"));
        assertThrows(OutOfMemoryError.class, () -> x.send("whole"));
    }

    private void sendStream(Exchange x) throws IOException {
        OutputStream out = x.outputStream();
        out.write(new byte[10]);
        server.failNextWrite(new OutOfMemoryError("at the moment"));
        assertThrows(OutOfMemoryError.class, out::flush);
    }

    private void sendFile(Exchange x) throws IOException {
        Path file = Files.write(folder.resolve("file"), new byte[100_000]);
        var region = new Body.FileRegion(file, 0, 100_000, FileStamp.of(file));
        server.failNextWrite(new OutOfMemoryError("at the moment"));
        assertThrows(OutOfMemoryError.class, () -> x.send(region));
    }

    private void sendHints(Exchange x) {
        server.failNextWrite(new OutOfMemoryError("at the moment"));
        assertThrows(OutOfMemoryError.class, () -> x.earlyHints("</a.css>; rel=preload"));
    }

    private void sendHintsAndWhole(Exchange x) {
        sendHints(x);
        assertThrows(IllegalStateException.class, () -> x.send("whole"));
    }

    private void assertLast(String path) throws IOException {
        MemoryPipe pipe = server.connect();
        byte[] requests = WireText.bytes(get(path) + get(path));
        assertEquals(requests.length, pipe.toServer().offer(requests, 0, requests.length));
        assertEquals("", server.readToEnd(pipe));
    }

    @Test
    void wholeResponseIsTheLast() throws IOException {
        assertLast("/whole");
    }

    @Test
    void streamIsTheLast() throws IOException {
        assertLast("/stream");
    }

    /// A part of them may have been sent.
    @Test
    void nothingFollowsHintsThatFailed() throws IOException {
        assertLast("/hints");
        assertLast("/hints-and-whole");
    }

    /// Its content must not come in place of its head.
    @Test
    void fileIsNotSentWithoutItsHead() throws IOException {
        assertLast("/file");
    }
}
