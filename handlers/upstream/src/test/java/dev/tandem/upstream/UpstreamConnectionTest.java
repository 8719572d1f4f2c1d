package dev.tandem.upstream;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.Patience;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Reads, writes and time-outs of one connection, over real sockets.
@Timeout(60)
class UpstreamConnectionTest {
    private static final Duration SHORT = Duration.ofMillis(50);

    private final AtomicBoolean isDisconnected = new AtomicBoolean();
    private Listener listener;
    private UpstreamPool pool;
    private UpstreamConnection connection;
    private Socket peer;

    @BeforeEach
    void connect() throws IOException {
        listener = new Listener();
        pool = Listener.pool(UpstreamOptions.DEFAULT, listener);
        connection =
                pool.borrow(
                        new HashSet<>(), Listener.client("127.0.0.1"), true, isDisconnected::get);
        peer = listener.accept();
    }

    @AfterEach
    void close() throws IOException {
        peer.close();
        pool.discard(connection);
        pool.close();
        listener.close();
    }

    // ---- Data.

    @Test
    void dataIsWrittenAndRead() throws IOException {
        byte[] text = "request".getBytes(StandardCharsets.US_ASCII);
        connection.write(text, 0, text.length);
        connection.flush();
        assertArrayEquals(text, peer.getInputStream().readNBytes(text.length));
        peer.getOutputStream().write("response".getBytes(StandardCharsets.US_ASCII));
        while (connection.input().remaining() < "response".length()) {
            assertTrue(connection.read());
        }
        var read = new byte["response".length()];
        connection.input().get(read);
        assertEquals("response", new String(read, StandardCharsets.US_ASCII));
        peer.shutdownOutput();
        assertFalse(connection.read(), "the stream has ended");
    }

    @Test
    void writeBeyondTheBufferIsSentPartly() throws IOException {
        var bytes = new byte[100_000];
        new Random(1).nextBytes(bytes);
        CompletableFuture<byte[]> received =
                CompletableFuture.supplyAsync(() -> readAll(peer, bytes.length));
        connection.write(bytes, 0, bytes.length);
        connection.flush();
        assertArrayEquals(bytes, received.join());
    }

    private static byte[] readAll(Socket socket, int length) {
        try {
            return socket.getInputStream().readNBytes(length);
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }

    /// The peer does not read on before its own output is read: a plain flush would deadlock.
    @Test
    void flushWithAReceiverReadsAtTheSameTime() throws IOException {
        int total = 16 << 20;
        CompletableFuture<Void> echo = CompletableFuture.runAsync(() -> echo(total));
        var received = new ByteArrayOutputStream(total);
        var random = new Random(2);
        var sent = new ByteArrayOutputStream(total);
        connection.setTimeout(Duration.ofSeconds(30));
        while (sent.size() < total) {
            var bytes = new byte[Math.min(8_192, total - sent.size())];
            random.nextBytes(bytes);
            sent.writeBytes(bytes);
            connection.write(bytes, 0, bytes.length);
            assertTrue(connection.flush(_ -> consume(received)));
        }
        connection.setBlocking();
        while (received.size() < total) {
            assertTrue(connection.read());
            consume(received);
        }
        echo.join();
        assertArrayEquals(sent.toByteArray(), received.toByteArray());
    }

    private void echo(int total) {
        try {
            var buffer = new byte[8_192];
            for (int count = 0; count < total; ) {
                int more = peer.getInputStream().read(buffer);
                peer.getOutputStream().write(buffer, 0, more);
                count += more;
            }
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }

    private boolean consume(ByteArrayOutputStream to) {
        ByteBuffer input = connection.input();
        to.write(input.array(), input.position(), input.remaining());
        input.position(input.limit());
        return true;
    }

    @Test
    void receiverCanEndAWrite() throws IOException {
        peer.getOutputStream().write('x');
        var bytes = new byte[8_192];
        boolean isWanted = true;
        while (isWanted) { // until the buffers of both sockets are full, or the byte is seen
            connection.write(bytes, 0, bytes.length);
            isWanted = connection.flush(_ -> false);
        }
        assertEquals('x', connection.input().get());
        assertEquals(0, connection.output().position(), "the rest is dropped");
    }

    @Test
    void unixSocketWorks(@TempDir Path folder) throws IOException {
        Path path = folder.resolve("s");
        var address = UnixDomainSocketAddress.of(path);
        try (var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(address);
                var other =
                        new UpstreamPool(
                                List.of(Address.of("unix:" + path)), UpstreamOptions.DEFAULT)) {
            UpstreamConnection unix = Listener.borrow(other);
            try (var accepted = server.accept()) {
                assertTrue(unix.hasNoInput());
                accepted.write(ByteBuffer.wrap(new byte[] {'x'}));
                assertTrue(unix.read());
                assertEquals('x', unix.input().get());
            }
            other.discard(unix);
        }
    }

    // ---- Time-outs, disconnects.

    @Test
    void readTimesOut() {
        connection.setTimeout(SHORT);
        var e = assertThrows(UpstreamTimeoutException.class, connection::read);
        assertTrue(String.valueOf(e.getMessage()).startsWith(listener.address().text()));
    }

    @Test
    void writeToAPeerThatReadsNothingTimesOut() {
        connection.setTimeout(SHORT);
        var bytes = new byte[64 << 10];
        assertThrows(
                UpstreamTimeoutException.class,
                () -> {
                    for (int i = 0; i < 10_000; i++) {
                        connection.write(bytes, 0, bytes.length);
                        connection.flush();
                    }
                });
    }

    @Test
    void flushWithAReceiverTimesOut() {
        connection.setTimeout(SHORT);
        var bytes = new byte[8_192];
        assertThrows(
                UpstreamTimeoutException.class,
                () -> {
                    for (int i = 0; i < 100_000; i++) {
                        connection.write(bytes, 0, bytes.length);
                        connection.flush(_ -> true);
                    }
                });
    }

    @Test
    void timeoutStillExpiresAfterThePoolWasClosed() {
        pool.close();
        connection.setTimeout(SHORT);
        assertThrows(UpstreamTimeoutException.class, connection::read);
    }

    @Test
    void disconnectedClientEndsARead() {
        isDisconnected.set(true);
        assertThrows(ClientDisconnectedException.class, connection::read);
    }

    @Test
    void unwatchedClientDoesNotEndARead() {
        connection.stopWatchingClient();
        isDisconnected.set(true);
        connection.setTimeout(Duration.ofMillis(600)); // longer than two checks of a client
        assertThrows(UpstreamTimeoutException.class, connection::read);
    }

    @Test
    void abortEndsARead() {
        CompletableFuture<Boolean> read =
                CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return connection.read();
                            } catch (IOException e) {
                                throw new CompletionException(e);
                            }
                        });
        connection.abort();
        var e = assertThrows(CompletionException.class, read::join);
        assertInstanceOf(UpstreamException.class, e.getCause());
    }

    @Test
    void resetByThePeerIsAnUpstreamFailure() throws IOException {
        peer.setSoLinger(true, 0);
        peer.close();
        assertThrows(UpstreamException.class, connection::read);
    }

    @Test
    void connectionIsUsableWhileOpenAndWithoutInput() throws IOException {
        assertTrue(connection.isUsable());
        assertTrue(connection.hasNoInput());
        peer.getOutputStream().write('x');
        Patience.until("the byte has arrived", () -> !connection.hasNoInput());
        assertFalse(connection.isUsable());
    }
}
