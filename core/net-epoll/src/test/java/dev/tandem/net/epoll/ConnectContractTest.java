package dev.tandem.net.epoll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.net.ConnectOptions;
import dev.tandem.net.IoBuffer;
import dev.tandem.net.Network;
import dev.tandem.net.Poller;
import dev.tandem.net.Socket;
import dev.tandem.testkit.FreePort;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The contract of every [Network] for outgoing connections.
class ConnectContractTest {
    private static final String BOTH = "dev.tandem.net.epoll.Networks#networks";
    private static final long PATIENCE_NANOS = 20_000_000_000L;

    private static ServerSocket server() throws IOException {
        return new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    }

    private static ConnectOptions to(ServerSocket server) {
        return ConnectOptions.to((InetSocketAddress) server.getLocalSocketAddress());
    }

    /// Connects, and waits like a loop until the poller reports that the socket is writable.
    private static Socket connected(Network network, ConnectOptions to) throws IOException {
        Socket socket = network.connect(to);
        try (Poller poller = network.poller()) {
            var recorder = new ConnectedSockets.RecordingListener();
            poller.add(socket, Poller.READ | Poller.WRITE, recorder);
            long begin = System.nanoTime();
            while ((recorder.operations() & Poller.WRITE) == 0 || !socket.finishConnect()) {
                assertTrue(System.nanoTime() - begin < PATIENCE_NANOS, "not within 20 s");
                poller.poll(100_000_000);
                while (poller.hasNext()) {
                    poller.dispatchNext();
                }
            }
        }
        return socket;
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void connectedSocketTransfersBothWays(Network network) throws Exception {
        try (ServerSocket server = server();
                Socket socket = connected(network, to(server));
                var peer = server.accept()) {
            assertEquals(server.getLocalSocketAddress(), socket.remoteAddress());
            assertEquals(peer.getRemoteSocketAddress(), socket.localAddress());
            var buffer = new IoBuffer(10);
            buffer.bytes().put("ping".getBytes(StandardCharsets.US_ASCII)).flip();
            assertEquals(4, socket.write(buffer));
            assertEquals("ping", new String(peer.getInputStream().readNBytes(4)));
            peer.getOutputStream().write("pong".getBytes(StandardCharsets.US_ASCII));
            buffer.bytes().clear();
            while (buffer.bytes().position() < 4) {
                socket.read(buffer);
            }
            assertEquals("pong", ConnectedSockets.text(buffer));
        }
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void portWithoutListenerRefusesConnection(Network network) throws Exception {
        var port = new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePort.find());
        ConnectOptions gone = ConnectOptions.to(port);
        assertThrows(ConnectException.class, () -> connected(network, gone));
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void inputCanBeSkipped(Network network) throws Exception {
        try (ServerSocket server = server();
                Socket socket = connected(network, to(server));
                var peer = server.accept()) {
            var scratch = new IoBuffer(1000);
            assertEquals(0, socket.skip(scratch, 10));
            peer.getOutputStream().write(new byte[5_000]);
            peer.getOutputStream().write("end".getBytes(StandardCharsets.US_ASCII));
            long skipped = 0;
            while (skipped < 5_000) {
                skipped += socket.skip(scratch, 5_000 - skipped);
            }
            scratch.bytes().clear();
            while (scratch.bytes().position() < 3) {
                socket.read(scratch);
            }
            assertEquals("end", ConnectedSockets.text(scratch));
            peer.shutdownOutput();
            long last = 0;
            while (last == 0) {
                last = socket.skip(scratch, 10);
            }
            assertEquals(-1, last);
        }
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void abortResetsConnection(Network network) throws Exception {
        try (ServerSocket server = server();
                Socket socket = connected(network, to(server));
                var peer = server.accept()) {
            socket.abort();
            assertThrows(SocketException.class, () -> peer.getInputStream().read());
        }
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void smallReceiveBufferLimitsPeer(Network network) throws Exception {
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            var small =
                    new ConnectOptions((InetSocketAddress) listener.getLocalAddress(), 4096, 4096);
            try (Socket _ = connected(network, small);
                    var accepted = listener.accept()) {
                accepted.configureBlocking(false);
                accepted.setOption(StandardSocketOptions.SO_SNDBUF, 4096);
                var bytes = ByteBuffer.allocate(1 << 20);
                long begin = System.nanoTime();
                while (bytes.hasRemaining() && System.nanoTime() - begin < 50_000_000) {
                    accepted.write(bytes);
                }
                assertTrue(bytes.position() < 200_000, bytes.position() + " bytes went");
            }
        }
    }
}
