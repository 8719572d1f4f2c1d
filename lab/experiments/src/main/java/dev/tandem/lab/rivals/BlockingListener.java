package dev.tandem.lab.rivals;

import dev.tandem.net.Listener;
import dev.tandem.net.Socket;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A listening socket with the thread that accepts: it waits for a free seat first, so that
/// nobody is taken in who would not be served.
final class BlockingListener implements Listener {
    private static final System.Logger LOG = System.getLogger("dev.tandem.lab");

    /// How long accepting rests when it failed, as it does without a descriptor left.
    private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final ServerSocketChannel channel;
    private final SocketAddress local;
    private final Seats seats;
    private final Cutter cutter;
    private final Thread acceptor;

    /// The acceptor's.
    private boolean hasTold;

    private BlockingListener(ServerSocketChannel channel, Seats seats, Cutter cutter)
            throws IOException {
        this.channel = channel;
        this.local = channel.getLocalAddress();
        this.seats = seats;
        this.cutter = cutter;
        this.acceptor = Thread.ofPlatform().daemon().name("acceptor").unstarted(this::acceptAll);
    }

    static BlockingListener open(SocketAddress address, int backlog, Seats seats, Cutter cutter)
            throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open();
        try {
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            channel.bind(address, backlog);
            var listener = new BlockingListener(channel, seats, cutter);
            listener.acceptor.start();
            return listener;
        } catch (IOException e) {
            channel.close();
            throw new IOException("cannot listen on " + address + ": " + e.getMessage(), e);
        }
    }

    private void acceptAll() {
        while (channel.isOpen()) {
            try {
                seats.awaitFree();
                seats.give(open(channel.accept()));
            } catch (ClosedChannelException | InterruptedException e) {
                return; // the server stops
            } catch (IOException e) {
                rest(e);
            }
        }
    }

    /// Says once what is wrong: it will be for a while.
    private void rest(IOException e) {
        if (!hasTold) {
            hasTold = true;
            LOG.log(Level.WARNING, "accepting a connection failed: " + e.getMessage());
        }
        LockSupport.parkNanos(REST_NANOS);
    }

    private BlockingSocket open(SocketChannel accepted) throws IOException {
        try {
            accepted.setOption(StandardSocketOptions.TCP_NODELAY, true);
            return new BlockingSocket(this, accepted, cutter);
        } catch (IOException e) {
            accepted.close();
            throw e;
        }
    }

    /// The newcomer of the calling thread's seat, which told of it.
    @Override
    public @Nullable Socket accept() {
        return Seat.ofThisThread().newcomer();
    }

    @Override
    public SocketAddress localAddress() {
        return local;
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // Nothing was written to it.
        }
        acceptor.interrupt();
        cutter.stop();
    }
}
