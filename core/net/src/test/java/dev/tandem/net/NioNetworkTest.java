package dev.tandem.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class NioNetworkTest {
    private final NioNetwork network = new NioNetwork();

    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void pipeIsRejectedWithoutBlocking(@TempDir Path directory) throws Exception {
        Path pipe = directory.resolve("pipe");
        Process making = new ProcessBuilder("mkfifo", pipe.toString()).start();
        assertTrue(making.waitFor(20, TimeUnit.SECONDS));
        assertTimeoutPreemptively(
                Duration.ofSeconds(20),
                () -> assertThrows(FileSystemException.class, () -> network.open(pipe).close()));
    }

    @Test
    void fileHasSize(@TempDir Path directory) throws IOException {
        try (OpenFile file = network.open(Files.writeString(directory.resolve("a"), "abc"))) {
            assertEquals(3, file.size());
            assertTrue(file.isRegular());
        }
    }

    /// The JDK keeps the descriptor of a closed channel until the next selection.
    @Test
    void socketClosedDuringPollIsReleasedImmediately() throws Exception {
        var loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (Listener listener = network.listen(loopback, 1);
                Poller poller = network.poller();
                SocketChannel client = SocketChannel.open(listener.localAddress())) {
            NioSocket socket = accept(listener);
            poller.add(socket, Poller.READ, _ -> {});
            Thread sleeper = Thread.ofPlatform().start(() -> fetch(poller));
            Patience.until("it sleeps", () -> isSelecting(sleeper));
            socket.close();
            assertTrue(socket.channel().isRegistered(), "else there is nothing to show");
            poller.closed(socket);
            sleeper.join(20_000);
            assertFalse(sleeper.isAlive());
            assertEquals(-1, client.read(ByteBuffer.allocate(1)));
            assertFalse(socket.channel().isRegistered());
        }
    }

    private static NioSocket accept(Listener listener) throws IOException {
        Socket accepted = null;
        long begin = System.nanoTime();
        while (accepted == null && System.nanoTime() - begin < 20_000_000_000L) {
            accepted = listener.accept();
        }
        return (NioSocket) Objects.requireNonNull(accepted);
    }

    /// In the system call itself: before that, a selector deregisters closed channels.
    private static boolean isSelecting(Thread thread) {
        StackTraceElement[] frames = thread.getStackTrace();
        return frames.length > 1
                && frames[0].isNativeMethod()
                && frames[1].getMethodName().equals("doSelect")
                && List.of("wait", "poll").contains(frames[0].getMethodName());
    }

    private static void fetch(Poller poller) {
        try {
            poller.poll(-1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
