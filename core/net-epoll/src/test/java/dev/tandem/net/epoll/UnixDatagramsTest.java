package dev.tandem.net.epoll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.net.Datagrams;
import dev.tandem.net.Listener;
import dev.tandem.net.Socket;
import dev.tandem.testkit.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class UnixDatagramsTest {
    private final Datagrams datagrams = new UnixDatagrams();
    private final EpollNetwork network = new EpollNetwork();

    private final Path directory;

    UnixDatagramsTest(@TempDir Path directory) {
        this.directory = directory;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void datagramsAreReceivedInOrder() throws IOException {
        Path path = directory.resolve("box");
        try (var box = datagrams.bind(path)) {
            assertTrue(box.receive().isEmpty());
            datagrams.send(path.toString(), bytes("one"));
            datagrams.send(path.toString(), bytes("two"));
            assertEquals("one", box.receive().orElseThrow().content());
            assertEquals("two", box.receive().orElseThrow().content());
            assertTrue(box.receive().isEmpty());
        }
        assertTrue(Files.notExists(path));
    }

    @Test
    void missingReceiverThrows() {
        String path = directory.resolve("missing").toString();
        var e = assertThrows(IOException.class, () -> datagrams.send(path, bytes("x")));
        assertTrue(String.valueOf(e.getMessage()).contains("no such file"), e.getMessage());
    }

    @Test
    void tooLongDatagramThrows() {
        String path = "/" + "x".repeat(200);
        assertThrows(IllegalArgumentException.class, () -> datagrams.send(path, bytes("x")));
        assertThrows(
                IllegalArgumentException.class,
                () -> datagrams.send("/x", new byte[Datagrams.CONTENT_MAX + 1]));
    }

    @Test
    void sentListenerIsSameSocket() throws IOException {
        var loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        Path path = directory.resolve("box");
        Listener listener = network.listen(loopback, 16);
        try (var box = datagrams.bind(path)) {
            datagrams.send(path.toString(), bytes("sockets"), listener.descriptor());
            List<Integer> received = box.receive().orElseThrow().descriptors();
            assertEquals(1, received.size());
            try (Listener adopted = network.adopt(received.getFirst())) {
                assertEquals(listener.localAddress(), adopted.localAddress());
                listener.close(); // its sender has no further use for it
                try (var client = SocketChannel.open(adopted.localAddress())) {
                    client.write(ByteBuffer.wrap(bytes("x")));
                    accept(adopted).close();
                }
            }
        }
    }

    private static Socket accept(Listener listener) {
        var accepted = new AtomicReference<@Nullable Socket>();
        Patience.until(
                "a connection",
                () -> {
                    try {
                        accepted.set(listener.accept());
                        return accepted.get() != null;
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
        return Objects.requireNonNull(accepted.get());
    }

    @Test
    void socketThatDoesNotListenIsNotAdopted() throws IOException {
        Path path = directory.resolve("box");
        Path file = Files.writeString(directory.resolve("file"), "x");
        try (var box = datagrams.bind(path);
                var open = (EpollFile) network.open(file)) {
            datagrams.send(path.toString(), bytes("file"), open.fd());
            int descriptor = box.receive().orElseThrow().descriptors().getFirst();
            var e = assertThrows(IOException.class, () -> network.adopt(descriptor));
            assertEquals("descriptor " + descriptor + " is no socket that listens", e.getMessage());
            Linux.call(SystemCallNumbers.forThisMachine().close(), descriptor, 0, 0);
        }
    }

    @Test
    void unixDomainSocketListens() throws IOException {
        var address = UnixDomainSocketAddress.of(directory.resolve("s"));
        try (Listener listener = network.listen(address, 16)) {
            assertEquals(address, listener.localAddress());
            var e = assertThrows(IOException.class, () -> network.listen(address, 16));
            assertTrue(
                    String.valueOf(e.getMessage()).endsWith("address already in use"),
                    e.getMessage());
            try (var client = SocketChannel.open(address);
                    Socket accepted = accept(listener)) {
                assertTrue(client.isConnected());
                assertEquals(UnixDomainSocketAddress.of(""), accepted.remoteAddress());
            }
        }
        network.listen(address, 16).close(); // in place of the file that was left
        Files.writeString(directory.resolve("f"), "x");
        var file = UnixDomainSocketAddress.of(directory.resolve("f"));
        assertThrows(IOException.class, () -> network.listen(file, 16));
        assertTrue(Files.exists(file.getPath()), "a file was deleted that was no socket");
    }
}
