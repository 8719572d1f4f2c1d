package dev.tandem.net.epoll;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tandem.net.IoBuffer;
import dev.tandem.net.Listener;
import dev.tandem.net.Network;
import dev.tandem.net.OpenFile;
import dev.tandem.net.PeerState;
import dev.tandem.net.Socket;
import dev.tandem.net.epoll.ConnectedSockets.Pair;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The contract of every [Socket], [Listener] and [OpenFile].
class SocketContractTest {
    private static final int WRITES_MAX = 10_000;

    private static final String BOTH = "dev.tandem.net.epoll.Networks#networks";

    private static IoBuffer buffer(String text) {
        var buffer = new IoBuffer(Math.max(1, text.length()));
        buffer.bytes().put(text.getBytes()).flip();
        return buffer;
    }

    private static ByteBuffer direct(String text) {
        return ByteBuffer.allocateDirect(text.length()).put(text.getBytes()).flip();
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void readReturnsAvailableBytesThatFit(Network network) throws Exception {
        try (var ends = new ConnectedSockets(network)) {
            Pair pair = ends.pair();
            var buffer = new IoBuffer(4);
            assertEquals(0, pair.socket().read(buffer));
            pair.client().send("abcdef".getBytes());
            buffer.bytes().position(1);
            while (buffer.bytes().hasRemaining()) {
                pair.socket().read(buffer);
            }
            assertEquals("abc", ConnectedSockets.text(buffer).substring(1));
            assertEquals(0, pair.socket().read(buffer)); // no room, which is not the end
            buffer.bytes().clear();
            while (buffer.bytes().position() < 3) {
                pair.socket().read(buffer);
            }
            assertEquals("def", ConnectedSockets.text(buffer));
        }
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void writeUsesPositionAndLimit(Network network) throws Exception {
        try (var ends = new ConnectedSockets(network)) {
            Pair pair = ends.pair();
            IoBuffer buffer = buffer("abcdef");
            buffer.bytes().position(2).limit(5);
            assertEquals(3, pair.socket().write(buffer));
            assertEquals(5, buffer.bytes().position());
            assertEquals(0, pair.socket().write(buffer));
            pair.socket().shutdownOutput();
            assertEquals("cde", new String(pair.client().rest()));
        }
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void closedSocketNeitherReadsNorWrites(Network network) throws Exception {
        try (var ends = new ConnectedSockets(network)) {
            Socket closed = ends.pair().socket();
            closed.close();
            IoBuffer buffer = buffer("abc");
            assertThrows(IOException.class, () -> closed.read(buffer));
            assertThrows(IOException.class, () -> closed.write(buffer));
            assertThrows(IOException.class, () -> closed.write(buffer, direct("def")));
            closed.close();
        }
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void twoBuffersAreWrittenInOrder(Network network) throws Exception {
        try (var ends = new ConnectedSockets(network)) {
            Pair pair = ends.pair();
            IoBuffer head = buffer("xab");
            head.bytes().position(1);
            ByteBuffer body = direct("ycdef").position(1).asReadOnlyBuffer();
            assertEquals(6, pair.socket().write(head, body));
            assertFalse(head.bytes().hasRemaining());
            assertFalse(body.hasRemaining());
            assertEquals(4, pair.socket().write(buffer(""), direct("ghij")));
            pair.socket().shutdownOutput();
            assertEquals("abcdefghij", new String(pair.client().rest()));
        }
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void twoBuffersMayBeWrittenPartly(Network network) throws Exception {
        try (var ends = new ConnectedSockets(network)) {
            Pair pair = ends.pair(4096);
            var sent = new ByteArrayOutputStream();
            boolean isFull = false;
            for (int i = 0; !isFull; i++) {
                var head = new byte[100];
                var body = new byte[150_000];
                Arrays.fill(head, (byte) i);
                Arrays.fill(body, (byte) -i);
                var first = new IoBuffer(100);
                first.bytes().put(head).flip();
                ByteBuffer second = ByteBuffer.allocateDirect(body.length).put(body).flip();
                long count = pair.socket().write(first, second);
                assertEquals(count, first.bytes().position() + second.position());
                sent.write(head, 0, first.bytes().position());
                sent.write(body, 0, second.position());
                isFull = second.hasRemaining();
            }
            pair.socket().shutdownOutput();
            assertArrayEquals(sent.toByteArray(), pair.client().rest());
        }
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void fullSocketWritesNothing(Network network) throws Exception {
        try (var ends = new ConnectedSockets(network)) {
            Pair pair = ends.pair(4096);
            var buffer = new IoBuffer(100_000);
            long taken = 1;
            // A full socket accepts more when the kernel has delivered its data.
            for (int i = 0; i < WRITES_MAX && taken > 0; i++) {
                buffer.bytes().clear();
                taken = pair.socket().write(buffer);
                taken += pair.socket().write(buffer, direct("abc"));
            }
            assertEquals(0, taken);
        }
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void readAtEndIsMinusOneRepeatedly(Network network) throws Exception {
        try (var ends = new ConnectedSockets(network)) {
            Pair pair = ends.pair();
            pair.client().send("a".getBytes()).halfClose();
            var buffer = new IoBuffer(10);
            int count = pair.socket().read(buffer);
            while (count >= 0) {
                count = pair.socket().read(buffer);
            }
            assertEquals("a", ConnectedSockets.text(buffer));
            assertEquals(-1, pair.socket().read(buffer));
            assertEquals(1, pair.socket().write(buffer("b")));
            pair.socket().close();
            assertEquals("b", new String(pair.client().rest()));
        }
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void operationsAfterResetThrow(Network network) throws Exception {
        try (var ends = new ConnectedSockets(network)) {
            Pair pair = ends.pair();
            pair.client().reset();
            assertThrows(IOException.class, () -> readUntilItThrows(pair.socket()));
            assertThrows(IOException.class, () -> pair.socket().write(buffer("a")));
            assertThrows(IOException.class, () -> pair.socket().write(buffer("a"), direct("b")));
            pair.socket().close();
            pair.socket().close();
        }
    }

    private static void readUntilItThrows(Socket socket) throws IOException {
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(20)) {
            if (socket.read(new IoBuffer(10)) < 0) {
                return;
            }
        }
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void socketHasAddressesOfConnection(Network network) throws Exception {
        try (var ends = new ConnectedSockets(network)) {
            Pair pair = ends.pair();
            var loopback = InetAddress.getByName("127.0.0.1");
            assertEquals(
                    new InetSocketAddress(loopback, pair.client().localPort()),
                    pair.socket().remoteAddress());
            assertEquals(ends.listener().localAddress(), pair.socket().localAddress());
        }
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void addressesMayBeIpv6(Network network) throws Exception {
        InetAddress loopback = InetAddress.getByName("::1");
        assumeTrue(hasLoopback6(network, loopback), "skipped: needs IPv6 on the loopback");
        try (var ends = new ConnectedSockets(network, loopback)) {
            Pair pair = ends.pair();
            assertEquals(
                    new InetSocketAddress(loopback, pair.client().localPort()),
                    pair.socket().remoteAddress());
        }
    }

    private static boolean hasLoopback6(Network network, InetAddress loopback) {
        try (Listener _ = network.listen(new InetSocketAddress(loopback, 0), 1)) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void wildcardAddressIncludesLoopback(Network network) throws Exception {
        try (Listener listener = network.listen(new InetSocketAddress(0), 10)) {
            int port = ((InetSocketAddress) listener.localAddress()).getPort();
            assertTrue(port > 0);
            try (var client =
                    dev.tandem.testkit.RawClient.connect(
                            new InetSocketAddress("127.0.0.1", port))) {
                client.send(new byte[1]);
                Socket socket = ConnectedSockets.accept(listener);
                assertEquals("/127.0.0.1:" + client.localPort(), socket.remoteAddress().toString());
                socket.close();
            }
        }
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void exceptionNamesAddressInUse(Network network) throws Exception {
        try (Listener listener = network.listen(new InetSocketAddress("127.0.0.1", 0), 10)) {
            var rejection =
                    assertThrows(
                            BindException.class, () -> network.listen(listener.localAddress(), 10));
            int port = ((InetSocketAddress) listener.localAddress()).getPort();
            assertTrue(
                    String.valueOf(rejection.getMessage())
                            .matches(
                                    "cannot listen on /?127.0.0.1:"
                                            + port
                                            + ": [Aa]ddress.* in use"),
                    rejection.getMessage());
        }
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void fileRegionsAreSent(Network network, @TempDir Path directory) throws Exception {
        Path path = Files.writeString(directory.resolve("a"), "abcdefghij");
        try (var ends = new ConnectedSockets(network);
                OpenFile file = network.open(path)) {
            Pair pair = ends.pair();
            assertEquals(3, pair.socket().send(file, 2, 3));
            assertEquals(2, pair.socket().send(file, 8, 100)); // as much as there is
            assertEquals(-1, pair.socket().send(file, 10, 1));
            assertEquals(-1, pair.socket().send(file, 99, 1));
            pair.socket().shutdownOutput();
            assertEquals("cdeij", new String(pair.client().rest()));
        }
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void longFileIsSentPartly(Network network, @TempDir Path directory) throws Exception {
        var bytes = new byte[5_000_000];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i >> 4);
        }
        Path path = Files.write(directory.resolve("a"), bytes);
        try (var ends = new ConnectedSockets(network);
                OpenFile file = network.open(path)) {
            Pair pair = ends.pair(4096);
            long sent = 0;
            long count = pair.socket().send(file, 0, bytes.length);
            while (count > 0) {
                sent += count;
                count = pair.socket().send(file, sent, bytes.length - sent);
            }
            assertEquals(0, count);
            assertTrue(sent < bytes.length);
            pair.socket().shutdownOutput();
            assertArrayEquals(Arrays.copyOf(bytes, (int) sent), pair.client().rest());
        }
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void fileAttributesEqualSystemAttributes(Network network, @TempDir Path directory)
            throws Exception {
        Path path = Files.writeString(directory.resolve("ä b"), "abc");
        Files.setLastModifiedTime(
                path, FileTime.from(1_700_000_000_123_456L, TimeUnit.MICROSECONDS));
        try (OpenFile file = network.open(path)) {
            assertEquals(3, file.size());
            assertEquals(1_700_000_000_123_456_000L, file.modifiedNanos());
            assertTrue(file.isRegular());
        }
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void directoryIsNotRegularFile(Network network, @TempDir Path directory) throws Exception {
        try (OpenFile file = network.open(directory)) {
            assertFalse(file.isRegular());
        } catch (IOException e) {
            assertTrue(
                    String.valueOf(e.getMessage()).contains(directory.toString()), e.getMessage());
        }
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void exceptionNamesMissingFile(Network network, @TempDir Path directory) {
        Path path = directory.resolve("missing");
        var rejection = assertThrows(IOException.class, () -> network.open(path));
        assertTrue(
                String.valueOf(rejection.getMessage()).contains(path.toString()),
                rejection.getMessage());
    }

    private static void awaitState(Pair pair, PeerState wanted) throws IOException {
        long end = System.nanoTime() + 20_000_000_000L;
        PeerState state = pair.socket().peerState();
        while (state != wanted && System.nanoTime() < end) {
            Thread.onSpinWait();
            state = pair.socket().peerState();
        }
        assertEquals(wanted, state);
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void resetIsSeenBehindUnreadInput(Network network) throws Exception {
        try (var ends = new ConnectedSockets(network)) {
            Pair pair = ends.pair();
            PeerState before = pair.socket().peerState();
            assertTrue(before == PeerState.OPEN || before == PeerState.UNKNOWN);
            pair.client().send(new byte[10_000]);
            assertEquals(before, pair.socket().peerState());
            pair.client().reset();
            awaitState(pair, PeerState.GONE);
            var buffer = new IoBuffer(10_000);
            assertTrue(pair.socket().read(buffer) > 0, "nothing was read for it");
        }
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void endIsSeenBehindUnreadInput_whereTheKernelCanBeAsked(Network network) throws Exception {
        try (var ends = new ConnectedSockets(network)) {
            Pair pair = ends.pair();
            pair.client().send(new byte[10_000]).halfClose();
            if (network instanceof EpollNetwork) {
                awaitState(pair, PeerState.ENDED);
                pair.client().reset();
                awaitState(pair, PeerState.GONE);
            } else {
                assertEquals(PeerState.UNKNOWN, pair.socket().peerState());
            }
        }
    }

    /// A client that reads nothing holds less of the kernel's memory.
    @ParameterizedTest
    @MethodSource(BOTH)
    void limitOfUnsentBytesHoldsWithEpoll(Network network) throws Exception {
        assumeTrue(network instanceof EpollNetwork);
        try (var ends = new ConnectedSockets(network)) {
            Pair free = ends.pair(4096);
            Pair limited = ends.pair(4096);
            limited.socket().limitUnsent(16_384);
            long taken = taken(limited.socket());
            assertTrue(taken < 400_000, taken + " bytes were taken");
            assertTrue(taken(free.socket()) > 2 * taken, taken + " are not few");
        }
    }

    /// Returns how much is written until the kernel takes no more.
    private static long taken(Socket socket) throws IOException {
        var buffer = new IoBuffer(8192);
        long sum = 0;
        for (int count = 1; count > 0; sum += count) {
            buffer.bytes().clear();
            count = socket.write(buffer);
        }
        return sum;
    }
}
