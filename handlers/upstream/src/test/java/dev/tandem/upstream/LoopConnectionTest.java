package dev.tandem.upstream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.net.ConnectOptions;
import dev.tandem.net.IoBuffer;
import dev.tandem.net.Loop;
import dev.tandem.net.Network;
import dev.tandem.net.OpenFile;
import dev.tandem.net.Poller;
import dev.tandem.net.Socket;
import dev.tandem.testkit.FakeClock;
import dev.tandem.testkit.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A connection on a loop whose peer takes no more output, in memory.
class LoopConnectionTest {
    private static final SocketAddress CLIENT = new InetSocketAddress("127.0.0.1", 1);

    private final Peer peer = new Peer();
    private final FakeClock clock = new FakeClock(0);
    private final Loop loop = new Loop(peer, clock::nanos);
    private final UpstreamPool pool =
            new UpstreamPool(List.of(Address.of("127.0.0.1:1")), UpstreamOptions.DEFAULT);
    private final LoopPool connections = pool.on(loop, peer);
    private final User user = new User();
    private LoopConnection connection;

    /// The only socket, its poller and its network. It takes nothing of what is written.
    private static final class Peer implements Socket, Poller, Network {
        private int interest;
        private boolean isBroken;
        private @Nullable ReadinessListener readiness;
        private boolean isReported = true;
        private boolean hasNoMemory;

        /// To which it has been connected, and which of them refuse that at once, later or never.
        private final List<SocketAddress> tried = new ArrayList<>();

        private Set<SocketAddress> refusing = Set.of();
        private Set<SocketAddress> refusingLater = Set.of();
        private Set<SocketAddress> silent = Set.of();

        /// Runs when the loop sleeps, and its tasks have to wake it.
        private Runnable asleep = () -> {};

        /// Reports readiness once, as the kernel does in each poll while it lasts.
        void report() {
            isReported = false;
        }

        @Override
        public Socket connect(ConnectOptions to) throws IOException {
            tried.add(to.remoteAddress());
            if (refusing.contains(to.remoteAddress())) {
                throw new ConnectException("refused");
            }
            return this;
        }

        @Override
        public boolean finishConnect() throws IOException {
            if (interest == WRITE && refusingLater.contains(tried.getLast())) {
                throw new ConnectException("refused");
            }
            return !silent.contains(tried.getLast()) && !refusingLater.contains(tried.getLast());
        }

        @Override
        public int read(IoBuffer to) throws IOException {
            checkIntact();
            return 0;
        }

        @Override
        public int write(IoBuffer from) throws IOException {
            checkIntact();
            return 0;
        }

        private void checkIntact() throws IOException {
            if (isBroken) {
                throw new IOException("reset");
            }
        }

        @Override
        public void add(Pollable pollable, int awaited, ReadinessListener listener) {
            interest = awaited;
            readiness = listener;
        }

        @Override
        public void setInterest(Pollable pollable, int awaited) {
            interest = awaited;
        }

        @Override
        public boolean hasNext() {
            return !isReported;
        }

        @Override
        public boolean dispatchNext() {
            isReported = true;
            ReadinessListener listener = readiness;
            if (listener != null) {
                listener.ready(READ | WRITE);
            }
            return listener != null;
        }

        @Override
        public void poll(long timeoutNanos) {
            asleep.run();
        }

        @Override
        public void remove(Pollable pollable) {}

        @Override
        public void wakeup() {
            if (hasNoMemory) {
                throw new OutOfMemoryError("at the moment");
            }
        }

        @Override
        public void close() {}

        @Override
        public Poller poller() {
            return this;
        }

        @Override
        public String name() {
            return "test";
        }

        @Override
        public boolean isUsable() {
            return true;
        }

        @Override
        public dev.tandem.net.Listener listen(SocketAddress address, int backlog) {
            throw new UnsupportedOperationException();
        }

        @Override
        public OpenFile open(Path path) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long write(IoBuffer first, ByteBuffer second) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long send(OpenFile file, long offset, long count) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void shutdownOutput() {}

        @Override
        public SocketAddress remoteAddress() {
            return CLIENT;
        }

        @Override
        public SocketAddress localAddress() {
            return CLIENT;
        }
    }

    private static final class User implements LoopConnection.User {
        private int changes;

        @Override
        public void changed() {
            changes++;
        }

        @Override
        public boolean isClientDisconnected() {
            return false;
        }
    }

    @BeforeEach
    void connectAndHoldUp() throws IOException {
        connection = connections.borrow(new HashSet<>(), CLIENT, user);
        loop.runOnce(0);
        assertTrue(connection.isConnected());
        connection.write(new byte[100], 0, 100);
        connection.flush();
        assertTrue(connection.isHeldUp());
        user.changes = 0;
    }

    @AfterEach
    void stop() {
        connections.discard(connection);
        loop.close();
        pool.close();
    }

    private void breakDown() throws IOException {
        peer.isBroken = true;
        peer.report();
        loop.runOnce(0);
    }

