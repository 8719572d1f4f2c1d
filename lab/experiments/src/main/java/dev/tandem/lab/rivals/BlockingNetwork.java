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

/// Sockets that block, each with a thread of its own: what makes of Tandem's engine, with
/// [dev.tandem.Options#withAllOnLoop] and as many loops as threads, the multi-threaded
/// server of the papers. Each loop's poller is a [Seat] for one connection; whoever finds all
/// seats taken waits in the kernel's backlog. For one server; safe for use by any thread.
public final class BlockingNetwork implements Network {
    private final KeepAlive keepAlive;
    private final Seats seats = new Seats();
    private final Cutter cutter = new Cutter();

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

    /// How many connections were closed since they were idle for too long.
    public long timedOutCount() {
        return seats.timedOutCount();
    }

    @Override
    public Listener listen(SocketAddress address, int backlog) throws IOException {
        var listener = BlockingListener.open(address, backlog, seats, cutter);
        cutter.start();
        return listener;
    }

    @Override
    public Poller poller() {
        return new Seat(seats, keepAlive);
    }

    @Override
    public OpenFile open(Path path) throws IOException {
        FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
        try {
            // By name, and after it was opened: one replaced in between is then not mistaken for
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
