package dev.tandem.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ServerSocketFactory;

/// A server on a free port of the loopback address, which runs a test's code for each connection on
/// a thread of its own. Safe for use by any thread.
public final class TestServer implements AutoCloseable {
    private static final int BACKLOG = 200;

    private final ServerSocket listener;
    private final Script script;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();

    /// What happens on one connection, which is closed when this returns. An [IOException] or an
    /// interrupt ends it too: the peer has disconnected, or the test is over.
    @FunctionalInterface
    public interface Script {
        /// @param number of the connection, from 0
        void run(Socket socket, int number) throws IOException, InterruptedException;
    }

    public TestServer(Script script) throws IOException {
        this(ServerSocketFactory.getDefault(), script);
    }

    /// @param sockets makes the listening socket, such as one for TLS
    public TestServer(ServerSocketFactory sockets, Script script) throws IOException {
        this.listener = sockets.createServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        this.script = script;
        Thread.ofPlatform().daemon().start(this::accept);
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                open.add(socket);
                int number = connections.getAndIncrement();
                // Not a virtual thread: sockets of TLS may hold a carrier while they wait.
                Thread.ofPlatform().daemon().start(() -> run(socket, number));
            } catch (IOException _) {
                return; // closed
            }
        }
    }

    private void run(Socket socket, int number) {
        try (socket) {
            socket.setTcpNoDelay(true);
            script.run(socket, number);
        } catch (IOException | UncheckedIOException | InterruptedException _) {
            // The peer has disconnected, as some tests intend.
        } finally {
            open.remove(socket);
            ended.incrementAndGet();
        }
    }

    public int port() {
        return listener.getLocalPort();
    }

    /// Returns the address as configurations write it.
    public String address() {
        return "127.0.0.1:" + port();
    }

    /// Returns how many connections were accepted.
    public int connections() {
        return connections.get();
    }

    /// Waits until that many connections have been closed here.
    public void awaitEnded(int count) {
        Patience.until(count + " ended", () -> ended.get() >= count);
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
