package dev.tandem.net;

import java.io.IOException;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// A listening socket; does not block. Several loops may watch and accept from the same one.
public interface Listener extends Poller.Pollable, AutoCloseable {

    /// The next connection, or null if none waits.
    ///
    /// @throws OutOfDescriptorsException if the process or the system has no descriptor left
    @Nullable Socket accept() throws IOException;

    /// Where it listens, with the port that the kernel chose if 0 was asked for.
    SocketAddress localAddress();

    /// The descriptor by which it can be handed to another process; -1 if this network does not
    /// tell.
    default int descriptor() {
        return -1;
    }

    @Override
    void close();
}