    /// Of a connection that takes no more, its user does not read either while the client takes
    /// nothing. When it breaks, a poller would report that in every iteration of the loop.
    @Test
    void brokenConnectionIsNotAwaitedIfItIsNotRead() throws IOException {
        connection.awaitInput(false);
        assertEquals(Poller.WRITE, peer.interest);
        breakDown();
        assertEquals(1, user.changes);
        assertTrue(connection.isOutputBroken());
        assertFalse(connection.isHeldUp());
        assertEquals(Poller.NONE, peer.interest);
    }

    /// Else an upstream has fewer places with each error, until it is restarted.
    @Test
    void placeIsReturnedIfThereIsNoConnectionForIt() {
        Upstream upstream = pool.members().getFirst();
        assertThrows(
                UnsupportedOperationException.class,
                () -> connections.borrow(Set.of(), CLIENT, user));
        assertEquals(1, upstream.inUse());
    }

    @Test
    void placeIsReturnedIfAConnectionCannotBegin() throws IOException {
        Upstream upstream = pool.members().getFirst();
        peer.hasNoMemory = true;
        peer.asleep =
                () ->
                        assertThrows(
                                OutOfMemoryError.class,
                                () -> connections.borrow(new HashSet<>(), CLIENT, user));
        loop.runOnce(0);
        peer.asleep = () -> {};
        peer.hasNoMemory = false;
        assertEquals(1, upstream.inUse());
        clock.advance(Duration.ofMinutes(1));
        loop.runOnce(0);
        assertEquals(0, user.changes, "it has no time-out");
        connections.discard(connection);
        assertEquals(0, upstream.inUse());
        assertEquals(0, upstream.clients());
        connection = connections.borrow(new HashSet<>(), CLIENT, user);
    }

    @Test
    void brokenConnectionIsStillRead() throws IOException {
        assertEquals(Poller.READ | Poller.WRITE, peer.interest);
        breakDown();
        assertTrue(connection.hasInput());
        assertEquals(Poller.READ, peer.interest);
    }

    private static final SocketAddress A = new InetSocketAddress("10.0.0.1", 80);
    private static final SocketAddress B = new InetSocketAddress("10.0.0.2", 80);

    /// Connects to a name with both addresses, in ten seconds at most.
    private LoopConnection toBoth() {
        var upstream =
                new Upstream(
                        Address.of("application:80"), UpstreamOptions.DEFAULT, () -> List.of(A, B));
        var made = new LoopConnection(connections, upstream);
        peer.tried.clear();
        peer.interest = 0;
        made.begin(new User(), 1);
        made.connect(Duration.ofSeconds(10));
        Patience.until(
                "it is tried",
                () -> {
                    turn();
                    return !peer.tried.isEmpty();
                });
        return made;
    }

    private void turn() {
        try {
            loop.runOnce(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void nextAddressIsTriedWhereOneRefuses() {
        peer.refusing = Set.of(A);
        LoopConnection made = toBoth();
        assertTrue(made.isConnected());
        assertEquals(List.of(A, B), peer.tried);
        assertEquals(List.of(B, A), made.upstream().order().of(List.of(A, B), System.nanoTime()));
        made.close();
    }

    @Test
    void nextAddressIsTriedWhereOneRefusesLater() {
        peer.refusingLater = Set.of(A);
        LoopConnection made = toBoth();
        assertFalse(made.isConnected());
        peer.report();
        turn();
        assertEquals(List.of(A, B), peer.tried);
        assertNull(made.failure());
        assertTrue(made.isConnected());
        made.close();
    }

    @Test
    void timeoutIsReportedWhereAnotherAddressRefuses() {
        peer.silent = Set.of(A);
        peer.refusing = Set.of(B);
        LoopConnection made = toBoth();
        clock.advance(Duration.ofSeconds(6));
        made.check(clock.nanos());
        assertEquals(List.of(A, B), peer.tried);
        var failure = assertInstanceOf(UpstreamTimeoutException.class, made.failure());
        String text = String.valueOf(failure.getMessage());
        assertTrue(text.contains(" (10.0.0.1): no connection in time"), text);
        made.close();
    }

    @Test
    void firstFailureIsReportedWhereAllRefuse() {
        peer.refusing = Set.of(A, B);
        LoopConnection made = toBoth();
        assertEquals(List.of(A, B), peer.tried);
        String text = String.valueOf(Objects.requireNonNull(made.failure()).getMessage());
        assertTrue(text.contains(" (10.0.0.1): "), text);
        made.close();
    }

    /// Each has an equal share of the time.
    @Test
    void nextAddressIsTriedWhereOneDoesNotRespond() {
        peer.silent = Set.of(A, B);
        LoopConnection made = toBoth();
        clock.advance(Duration.ofSeconds(4));
        made.check(clock.nanos());
        assertEquals(List.of(A), peer.tried);
        clock.advance(Duration.ofSeconds(2));
        made.check(clock.nanos());
        assertEquals(List.of(A, B), peer.tried);
        assertNull(made.failure());
        clock.advance(Duration.ofSeconds(5));
        made.check(clock.nanos());
        assertInstanceOf(UpstreamTimeoutException.class, made.failure());
        made.close();
    }
}
