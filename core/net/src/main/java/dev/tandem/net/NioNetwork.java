package dev.tandem.net;

import java.io.IOException;
import java.net.BindException;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.TimeUnit;

/// Sockets and pollers based on java.nio: works on every platform.
public final class NioNetwork implements Network {
    static final String NAME = "nio";

    public NioNetwork() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean isUsable() {
        return true;
    }

    @Override
    public Listener listen(SocketAddress address, int backlog) throws IOException {
        ServerSocketChannel channel = openFor(address);
        try {
            channel.configureBlocking(false);
            channel.bind(address, backlog);
            return new NioListener(channel);
        } catch (IOException e) {
            channel.close();
            throw named("cannot listen on " + address + ": " + e.getMessage(), e);
        }
    }

    private static IOException named(String message, IOException e) {
        var named =
                e instanceof BindException ? new BindException(message) : new IOException(message);
        named.initCause(e);
        return named;
    }

    private static ServerSocketChannel openFor(SocketAddress address) throws IOException {
        if (address instanceof UnixDomainSocketAddress unix) {
            SocketFiles.deleteStale(unix);
            return ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        }
        ServerSocketChannel channel = ServerSocketChannel.open();
        channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
        return channel;
    }

    @Override
    public Socket connect(ConnectOptions to) throws IOException {
        boolean isUnix = to.remoteAddress() instanceof UnixDomainSocketAddress;
        SocketChannel channel = openChannel(isUnix);
        try {
            channel.configureBlocking(false);
            if (!isUnix) {
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            }
            if (to.receiveBuffer() > 0) {
                channel.setOption(StandardSocketOptions.SO_RCVBUF, to.receiveBuffer());
            }
            if (to.sendBuffer() > 0) {
                channel.setOption(StandardSocketOptions.SO_SNDBUF, to.sendBuffer());
            }
            channel.connect(to.remoteAddress());
            return new NioSocket(channel);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    private static SocketChannel openChannel(boolean isUnix) throws IOException {
        try {
            return isUnix ? SocketChannel.open(StandardProtocolFamily.UNIX) : SocketChannel.open();
        } catch (SocketException e) {
            throw OutOfDescriptorsException.of(e);
        }
    }

    @Override
    public Poller poller() throws IOException {
        return new NioPoller();
    }

    @Override
    public OpenFile open(Path path) throws IOException {
        // Opening a pipe blocks until it has a writer. A pipe that replaces the file between these
        // two lines still blocks the caller: Java cannot open a file without blocking.
        if (!Files.readAttributes(path, BasicFileAttributes.class).isRegularFile()) {
            throw new FileSystemException(path.toString(), null, "not a regular file");
        }
        FileChannel channel = openChannel(path);
        try {
            // The attributes are read by name after the file was opened: if the file is replaced in
            // between, they differ from the stamp of the response head, and the file is not sent.
            // In the reverse order, the new file would be sent with the old stamp.
            var attributes = Files.readAttributes(path, BasicFileAttributes.class);
            return new NioFile(
                    channel,
                    channel.size(),
                    attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS),
                    attributes.isRegularFile());
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    private static FileChannel openChannel(Path path) throws IOException {
        try {
            return FileChannel.open(path, StandardOpenOption.READ);
        } catch (IOException e) {
            throw OutOfDescriptorsException.of(e);
        }
    }

    /// A file with its channel.
    record NioFile(FileChannel channel, long size, long modifiedNanos, boolean isRegular)
            implements OpenFile {
        @Override
        public int read(IoBuffer to, long offset) throws IOException {
            return channel.read(to.bytes(), offset);
        }

        @Override
        public void close() {
            try {
                channel.close();
            } catch (IOException e) {
                // It was only read.
            }
        }
    }
}
