package dev.tandem.engine.listen;

import dev.tandem.net.IoBuffer;
import dev.tandem.net.OpenFile;
import dev.tandem.net.PeerState;
import dev.tandem.net.Poller;
import dev.tandem.net.Socket;
import dev.tandem.tls.ProxyProtocolReader;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// A socket whose peer is a proxy that first names the client (the PROXY protocol): reads that, and
/// returns the client's addresses from then on.
final class ProxiedSocket implements Socket {
    private final Socket inner;

    /// Null once the proxy has named the client.
    private @Nullable ProxyProtocolReader reader = new ProxyProtocolReader();

    private @Nullable SocketAddress remote;
    private @Nullable SocketAddress local;

    ProxiedSocket(Socket inner) {
        this.inner = inner;
    }

    @Override
    public int read(IoBuffer to) throws IOException {
        ProxyProtocolReader listening = reader;
        if (listening == null) {
            return inner.read(to);
        }
        ByteBuffer bytes = to.bytes();
        int from = bytes.position();
        int count = inner.read(to);
        if (count <= 0) {
            return count;
        }
        ByteBuffer come = bytes.duplicate().flip().position(from);
        ProxyProtocolReader.Status status = listening.read(come);
        bytes.position(from);
        return switch (status) {
            case INCOMPLETE -> 0;
            case INVALID ->
                    throw new IOException(
                            "a proxy at " + inner.remoteAddress() + " does not name the client");
            case COMPLETE -> {
                remote = listening.source();
                local = listening.destination();
                reader = null;
                int rest = come.remaining();
                bytes.put(from, bytes, come.position(), rest).position(from + rest);
                yield rest;
            }
        };
    }

    @Override
    public int write(IoBuffer from) throws IOException {
        return inner.write(from);
    }

    @Override
    public long write(IoBuffer first, ByteBuffer second) throws IOException {
        return inner.write(first, second);
    }

    @Override
    public long send(OpenFile file, long offset, long count) throws IOException {
        return inner.send(file, offset, count);
    }

    @Override
    public void shutdownOutput() throws IOException {
        inner.shutdownOutput();
    }

    @Override
    public PeerState peerState() throws IOException {
        return inner.peerState();
    }

    @Override
    public void limitUnsent(int bytes) {
        inner.limitUnsent(bytes);
    }

    @Override
    public Poller.Pollable pollable() {
        return inner.pollable();
    }

    @Override
    public SocketAddress remoteAddress() {
        SocketAddress known = remote;
        return known == null ? inner.remoteAddress() : known;
    }

    @Override
    public SocketAddress localAddress() {
        SocketAddress known = local;
        return known == null ? inner.localAddress() : known;
    }

    @Override
    public void abort() {
        inner.abort();
    }

    @Override
    public void close() {
        inner.close();
    }
}
