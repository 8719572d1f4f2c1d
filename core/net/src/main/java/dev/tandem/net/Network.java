package dev.tandem.net;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.util.ServiceLoader;

/// A way to have sockets and to learn of their readiness. One is in every JDK ([NioNetwork]);
/// the
/// `net-epoll` room brings another. Safe for use by any thread.
public interface Network {

    /// The system property that forces a network by its name.
    String PROPERTY = "tandem.network";

    /// `nio` or `epoll`.
    String name();

    /// Whether this network works here; false, for example, where native access is not allowed.
    boolean isUsable();

    /// Opens a listening socket that does not block.
    ///
    /// @param address an internet address, or a Unix-domain one: a socket file that nobody
    ///     listens at any more is replaced
    /// @param backlog how many connections the kernel may hold before they are accepted; the
    ///     kernel may cap it
    /// @throws IOException if the address is taken or not to be had; the message names it
    Listener listen(SocketAddress address, int backlog) throws IOException;

    /// Takes on a socket that listens already: the process was started with it, or another
    /// process sent it ([Datagrams]). It is this process's from now on.
    ///
    /// @param descriptor of a listening stream socket, an internet or a Unix-domain one
    /// @throws IOException if it is none
    /// @throws UnsupportedOperationException if this network cannot
    default Listener adopt(int descriptor) throws IOException {
        throw new UnsupportedOperationException(
                "network " + name() + " takes on no open socket; " + PROPERTY + "=epoll does");
    }

    /// Begins to connect, without waiting: the socket is ready for writing when the connection is
    /// there or has failed, and [Socket#finishConnect()] then says which. A network that only
    /// listens need not have it.
    ///
    /// @throws java.net.ConnectException if it is refused at once
    /// @throws java.net.BindException if no local port is left
    /// @throws OutOfDescriptorsException if the process or the system has no descriptor left
    default Socket connect(ConnectOptions to) throws IOException {
        throw new UnsupportedOperationException(name() + " does not connect to " + to);
    }

    Poller poller() throws IOException;

    /// Opens a file so that [Socket#send] can send it. Blocks for the disk, but for no writer of
    /// a pipe: what is no regular file is refused or says so.
    ///
    /// @throws OutOfDescriptorsException if there is no descriptor left for it
    /// @throws IOException if it does not exist or may not be read
    OpenFile open(Path path) throws IOException;

    /// The network named by the system property [#PROPERTY] if that is set, else the first usable
    /// one that the module path or class path offers, else java.nio's.
    ///
    /// @throws IllegalArgumentException if the property names none that is usable here
    static Network best() {
        String wanted = System.getProperty(PROPERTY, "");
        if (wanted.equals(NioNetwork.NAME)) {
            return new NioNetwork();
        }
        for (Network network : ServiceLoader.load(Network.class, Network.class.getClassLoader())) {
            boolean fits = wanted.isEmpty() || wanted.equals(network.name());
            if (fits && network.isUsable()) {
                return network;
            }
        }
        if (!wanted.isEmpty()) {
            throw new IllegalArgumentException(
                    PROPERTY + " must name a network that is usable here, was " + wanted);
        }
        return new NioNetwork();
    }
}
