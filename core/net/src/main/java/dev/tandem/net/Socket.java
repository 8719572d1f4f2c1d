package dev.tandem.net;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;

/// A connected kernel socket, which a poller can watch and which can send files.
public interface Socket extends ByteStream, Poller.Pollable {

    /// Writes `first`, then `second`, in one system call, and advances both positions.
    ///
    /// @param second a direct buffer
    /// @return the number of bytes written from both
    long write(IoBuffer first, ByteBuffer second) throws IOException;

    /// Sends a region of a file.
    ///
    /// @return the number of bytes sent; 0 if none can be sent now, -1 if the file ends before
    ///     `offset`
    long send(OpenFile file, long offset, long count) throws IOException;

    /// Returns whether there is buffered input that no poller reports, because it was already read
    /// from the kernel: it must be read before waiting for more.
    default boolean hasInput() {
        return false;
    }

    /// Returns the state of the peer's side, as far as the kernel reports it without a read: it
    /// sees the stream's end and a reset behind any amount of unread input. Costs system calls.
    ///
    /// @throws IOException if the connection is broken
    default PeerState peerState() throws IOException {
        return PeerState.UNKNOWN;
    }

    /// Limits what the kernel keeps of written bytes that it has not sent, where it can
    /// (`TCP_NOTSENT_LOWAT`, Linux with epoll); else nothing happens. For connections that last: by
    /// default the kernel keeps up to some megabytes for a client that reads nothing. Bytes that
    /// are under way are not counted, so it costs no throughput.
    ///
    /// @param bytes may be exceeded by one write
    default void limitUnsent(int bytes) {}

    /// Returns the object that a poller watches; a wrapper returns the wrapped socket.
    default Poller.Pollable pollable() {
        return this;
    }

    SocketAddress remoteAddress();

    SocketAddress localAddress();
}
