package dev.tandem.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;

/// An open port that accepts no connection: its backlog is full, and the kernel drops further ones.
public final class DeafPort implements AutoCloseable {
    /// The maximum time of a connect that finds space in the backlog: 500 ms.
    private static final int CONNECT_MILLIS = 500;

    /// More than any kernel adds to a backlog of one.
    private static final int CONNECTIONS_MAX = 20;

    private final ServerSocket listener;
    private final List<Socket> queued = new ArrayList<>();

    /// Fills the backlog, which takes half a second.
    public DeafPort() throws IOException {
        listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        boolean isFull = false;
        while (!isFull && queued.size() < CONNECTIONS_MAX) {
            var socket = new Socket();
            queued.add(socket);
            try {
                socket.connect(listener.getLocalSocketAddress(), CONNECT_MILLIS);
            } catch (SocketTimeoutException _) {
                isFull = true;
            }
        }
        if (!isFull) {
            close();
            throw new IOException("the backlog is never full");
        }
    }

    /// Returns its address, as `127.0.0.1:1234`.
    public String address() {
        return "127.0.0.1:" + listener.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        for (Socket socket : queued) {
            socket.close();
        }
        listener.close();
    }
}
