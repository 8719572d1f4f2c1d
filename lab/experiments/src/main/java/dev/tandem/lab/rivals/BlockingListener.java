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

/// A listening socket with the thread that accepts: it waits for a free connection slot first, so
/// that it accepts no connection that would not be served.
final class BlockingListener implements Listener {
    private static final System.Logger LOG = System.getLogger("dev.tandem.lab");

    /// Pause after a failed accept, for example without a free descriptor.
    private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final ServerSocketChannel channel;
    private final SocketAddress local;
    private final ConnectionSlots slots;
    private final WaitTimer timer;
    private final Thread acceptor;

    /// Confined to the accepting thread.
    private boolean hasLogged;

    private BlockingListener(ServerSocketChannel channel, ConnectionSlots slots, WaitTimer timer)
            throws IOException {
        this.channel = channel;
        this.local = channel.getLocalAddress();
        this.slots = slots;
        this.timer = timer;
        this.acceptor = Thread.ofPlatform().daemon().name("acceptor").unstarted(this::acceptAll);
    }

    static BlockingListener open(
            SocketAddress address, int backlog, ConnectionSlots slots, WaitTimer timer)
            throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open();
        try {
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            channel.bind(address, backlog);
            var listener = new BlockingListener(channel, slots, timer);
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
                slots.awaitFree();
                slots.assign(open(channel.accept()));
            } catch (ClosedChannelException | InterruptedException e) {
                return; // the server stops
            } catch (IOException e) {
                rest(e);
            }
        }
    }

    /// Logs the failure once, since it will last for a while, and pauses.
    private void rest(IOException e) {
        if (!hasLogged) {
            hasLogged = true;
            LOG.log(Level.WARNING, "accepting a connection failed: " + e.getMessage());
        }
        LockSupport.parkNanos(REST_NANOS);
    }

    private BlockingSocket open(SocketChannel accepted) throws IOException {
        try {
            accepted.setOption(StandardSocketOptions.TCP_NODELAY, true);
            return new BlockingSocket(this, accepted, timer);
        } catch (IOException e) {
            accepted.close();
            throw e;
        }
    }

    /// Returns the new connection of the calling thread's slot, which reported the listener as
    /// ready.
    @Override
    public @Nullable Socket accept() {
        return ConnectionSlot.ofThisThread().newConnection();
    }

    @Override
    public SocketAddress localAddress() {
        return local;
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
            // No data was written to it.
        }
        acceptor.interrupt();
        timer.stop();
    }
}
