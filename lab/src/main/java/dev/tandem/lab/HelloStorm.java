package dev.tandem.lab;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.security.GeneralSecurityException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;

/// Newcomers who ask for full TLS handshakes: each connects, says a client's hello, waits for the
/// server's part, and leaves. By then the server has done nearly all its work for a full handshake
/// (of TLS 1.3: all key work), and the generator none; so one processor can play a storm that would
/// take several of real clients. Runs on a thread of its own until it is closed.
final class HelloStorm implements AutoCloseable {
    /// 2 s: then a newcomer gives up.
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

    /// A server's part begins with a record of this type.
    private static final int HANDSHAKE_RECORD = 22;

    private static final int RECORD_MAX = 17_000;
    private static final int ALERT_MILLIS = 1;

    private final InetSocketAddress server;
    private final double rate;
    private final int atOnceMax;
    private final byte[] hello;
    private final Selector selector;
    private final ByteBuffer input = ByteBuffer.allocateDirect(RECORD_MAX);
    private final ArrayDeque<Newcomer> here = new ArrayDeque<>();
    private final Thread thread = new Thread(this::play, "hello-storm");
    private int hereCount;
    private volatile boolean isOver;
    private volatile Counts counts = new Counts(0, 0, 0, 0, 0, System.nanoTime());

    /// What became of newcomers so far.
    ///
    /// @param answered got the server's part
    /// @param turnedAway were closed or reset before
    /// @param gaveUp waited for too long
    /// @param waited by those who were answered, from their first packet on, in nanoseconds
    /// @param nanos when it was so
    record Counts(
            long begun, long answered, long turnedAway, long gaveUp, long waited, long nanos) {
        double answeredPerSecond(Counts before) {
            return (answered - before.answered) * 1e9 / (nanos - before.nanos);
        }

        double waitMillis(Counts before) {
            return (waited - before.waited) / 1e6 / (answered - before.answered);
        }

        double begunPerSecond(Counts before) {
            return (begun - before.begun) * 1e9 / (nanos - before.nanos);
        }
    }

    private static final class Newcomer {
        private final SocketChannel channel;
        private final long since;
        private boolean isGone;

        Newcomer(SocketChannel channel, long since) {
            this.channel = channel;
            this.since = since;
        }
    }

    private HelloStorm(int port, double rate, int atOnceMax) throws IOException {
        this.server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        this.rate = rate;
        this.atOnceMax = atOnceMax;
        this.hello = hello();
        this.selector = Selector.open();
    }

    /// So many a second, evenly, whatever the server does; at most so many at once.
    static HelloStorm open(int port, double rate, int atOnceMax) throws IOException {
        return begun(new HelloStorm(port, rate, atOnceMax));
    }

    /// Always so many: the next comes when one has left.
    static HelloStorm closed(int port, int atOnce) throws IOException {
        return begun(new HelloStorm(port, Double.POSITIVE_INFINITY, atOnce));
    }

    private static HelloStorm begun(HelloStorm storm) {
        storm.thread.setDaemon(true);
        storm.thread.start();
        return storm;
    }

    private static byte[] hello() throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, null, null);
            SSLEngine engine = context.createSSLEngine("localhost", 443);
            engine.setUseClientMode(true);
            var out = ByteBuffer.allocate(RECORD_MAX);
            engine.wrap(ByteBuffer.allocate(0), out);
            return Arrays.copyOf(out.array(), out.position());
        } catch (GeneralSecurityException | SSLException e) {
            throw new IOException("no TLS: " + e.getMessage(), e);
        }
    }

    Counts counts() {
        return counts;
    }

    private void play() {
        long begin = System.nanoTime();
        try {
            while (!isOver) {
                long now = System.nanoTime();
                long due = (long) Math.min(Long.MAX_VALUE, rate * (now - begin) / 1e9);
                while (counts.begun < due && hereCount < atOnceMax && !isOver) {
                    come(System.nanoTime());
                }
                // Who finds no room does not come at all: an open loop must not catch up.
                if (Double.isFinite(rate) && counts.begun < due) {
                    begin += (long) ((due - counts.begun) * 1e9 / rate);
                }
                selector.select(this::ready, ALERT_MILLIS);
                sendAway(System.nanoTime());
            }
        } catch (IOException e) {
            isOver = true; // no descriptors: what was counted stays
        } finally {
            here.forEach(this::leave);
        }
    }

    private void come(long now) throws IOException {
        SocketChannel channel = SocketChannel.open();
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.SO_LINGER, 0); // leaves no port behind
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        var newcomer = new Newcomer(channel, now);
        here.add(newcomer);
        hereCount++;
        count(1, 0, 0);
        try {
            if (channel.connect(server)) {
                say(newcomer);
            }
            int interest = channel.isConnected() ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT;
            channel.register(selector, interest, newcomer);
        } catch (IOException e) {
            count(0, 1, 0);
            leave(newcomer);
        }
    }

    private void say(Newcomer newcomer) throws IOException {
        newcomer.channel.write(
                ByteBuffer.wrap(hello)); // a few hundred bytes: the kernel takes them
    }

    private void ready(SelectionKey key) {
        var newcomer = (Newcomer) key.attachment();
        try {
            if (key.isConnectable() && newcomer.channel.finishConnect()) {
                say(newcomer);
                key.interestOps(SelectionKey.OP_READ);
            } else if (key.isReadable()) {
                boolean isAnswered =
                        newcomer.channel.read(input.clear()) > 0
                                && input.get(0) == HANDSHAKE_RECORD;
                if (isAnswered) {
                    answered(System.nanoTime() - newcomer.since);
                } else {
                    count(0, 1, 0);
                }
                leave(newcomer);
            }
        } catch (IOException e) {
            count(0, 1, 0);
            leave(newcomer);
        }
    }

    private void sendAway(long now) {
        while (!here.isEmpty()
                && (here.getFirst().isGone || now - here.getFirst().since > PATIENCE_NANOS)) {
            Newcomer first = here.removeFirst();
            if (!first.isGone) {
                count(0, 0, 1);
                leave(first);
            }
        }
    }

    private void leave(Newcomer newcomer) {
        if (newcomer.isGone) {
            return;
        }
        newcomer.isGone = true;
        hereCount--;
        try {
            newcomer.channel.close();
        } catch (IOException e) {
            // It is gone either way.
        }
    }

    private void answered(long nanos) {
        Counts c = counts;
        long waited = c.waited + nanos;
        counts =
                new Counts(
                        c.begun, c.answered + 1, c.turnedAway, c.gaveUp, waited, System.nanoTime());
    }

    private void count(int begun, int turnedAway, int gaveUp) {
        Counts c = counts;
        counts =
                new Counts(
                        c.begun + begun,
                        c.answered,
                        c.turnedAway + turnedAway,
                        c.gaveUp + gaveUp,
                        c.waited,
                        System.nanoTime());
    }

    @Override
    public void close() throws IOException {
        isOver = true;
        selector.wakeup();
        try {
            thread.join(TimeUnit.SECONDS.toMillis(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        selector.close();
    }
}
