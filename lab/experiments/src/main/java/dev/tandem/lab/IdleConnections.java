package dev.tandem.lab;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Many connections that each received one response and are idle since. Confined to one thread.
final class IdleConnections implements Idle {
    /// Maximum connections from one source address: less than the kernel's ephemeral ports.
    private static final int PER_ADDRESS_MAX = 20_000;

    /// Descriptors that this process needs in addition to its connections.
    private static final int RESERVE = 300;

    private final List<SocketChannel> channels = new ArrayList<>();
    private final ByteBuffer response = ByteBuffer.allocateDirect(4_096);
    private final ByteBuffer request;

    IdleConnections(String path) {
        byte[] bytes = Caller.request(path, "").getBytes(StandardCharsets.US_ASCII);
        this.request = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }

    /// Returns how many of `wanted` connections this process has the descriptors for.
    ///
    /// @param limit of descriptors of a process
    static int possible(int wanted, int limit) {
        return Math.max(0, Math.min(wanted, limit - RESERVE));
    }

    @Override
    public void open(int port, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            SocketChannel channel = SocketChannel.open();
            channels.add(channel);
            if (channels.size() > PER_ADDRESS_MAX) {
                channel.bind(new InetSocketAddress(source(channels.size()), 0));
            }
            channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            request(channel);
        }
    }

    /// 127.0.0.1, then 127.0.0.2 and so on.
    private static InetAddress source(int count) throws IOException {
        int last = 1 + (count - 1) / PER_ADDRESS_MAX;
        return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) last});
    }

    private void request(SocketChannel channel) throws IOException {
        request.rewind();
        while (request.hasRemaining()) {
            channel.write(request);
        }
        response.clear();
        // Short responses arrive in one piece; the head shows that this one is right.
        if (channel.read(response) < 0) {
            throw new IOException("a connection was closed unanswered");
        }
        String head = StandardCharsets.US_ASCII.decode(response.flip()).toString();
        if (!head.startsWith("HTTP/1.1 200 ")) {
            throw new IOException("a connection got " + head.lines().findFirst());
        }
    }

    @Override
    public int count() {
        return channels.size();
    }

    @Override
    public int countOpen() throws IOException {
        int open = 0;
        for (SocketChannel channel : channels) {
            channel.configureBlocking(false);
            response.clear();
            if (isOpen(channel)) {
                open++;
            }
        }
        return open;
    }

    private boolean isOpen(SocketChannel channel) {
        try {
            return channel.read(response) == 0;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        for (SocketChannel channel : channels) {
            try {
                channel.close();
            } catch (IOException e) {
                // The connection is gone either way.
            }
        }
    }
}
