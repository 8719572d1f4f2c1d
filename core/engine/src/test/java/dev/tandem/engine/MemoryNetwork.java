package dev.tandem.engine;

import dev.tandem.net.IoBuffer;
import dev.tandem.net.Listener;
import dev.tandem.net.Network;
import dev.tandem.net.OpenFile;
import dev.tandem.net.Poller;
import dev.tandem.net.Socket;
import dev.tandem.testkit.MemoryPipe;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Connections in memory: one listener, one poller.
final class MemoryNetwork implements Network {
    private final MemoryPoller poller = new MemoryPoller();
    private final MemoryListener listener = new MemoryListener();

    /// What the next write of a connection throws, once.
    final AtomicReference<@Nullable Error> writeFailure = new AtomicReference<>();

    /// Opens a connection that the loop has yet to accept.
    ///
    /// @param toServer maximum number of bytes in transit to the server
    /// @param toClient likewise
    MemoryPipe connect(int toServer, int toClient) {
        var pipe = new MemoryPipe(toServer, toClient, poller::changed);
        listener.waiting.add(new MemorySocket(pipe, writeFailure));
        poller.changed();
        return pipe;
    }

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public boolean isUsable() {
        return true;
    }

    Listener listener() {
        return listener;
    }

    @Override
    public Listener listen(SocketAddress address, int backlog) {
        return listener;
    }

    @Override
    public Poller poller() {
        return poller;
    }

    @Override
    public OpenFile open(Path path) throws IOException {
        var attributes = Files.readAttributes(path, BasicFileAttributes.class);
        return new ChannelFile(
                FileChannel.open(path),
                attributes.size(),
                attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS),
                attributes.isRegularFile());
    }

    /// A file by its channel.
    record ChannelFile(FileChannel channel, long size, long modifiedNanos, boolean isRegular)
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
                throw new java.io.UncheckedIOException(e);
            }
        }
    }

    private static final class MemoryListener implements Listener, MemoryPoller.Readable {
        private final Queue<MemorySocket> waiting = new ConcurrentLinkedQueue<>();

        @Override
        public int readyOperations() {
            return waiting.isEmpty() ? Poller.NONE : Poller.READ;
        }

        @Override
        public @Nullable Socket accept() {
            return waiting.poll();
        }

        @Override
        public SocketAddress localAddress() {
            throw new UnsupportedOperationException("memory has no address");
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {
            waiting.clear();
        }
    }
}
