package dev.tandem.lab.bench;

import dev.tandem.net.IoBuffer;
import dev.tandem.net.Listener;
import dev.tandem.net.Network;
import dev.tandem.net.NioNetwork;
import dev.tandem.net.OpenFile;
import dev.tandem.net.Poller;
import dev.tandem.net.Socket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// One client in memory, which sends the same request after each response: the remaining cost of a
/// request without a kernel. For a server with one loop.
final class RepeatedRequestNetwork implements Network {
    private final byte[] request;
    private final Line line = new Line();
    private final Client client = new Client();
    private final LoopPoller loopPoller = new LoopPoller();

    /// Number of requests still to be sent, and whether one waits for its response.
    private volatile int left;

    private volatile boolean hasResponded = true;
    private volatile @Nullable Thread asking;

    RepeatedRequestNetwork(byte[] request) {
        this.request = request;
    }

    /// Sends `count` requests, one after the other.
    void request(int count) {
        asking = Thread.currentThread();
        left = count;
        loopPoller.wakeup();
        while (left > 0 || !hasResponded) {
            LockSupport.park(this);
        }
    }

    private void responded() {
        hasResponded = true;
        if (left == 0) {
            LockSupport.unpark(asking);
        }
        loopPoller.wakeup();
    }

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public boolean isUsable() {
        return true;
    }

    @Override
    public Listener listen(SocketAddress address, int backlog) {
        return line;
    }

    @Override
    public Poller poller() {
        return loopPoller;
    }

    @Override
    public OpenFile open(Path path) throws IOException {
        return new NioNetwork().open(path);
    }

    /// Has one new connection.
    private final class Line implements Listener {
        private boolean isTaken;

        @Override
        public @Nullable Socket accept() {
            if (isTaken) {
                return null;
            }
            isTaken = true;
            return client;
        }

        @Override
        public SocketAddress localAddress() {
            return new InetSocketAddress("127.0.0.1", 80);
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {
            // There are no other connections.
        }
    }

    private final class Client implements Socket {
        @Override
        public int read(IoBuffer to) {
            if (left == 0 || !hasResponded) {
                return 0;
            }
            hasResponded = false;
            left--;
            to.bytes().put(request);
            return request.length;
        }

        @Override
        public int write(IoBuffer from) {
            int count = skip(from.bytes());
            responded();
            return count;
        }

        @Override
        public long write(IoBuffer first, ByteBuffer second) {
            long count = skip(first.bytes()) + skip(second);
            responded();
            return count;
        }

        @Override
        public long send(OpenFile file, long offset, long count) {
            responded();
            return count;
        }

        private static int skip(ByteBuffer bytes) {
            int count = bytes.remaining();
            bytes.position(bytes.limit());
            return count;
        }

        @Override
        public void shutdownOutput() {
            // The client reads nothing.
        }

        @Override
        public SocketAddress remoteAddress() {
            return line.localAddress();
        }

        @Override
        public SocketAddress localAddress() {
            return line.localAddress();
        }

        @Override
        public void close() {
            // The client has no descriptor.
        }
    }

    /// Reports the listener once, then the client whenever it has a request.
    private final class LoopPoller implements Poller {
        private volatile @Nullable ReadinessListener ofListener;
        private volatile @Nullable ReadinessListener ofClient;
        private volatile int interest;
        private volatile boolean isAwake;
        private volatile @Nullable Thread waiting;

        @Override
        public void add(Pollable pollable, int interest, ReadinessListener readiness) {
            if (pollable instanceof Listener) {
                ofListener = readiness;
            } else {
                this.interest = interest;
                ofClient = readiness;
            }
            wakeup();
        }

        @Override
        public void setInterest(Pollable pollable, int interest) {
            if (pollable instanceof Socket) {
                this.interest = interest;
                wakeup();
            }
        }

        @Override
        public void remove(Pollable pollable) {
            if (pollable instanceof Socket) {
                ofClient = null;
            }
        }

        @Override
        public void poll(long timeoutNanos) {
            waiting = Thread.currentThread();
            if (!hasNext() && !isAwake && timeoutNanos != 0) {
                if (timeoutNanos < 0) {
                    LockSupport.park(this);
                } else {
                    LockSupport.parkNanos(this, timeoutNanos);
                }
            }
            waiting = null;
            isAwake = false;
        }

        @Override
        public boolean hasNext() {
            return ofListener != null || isClientReady();
        }

        private boolean isClientReady() {
            return left > 0 && hasResponded && ofClient != null && (interest & READ) != 0;
        }

        @Override
        public boolean dispatchNext() {
            ReadinessListener listener = ofListener;
            ReadinessListener readiness = ofClient;
            if (listener != null) {
                ofListener = null;
                listener.ready(READ);
                return true;
            }
            if (readiness == null || !isClientReady()) {
                return false;
            }
            readiness.ready(READ);
            return true;
        }

        @Override
        public void wakeup() {
            isAwake = true;
            Thread thread = waiting;
            if (thread != null) {
                LockSupport.unpark(thread);
            }
        }

        @Override
        public void close() {
            // There is nothing to release.
        }
    }
}
