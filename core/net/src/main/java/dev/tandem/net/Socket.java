package dev.tandem.net;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;

/// A connection's stream as the kernel has it: watched by a poller, and sent files by.
public interface Socket extends ByteStream, Poller.Pollable {

    /// Writes `first`, then `second`, in one system call, and moves both positions.
    ///
    /// @param second a direct buffer
    /// @return how many bytes of both the kernel took
    long write(IoBuffer first, ByteBuffer second) throws IOException;

    /// Sends a stretch of a file.
    ///
    /// @return how many bytes were taken; 0 if the kernel takes none now, -1 if the file ends
    ///     before `offset`
    long send(OpenFile file, long offset, long count) throws IOException;

    /// Whether there is input that no poller tells of, since it was taken from the kernel already:
    /// then nobody may wait for more before it was read.
    default boolean hasInput() {
        return false;
    }

    /// What a poller watches in its place: a socket that stands around another gives that one.
    default Poller.Pollable pollable() {
        return this;
    }

    SocketAddress remoteAddress();

    SocketAddress localAddress();
}
