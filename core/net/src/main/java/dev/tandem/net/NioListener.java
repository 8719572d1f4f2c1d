package dev.tandem.net;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

final class NioListener implements Listener, NioPollable {
    private final ServerSocketChannel channel;
    private final SocketAddress local;

    NioListener(ServerSocketChannel channel) throws IOException {
        this.channel = channel;
        this.local = channel.getLocalAddress();
    }

    @Override
    public @Nullable Socket accept() throws IOException {
        SocketChannel accepted = acceptChannel();
        if (accepted == null) {
            return null;
        }
        try {
            accepted.configureBlocking(false);
            if (local instanceof InetSocketAddress) {
                accepted.setOption(StandardSocketOptions.TCP_NODELAY, true);
            }
            return new NioSocket(accepted);
        } catch (IOException e) {
            accepted.close();
            throw e;
        }
    }

    private @Nullable SocketChannel acceptChannel() throws IOException {
        try {
            return channel.accept();
        } catch (ClosedChannelException e) {
            return null;
        } catch (IOException e) {
            throw OutOfDescriptorsException.of(e);
        }
    }

    @Override
    public SocketAddress localAddress() {
        return local;
    }

    @Override
    public SelectableChannel channel() {
        return channel;
    }

    @Override
    public int readOperation() {
        return java.nio.channels.SelectionKey.OP_ACCEPT;
    }

    @Override
    public boolean isOpen() {
        return channel.isOpen();
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // No data was written.
        }
    }
}
