package dev.tandem.cli;

import java.io.IOException;
import java.io.InputStream;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/// A client's connection to an internet address or a Unix-domain one, with a timeout for every
/// wait: the JDK has timeouts for the former only. Confined to one thread.
final class TimeoutSocket extends InputStream {
    private final SocketChannel channel;
    private final Selector selector;
    private final SelectionKey key;
    private final int timeoutMillis;

    private TimeoutSocket(SocketChannel channel, int timeoutMillis) throws IOException {
        this.channel = channel;
        this.timeoutMillis = timeoutMillis;
        selector = Selector.open();
        channel.configureBlocking(false);
        key = channel.register(selector, 0);
    }

    /// @param timeoutMillis of each wait
    /// @throws java.net.ConnectException if the connection is refused
    /// @throws SocketTimeoutException on a timeout
    static TimeoutSocket connect(SocketAddress to, int timeoutMillis) throws IOException {
        SocketChannel channel =
                to instanceof UnixDomainSocketAddress
                        ? SocketChannel.open(StandardProtocolFamily.UNIX)
                        : SocketChannel.open();
        try {
            var socket = new TimeoutSocket(channel, timeoutMillis);
            boolean isConnected = channel.connect(to);
            while (!isConnected) {
                socket.await(SelectionKey.OP_CONNECT);
                isConnected = channel.finishConnect();
            }
            return socket;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private void await(int what) throws IOException {
        key.interestOps(what);
        if (selector.select(timeoutMillis) == 0) {
            throw new SocketTimeoutException("no response within " + timeoutMillis + " ms");
        }
        selector.selectedKeys().clear();
    }

    void write(byte[] bytes) throws IOException {
        ByteBuffer left = ByteBuffer.wrap(bytes);
        channel.write(left);
        while (left.hasRemaining()) {
            await(SelectionKey.OP_WRITE);
            channel.write(left);
        }
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(into, offset, length);
        int count = channel.read(buffer);
        while (count == 0 && length > 0) {
            await(SelectionKey.OP_READ);
            count = channel.read(buffer);
        }
        return count;
    }

    @Override
    public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public void close() throws IOException {
        selector.close();
        channel.close();
    }
}
