package dev.tandem.engine.http1;

import static dev.tandem.engine.http1.WireCases.get;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.engine.Served;
import dev.tandem.http.Body;
import dev.tandem.http.Exchange;
import dev.tandem.http.FileChangedException;
import dev.tandem.http.FileStamp;
import dev.tandem.net.Network;
import dev.tandem.testkit.RawClient;
import dev.tandem.testkit.RawResponse;
import dev.tandem.testkit.WireText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// More bytes than any buffer holds, in both directions, and files.
class TransferOverSocketsTest {
    private static final int SIZE = 4_000_000;
    private static final byte[] BYTES = bytes();

    private Path file = Path.of("unset");
    private FileStamp stamp = new FileStamp(0, 0, true, false);

    @BeforeEach
    void write(@TempDir Path folder) throws IOException {
        file = Files.write(folder.resolve("large"), BYTES);
        stamp = FileStamp.of(file);
    }

    private static byte[] bytes() {
        var bytes = new byte[SIZE];
        for (int i = 0; i < SIZE; i++) {
            bytes[i] = (byte) (i * 0x9E3779B1 >>> 24);
        }
        return bytes;
    }

    private Served served(Network network) {
        return Served.on(
                network,
                Options.DEFAULT,
                t ->
                        t.post("/echo", TransferOverSocketsTest::echo)
                                .get("/file", x -> x.send(region(0, SIZE)))
                                .get("/part", x -> x.send(region(1_000_001, 2_000_003)))
                                .get("/changed", this::sendOrSayThatItChanged));
    }

    private Body.FileRegion region(long offset, long length) {
        return new Body.FileRegion(file, offset, length, stamp);
    }

    private static void echo(Exchange x) throws IOException {
        try (OutputStream out = x.outputStream()) {
            x.request().body().transferTo(out);
        }
    }

    private void sendOrSayThatItChanged(Exchange x) throws IOException {
        try {
            x.send(region(0, SIZE));
        } catch (FileChangedException e) {
            x.status(409).send("changed");
        }
    }

    /// The client takes less at once than it sends: the worker waits now for one, now for the
    /// other.
    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void bodyIsEchoedThroughSmallWindows(Network network) throws Exception {
        try (Served served = served(network)) {
            RawClient client = served.client(4096);
            client.send("POST /echo HTTP/1.1\nHost: a\nContent-Length: " + SIZE + "\n\n");
            CompletableFuture<Void> sending =
                    CompletableFuture.runAsync(() -> send(client), Served.ASIDE);
            assertArrayEquals(BYTES, client.response().body());
            sending.get(20, TimeUnit.SECONDS);
        }
    }

    private static void send(RawClient client) {
        try {
            for (int at = 0; at < SIZE; at += 100_000) {
                client.send(Arrays.copyOfRange(BYTES, at, at + 100_000));
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void chunkedBodyIsEchoedAndTheConnectionKept(Network network) throws IOException {
        try (Served served = served(network)) {
            RawClient client = served.client();
            client.send("POST /echo HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\n\n");
            var body = new ByteArrayOutputStream();
            for (int size = 1; size < 3000; size = size * 3 + 1) {
                byte[] chunk = Arrays.copyOf(BYTES, size);
                client.send(Integer.toHexString(size) + "\n").send(chunk).send("\n");
                body.write(chunk);
            }
            client.send("0\n\n" + get("/now"));
            assertArrayEquals(body.toByteArray(), client.response().body());
            assertEquals("now", client.response().text());
        }
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void fileIsCompleteAndTheConnectionKept(Network network) throws IOException {
        try (Served served = served(network)) {
            RawClient client = served.client();
            for (int i = 0; i < 3; i++) {
                assertArrayEquals(BYTES, client.send(get("/file")).response().body());
                assertEquals("now", client.send(get("/now")).response().text());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void partOfAFileIsSentThroughASmallWindow(Network network) throws IOException {
        try (Served served = served(network)) {
            RawClient client = served.client(4096);
            RawResponse response = client.send(get("/part") + get("/hello")).response();
            assertArrayEquals(
                    Arrays.copyOfRange(BYTES, 1_000_001, 1_000_001 + 2_000_003), response.body());
            assertEquals("Hello, World!", client.response().text());
        }
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void changedFileIsNotSent(Network network) throws IOException {
        try (Served served = served(network)) {
            Files.writeString(file, "x", StandardOpenOption.APPEND);
            RawResponse response = served.client().send(get("/changed")).response();
            assertEquals(409, response.status());
        }
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void missingFileIs500(Network network) throws IOException {
        try (var log = dev.tandem.testkit.LogCapture.of("dev.tandem.engine");
                Served served = served(network)) {
            Files.delete(file);
            assertEquals(500, served.client().send(get("/file")).response().status());
            assertEquals(1, log.lines().size());
        }
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void shrinkingFileTruncatesTheResponse(Network network) throws IOException {
        try (Served served = served(network)) {
            RawClient client = served.client(4096);
            client.send(get("/file") + get("/now"));
            var first = client.bytes(100);
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(10);
            }
            byte[] rest = client.restOrCut();
            String head = WireText.block(first);
            assertTrue(head.contains("Content-Length: " + SIZE), head);
            assertTrue(rest.length < SIZE - 100, "came: " + rest.length);
            served.awaitConnections(0);
            assertEquals("now", served.client().send(get("/now")).response().text());
        }
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void disconnectWhileAFileIsSentLeavesNothing(Network network) throws IOException {
        try (Served served = served(network)) {
            RawClient client = served.client(4096);
            client.send(get("/file"));
            client.bytes(100);
            client.reset();
            served.awaitConnections(0);
            assertEquals("now", served.client().send(get("/now")).response().text());
        }
    }
}
