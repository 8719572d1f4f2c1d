package dev.tandem.upstream;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;

/// A listening socket whose connections the test accepts itself.
final class Listener implements AutoCloseable {
    /// 20 s: a test fails rather than hangs.
    private static final int TIMEOUT_MILLIS = 20_000;

    private final ServerSocket server;

    Listener() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
        server.setSoTimeout(TIMEOUT_MILLIS);
    }

    Address address() {
        return Address.of("127.0.0.1:" + server.getLocalPort());
    }

    Socket accept() throws IOException {
        Socket socket = server.accept();
        socket.setSoTimeout(TIMEOUT_MILLIS);
        return socket;
    }

    /// Accepts and closes connections until it is closed, so that its backlog never fills up.
    void acceptAll() {
        Thread.ofPlatform()
                .daemon()
                .start(
                        () -> {
                            while (!server.isClosed()) {
                                try {
                                    server.accept().close();
                                } catch (IOException _) {
                                    // It was closed, or no connection came for some time.
                                }
                            }
                        });
    }

    /// Returns a pool of these upstreams.
    static UpstreamPool pool(UpstreamOptions options, Listener... listeners) {
        List<Address> addresses = Stream.of(listeners).map(Listener::address).toList();
        return new UpstreamPool(addresses, options);
    }

    /// Borrows a connection for a request that may be repeated, without avoiding any upstream.
    static UpstreamConnection borrow(UpstreamPool pool) throws IOException {
        return borrow(pool, "127.0.0.1");
    }

    static UpstreamConnection borrow(UpstreamPool pool, String client) throws IOException {
        return pool.borrow(new HashSet<>(), client(client), true, () -> false);
    }

    static SocketAddress client(String address) {
        return new InetSocketAddress(InetAddress.ofLiteral(address), 1);
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
