package dev.tandem.lab.rivals;

import dev.tandem.net.IoBuffer;
import dev.tandem.net.Listener;
import dev.tandem.net.Network;
import dev.tandem.net.OpenFile;
import dev.tandem.net.Poller;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.TimeUnit;

/// Sockets that block, each with a thread of its own: with
/// [dev.tandem.engine.tuning.EngineTuning#isAllOnLoop()] and as many loops as threads, they make
/// Tandem's engine the multi-threaded server of the papers. Each loop's poller is a
/// [ConnectionSlot] for one connection; without a free slot, new connections wait in the kernel's
/// backlog. For one server; safe for use by any thread.
public final class BlockingNetwork implements Network {
    private final KeepAlive keepAlive;
    private final ConnectionSlots slots = new ConnectionSlots();
    private final WaitTimer timer = new WaitTimer();

    public BlockingNetwork(KeepAlive keepAlive) {
        this.keepAlive = keepAlive;
    }

    @Override
    public String name() {
        return "blocking";
    }

    @Override
    public boolean isUsable() {
        return true;
    }

    /// Returns how many connections were closed by the idle time-out.
    public long timedOutCount() {
        return slots.timedOutCount();
    }

    @Override
    public Listener listen(SocketAddress address, int backlog) throws IOException {
        var listener = BlockingListener.open(address, backlog, slots, timer);
        timer.start();
        return listener;
    }

    @Override
    public Poller poller() {
        return new ConnectionSlot(slots, keepAlive);
    }

    @Override
    public OpenFile open(Path path) throws IOException {
        FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
        try {
            // By name, and after it was opened: a file replaced in between is then not mistaken for
            // it.
            var attributes = Files.readAttributes(path, BasicFileAttributes.class);
            long modified = attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS);
            return new ChannelFile(channel, channel.size(), modified, attributes.isRegularFile());
        } catch (IOException e) {
            channel.close();
            throw e;
        }
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
                // It was only read.
            }
        }
    }
}
