package dev.tandem.fleet;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/// Replies to HAProxy's agent checks: a connection, one line of text, the end. If the check sends a
/// line (`agent-send`), it names the backend; else the reply follows after a moment.
///
/// One thread, without blocking. However many connections are opened, held open or reset: 64 at
/// most are open, each for a second at most and with 32 bytes of memory for the name; a new one
/// replaces the oldest. Peers that are not trusted get no reply.
final class Agent implements AutoCloseable {
    /// 64: some for each of dozens of balancers.
    static final int CONNECTIONS_MAX = 64;

    /// 1 s: balancers and servers are near each other.
    static final long DEADLINE_NANOS = 1_000_000_000;

    /// 20 ms for the name of the backend, which is sent with the connection.
    static final long NAME_NANOS = 20_000_000;

    /// 20 ms without a descriptor for a connection.
    private static final long PAUSE_NANOS = 20_000_000;

    private static final int NAME_MAX = 32;

    /// Bytes that are read of a connection; one that sends more is closed.
    private static final int BYTES_MAX = 1_024;

    /// 1,024 connections may wait in the kernel, so that a flood delays no check by a second.
    private static final int BACKLOG = 1_024;

    /// Connections that are accepted before others are served.
    private static final int ACCEPTS = 64;

    private final ServerSocketChannel listener;
    private final Selector selector;
    private final Predicate<InetSocketAddress> isTrusted;
    private final Replies replies;
    private final long nameNanos;
    private final Deque<Check> open = new ArrayDeque<>();
    private final ByteBuffer buffer = ByteBuffer.allocate(256);

    /// Returns the reply to a check.
    @FunctionalInterface
    interface Replies {
        /// @param name of the backend; empty if none was sent
        String line(InetAddress from, String name, long now);
    }

    private static final class Check {
        final SocketChannel channel;
        final InetAddress from;
        final long since;
        final StringBuilder name = new StringBuilder(NAME_MAX);
        int received;
        boolean isReplied;
        boolean isNamed;

        Check(SocketChannel channel, InetAddress from, long since) {
            this.channel = channel;
            this.from = from;
            this.since = since;
        }
    }

    private Agent(
            ServerSocketChannel listener,
            Selector selector,
            Predicate<InetSocketAddress> isTrusted,
            Replies replies,
            long nameNanos) {
        this.listener = listener;
        this.selector = selector;
        this.isTrusted = isTrusted;
        this.replies = replies;
        this.nameNanos = nameNanos;
    }

    /// @param nameNanos how long the name of the backend may take; [#NAME_NANOS] except in tests
    /// @throws IOException if the address is not available; names it
    static Agent open(
            InetSocketAddress address,
            Predicate<InetSocketAddress> isTrusted,
            Replies replies,
            long nameNanos)
            throws IOException {
        if (address.isUnresolved()) {
            throw new IOException("the agent's host is unknown: " + address.getHostString());
        }
        ServerSocketChannel listener = ServerSocketChannel.open();
        try {
            listener.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            listener.configureBlocking(false);
            listener.bind(address, BACKLOG);
            Selector selector = Selector.open();
            listener.register(selector, SelectionKey.OP_ACCEPT);
            return new Agent(listener, selector, isTrusted, replies, nameNanos);
        } catch (IOException e) {
            listener.close();
            throw new IOException(
                    "the agent cannot listen at "
                            + address.getAddress().getHostAddress()
                            + ":"
                            + address.getPort()
                            + ": "
                            + e.getMessage(),
                    e);
        }
    }

    InetSocketAddress address() throws IOException {
        return (InetSocketAddress) listener.getLocalAddress();
    }

    /// Ends a call of [#serve] soon; safe for use by any thread.
    void wake() {
        selector.wakeup();
    }

    /// Waits for checks, until a time at most, and serves those that have come.
    void serve(long untilNanos) throws IOException {
        long left = untilNanos - System.nanoTime();
        long wait = open.isEmpty() ? left : Math.min(nameNanos, left);
        selector.select(Math.max(1, wait / 1_000_000));
        long now = System.nanoTime();
        for (SelectionKey key : selector.selectedKeys()) {
            if (key.attachment() instanceof Check check) {
                read(check, now);
            } else {
                accept(now);
            }
        }
        selector.selectedKeys().clear();
        sweep(now);
    }

    private void accept(long now) {
        for (int i = 0; i < ACCEPTS; i++) {
            SocketChannel channel;
            try {
                channel = listener.accept();
            } catch (IOException e) {
                // Descriptors are exhausted: the listener stays ready, and this thread must not
                // use a processor for it.
                LockSupport.parkNanos(PAUSE_NANOS);
                return;
            }
            if (channel == null) {
                return;
            }
            begin(channel, now);
        }
    }

    private void begin(SocketChannel channel, long now) {
        try {
            var from = (InetSocketAddress) channel.getRemoteAddress();
            if (from == null || !isTrusted.test(from)) {
                channel.close();
                return;
            }
            if (open.size() >= CONNECTIONS_MAX) {
                close(open.removeFirst());
            }
            channel.configureBlocking(false);
            var check = new Check(channel, from.getAddress(), now);
            channel.register(selector, SelectionKey.OP_READ, check);
            open.addLast(check);
        } catch (IOException e) {
            close(channel); // the client has disconnected
        }
    }

    private void read(Check check, long now) {
        try {
            buffer.clear();
            int count = check.channel.read(buffer);
            if (count < 0) {
                // The end of what the check sends; it may still read.
                if (!check.isReplied) {
                    reply(check, now);
                }
                end(check);
                return;
            }
            check.received += count;
            collectName(check);
            if (check.received > BYTES_MAX) {
                end(check);
            } else if (check.isNamed && !check.isReplied) {
                reply(check, now);
            }
        } catch (IOException e) {
            end(check);
        }
    }

    private void collectName(Check check) {
        buffer.flip();
        while (buffer.hasRemaining() && !check.isNamed) {
            int c = buffer.get() & 0xff;
            if (c == '\n' || check.name.length() == NAME_MAX) {
                check.isNamed = true;
            } else if (c > ' ' && c < 0x7f) {
                check.name.append((char) c);
            }
        }
    }

    private void reply(Check check, long now) throws IOException {
        String line = replies.line(check.from, check.name.toString(), now);
        check.isReplied = true;
        // It is shorter than any socket's buffer; if it does not fit, the check fails.
        check.channel.write(ByteBuffer.wrap(line.getBytes(StandardCharsets.US_ASCII)));
        check.channel.shutdownOutput();
    }

    private void end(Check check) {
        open.remove(check);
        close(check);
    }

    private static void close(Check check) {
        close(check.channel);
    }

    private static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            // It is closed all the same.
        }
    }

    /// Replies to those that send no name, and closes those that are late.
    private void sweep(long now) {
        for (Iterator<Check> all = open.iterator(); all.hasNext(); ) {
            Check check = all.next();
            long age = now - check.since;
            try {
                if (!check.isReplied && age >= nameNanos) {
                    reply(check, now);
                }
            } catch (IOException e) {
                age = DEADLINE_NANOS;
            }
            if (age >= DEADLINE_NANOS) {
                close(check);
                all.remove();
            }
        }
    }

    @Override
    public void close() {
        open.forEach(Agent::close);
        open.clear();
        try {
            listener.close();
            selector.close();
        } catch (IOException e) {
            // They are closed all the same.
        }
    }
}
