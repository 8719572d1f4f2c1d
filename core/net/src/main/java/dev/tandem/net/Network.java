package dev.tandem.net;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.util.ServiceLoader;

/// A provider of sockets and pollers. [NioNetwork] works with every JDK; the module `net-epoll`
/// provides another. Thread-safe.
public interface Network {

    /// The system property that selects a network by name.
    String PROPERTY = "tandem.network";

    /// `nio` or `epoll`.
    String name();

    /// Returns whether this network works on this system; false, for example, if native access is
    /// not allowed.
    boolean isUsable();

    /// Opens a non-blocking listening socket.
    ///
    /// @param address an internet or a Unix-domain address; a stale socket file is replaced
    /// @param backlog the maximum number of connections that the kernel queues before they are
    ///     accepted; the kernel may cap it
    /// @throws IOException if the address is in use or not available; the message names it
    Listener listen(SocketAddress address, int backlog) throws IOException;

    /// Adopts a listening socket that the process inherited, or that another process sent
    /// ([Datagrams]). The network owns it from now on.
    ///
    /// @param descriptor the descriptor of a listening stream socket, internet or Unix-domain
    /// @throws IOException if it is not such a socket
    /// @throws UnsupportedOperationException if this network does not support it
    default Listener adopt(int descriptor) throws IOException {
        throw new UnsupportedOperationException(
                "network " + name() + " cannot adopt an open socket; " + PROPERTY + "=epoll does");
    }

    /// Starts to connect without blocking: the socket becomes ready for writing when the connection
    /// is established or has failed, which [Socket#finishConnect()] distinguishes. A network that
    /// only listens need not support it.
    ///
    /// @throws java.net.ConnectException if it is refused immediately
    /// @throws java.net.BindException if no local port is available
    /// @throws OutOfDescriptorsException if the process or the system has no descriptor left
    default Socket connect(ConnectOptions to) throws IOException {
        throw new UnsupportedOperationException(name() + " does not connect to " + to);
    }

    Poller poller() throws IOException;

    /// Opens a file that [Socket#send] can send. Blocks for the disk, but not for the writer of a
    /// pipe: a file that is not regular is rejected or reported as such.
    ///
    /// @throws OutOfDescriptorsException if the process or the system has no descriptor left
    /// @throws IOException if it does not exist or is not readable
    OpenFile open(Path path) throws IOException;

    /// Lowers the calling thread's priority to the process's own nice value plus `levels`, for as
    /// long as the thread lives; threads that it starts have the same. Only while processors are
    /// scarce does this matter: a thread five levels lower gets a third of the time.
    ///
    /// @param levels 0 to 19
    /// @return whether the system did so; always false for a network without native access
    default boolean lowerPriority(int levels) {
        return false;
    }

    /// Returns the network named by the system property [#PROPERTY] if it is set, else the first
    /// usable one on the module path or class path, else [NioNetwork].
    ///
    /// @throws IllegalArgumentException if the property does not name a usable network
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
                    PROPERTY + " must name a usable network, was " + wanted);
        }
        return new NioNetwork();
    }
}
