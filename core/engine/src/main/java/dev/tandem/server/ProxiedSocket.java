package dev.tandem.server;

import dev.tandem.net.IoBuffer;
import dev.tandem.net.OpenFile;
import dev.tandem.net.Poller;
import dev.tandem.net.Socket;
import dev.tandem.tls.ProxyReader;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// A socket whose peer is a proxy that first says whom it passes on (the PROXY protocol): takes
/// that off the stream, and has the client's addresses for its own from then on.
final class ProxiedSocket implements Socket {
    private final Socket inner;

    /// Null once it has said so.
    private @Nullable ProxyReader reader = new ProxyReader();

    private @Nullable SocketAddress remote;
    private @Nullable SocketAddress local;

    ProxiedSocket(Socket inner) {
        this.inner = inner;
    }

    @Override
    public int read(IoBuffer to) throws IOException {
        ProxyReader listening = reader;
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
        ProxyReader.Status status = listening.read(come);
        bytes.position(from);
        return switch (status) {
            case MORE -> 0;
            case BAD ->
                    throw new IOException("a proxy at " + inner.remote() + " says not whose it is");
            case DONE -> {
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
    public Poller.Pollable pollable() {
        return inner.pollable();
    }

    @Override
    public SocketAddress remote() {
        SocketAddress known = remote;
        return known == null ? inner.remote() : known;
    }

    @Override
    public SocketAddress local() {
        SocketAddress known = local;
        return known == null ? inner.local() : known;
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
