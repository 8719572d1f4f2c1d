package dev.tandem.net;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

final class NioSocket implements Socket, NioPollable {
    private final SocketChannel channel;
    private final SocketAddress remote;

    NioSocket(SocketChannel channel) throws IOException {
        this.channel = channel;
        this.remote = channel.getRemoteAddress();
    }

    @Override
    public int read(IoBuffer to) throws IOException {
        return channel.read(to.bytes());
    }

    @Override
    public int write(IoBuffer from) throws IOException {
        return channel.write(from.bytes());
    }

    @Override
    public long write(IoBuffer first, ByteBuffer second) throws IOException {
        return channel.write(new ByteBuffer[] {first.bytes(), second});
    }

    @Override
    public long send(OpenFile file, long offset, long count) throws IOException {
        var source = ((NioNetwork.NioFile) file).channel();
        long sent = source.transferTo(offset, count, channel);
        return sent == 0 && offset >= source.size() ? -1 : sent;
    }

    /// A reset alone is seen. The JDK's selectors report POLLERR and POLLHUP as readiness for
    /// whatever they wait for, so one that waits for the connection to be established, which it is,
    /// reports nothing else. They never ask for POLLRDHUP, so an end (FIN) behind unread input is
    /// not seen.
    @Override
    public PeerState peerState() throws IOException {
        Selector selector;
        try {
            selector = Selector.open();
        } catch (IOException e) {
            return PeerState.UNKNOWN; // no descriptor is left
        }
        try (selector) {
            channel.register(selector, SelectionKey.OP_CONNECT);
            return selector.selectNow() > 0 ? PeerState.GONE : PeerState.UNKNOWN;
        }
    }

    @Override
    public void shutdownOutput() throws IOException {
        channel.shutdownOutput();
    }

    @Override
    public boolean finishConnect() throws IOException {
        return channel.finishConnect();
    }

    @Override
    public SocketAddress remoteAddress() {
        return remote;
    }

    @Override
    public SocketAddress localAddress() {
        try {
            return channel.getLocalAddress();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Override
    public SelectableChannel channel() {
        return channel;
    }

    @Override
    public int readOperation() {
        return SelectionKey.OP_READ;
    }

    /// A selector reports a new connection by another operation.
    @Override
    public int writeOperation() {
        return channel.isConnectionPending() ? SelectionKey.OP_CONNECT : SelectionKey.OP_WRITE;
    }

    @Override
    public void abort() {
        try {
            channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        } catch (IOException e) {
            // The connection is already broken.
        }
        close();
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // All data has been sent.
        }
    }
}
