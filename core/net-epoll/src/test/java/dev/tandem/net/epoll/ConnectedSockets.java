package dev.tandem.net.epoll;

import dev.tandem.net.IoBuffer;
import dev.tandem.net.Listener;
import dev.tandem.net.Network;
import dev.tandem.net.Poller;
import dev.tandem.net.Socket;
import dev.tandem.testkit.RawClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// A listener and a poller of one network, and connected pairs of sockets.
final class ConnectedSockets implements AutoCloseable {
    private static final long BRIEF_NANOS = 20_000_000;

    private final Listener listener;
    private final Poller poller;
    private final List<RawClient> clients = new ArrayList<>();
    private final List<Socket> sockets = new ArrayList<>();

    /// Returns a connection whose first byte was sent by the client and is read.
    record Pair(RawClient client, Socket socket) {}

    ConnectedSockets(Network network) throws IOException {
        this(network, InetAddress.getByName("127.0.0.1"));
    }

    ConnectedSockets(Network network, InetAddress address) throws IOException {
        listener = network.listen(new InetSocketAddress(address, 0), 100);
        poller = network.poller();
    }

    Listener listener() {
        return listener;
    }

    Poller poller() {
        return poller;
    }

    RawClient client() throws IOException {
        return client(0);
    }

    private RawClient client(int receiveBuffer) throws IOException {
        RawClient client =
                RawClient.connect((InetSocketAddress) listener.localAddress(), receiveBuffer);
        clients.add(client);
        return client;
    }

    Pair pair() throws IOException {
        return pair(0);
    }

    Pair pair(int receiveBuffer) throws IOException {
        RawClient client = client(receiveBuffer);
        client.send(
                new byte[1]); // the kernel may report a connection only when it has sent something
        Socket socket = accept();
        var first = new IoBuffer(1);
        while (socket.read(first) == 0) {
            Thread.onSpinWait();
        }
        return new Pair(client, socket);
    }

    /// Accepts the pending connection.
    Socket accept() throws IOException {
        Socket socket = accept(listener);
        sockets.add(socket);
        return socket;
    }

    /// @return to be closed
    static Socket accept(Listener listener) throws IOException {
        long begin = System.nanoTime();
        Socket socket = listener.accept();
        while (socket == null) {
            if (System.nanoTime() - begin > 20_000_000_000L) {
                throw new AssertionError("no connection within 20 s");
            }
            Thread.onSpinWait();
            socket = listener.accept();
        }
        return socket;
    }

    /// Polls and dispatches until the listener is notified, for at most 20 s.
    void dispatchUntilNotified(RecordingListener watch) throws IOException {
        long begin = System.nanoTime();
        while (watch.count() == 0) {
            if (System.nanoTime() - begin > 20_000_000_000L) {
                throw new AssertionError("no notification within 20 s");
            }
            poll(BRIEF_NANOS);
        }
    }

    /// Polls once, with a short wait, and dispatches all events. Existing readiness is reported;
    /// the wait shows that there is none.
    void dispatchBriefly() throws IOException {
        poll(BRIEF_NANOS);
    }

    private void poll(long nanos) throws IOException {
        poller.poll(nanos);
        while (poller.hasNext()) {
            poller.dispatchNext();
        }
    }

    static String text(IoBuffer buffer) {
        var bytes = new byte[buffer.bytes().position()];
        buffer.bytes().get(0, bytes);
        return new String(bytes, StandardCharsets.US_ASCII);
    }

    @Override
    public void close() throws IOException {
        for (RawClient client : clients) {
            client.close();
        }
        sockets.forEach(Socket::close);
        listener.close();
        poller.close();
    }

    /// Records the events of one socket.
    static final class RecordingListener implements Poller.ReadinessListener {
        private int count;
        private int operations;

        @Override
        public void ready(int operations) {
            count++;
            this.operations |= operations;
        }

        /// Returns the number of notifications.
        int count() {
            return count;
        }

        /// Returns the operations since the last call.
        int operations() {
            int now = operations;
            operations = 0;
            count = 0;
            return now;
        }
    }
}
