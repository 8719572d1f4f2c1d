package dev.tandem.net;

import java.io.IOException;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// A non-blocking listening socket. Several loops may watch it and accept from it.
public interface Listener extends Poller.Pollable, AutoCloseable {

    /// Returns the next connection, or null if none is pending.
    ///
    /// @throws OutOfDescriptorsException if the process or the system has no descriptor left
    @Nullable Socket accept() throws IOException;

    /// Returns the local address, with the port that the kernel chose if 0 was requested.
    SocketAddress localAddress();

    /// Returns the descriptor by which the socket can be passed to another process; -1 if this
    /// network does not expose it.
    default int descriptor() {
        return -1;
    }

    /// Returns whether it was not closed yet.
    boolean isOpen();

    @Override
    void close();
}
