package dev.tandem.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.FakeClock;
import dev.tandem.testkit.LogCapture;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AcceptorTest {
    private final ScriptedPoller poller = new ScriptedPoller();
    private final FakeClock clock = new FakeClock(0);
    private final Loop loop = new Loop(poller, clock::nanos);
    private final ScriptedListener listener = new ScriptedListener();
    private final List<RecordingProtocol> protocols = new ArrayList<>();
    private final LogCapture log = LogCapture.of("dev.tandem.net");

    @AfterEach
    void stopLogging() {
        log.close();
    }

    private Acceptor started(int connectionsMax) throws IOException {
        var acceptor =
                new Acceptor(
                        loop,
                        listener,
                        c -> {
                            var protocol = new RecordingProtocol(c);
                            protocols.add(protocol);
                            return protocol;
                        },
                        connectionsMax);
        acceptor.start();
        return acceptor;
    }

    private void iterate() throws IOException {
        poller.report(listener, Poller.READ);
        loop.runOnce(0);
    }

    private List<ScriptedSocket> connect(int count) {
        var sockets = new ArrayList<ScriptedSocket>();
        for (int i = 0; i < count; i++) {
            sockets.add(new ScriptedSocket());
        }
        listener.waiting.addAll(sockets);
        return sockets;
    }

    @Test
    void newConnectionIsReadImmediately() throws IOException {
        started(10);
        connect(2);
        iterate();
        assertEquals(2, loop.connectionCount());
        for (RecordingProtocol protocol : protocols) {
            assertEquals(List.of("readable"), protocol.events());
        }
    }

    @Test
    void iterationAcceptsAtMostItsBudget() throws IOException {
        started(1000);
        connect(100);
        iterate();
        assertEquals(Acceptor.ACCEPT_BUDGET, loop.connectionCount());
        iterate();
        assertEquals(100, loop.connectionCount());
    }

    @Test
    void acceptorHasBacklogWhileConnectionsArePending() throws IOException {
        Acceptor acceptor = started(1000);
        assertFalse(acceptor.hasBacklog());
        connect(Acceptor.ACCEPT_BUDGET + 1);
        iterate();
        assertTrue(acceptor.hasBacklog());
        iterate();
        assertFalse(acceptor.hasBacklog());
    }

    /// The poller reports thousands of ready connections in turn, and the listener after them.
    @Test
    void pendingConnectionsAreAcceptedInEachIterationWithoutReport() throws IOException {
        started(1000);
        connect(3 * Acceptor.ACCEPT_BUDGET);
        iterate();
        loop.runOnce(0);
        loop.runOnce(0);
        assertEquals(3 * Acceptor.ACCEPT_BUDGET, loop.connectionCount());
    }

    /// After the pause the listener is the last that the poller reports.
    @Test
    void resumedAcceptorAcceptsWithoutReport() throws IOException {
        Acceptor acceptor = started(10);
        acceptor.pause();
        connect(1);
        acceptor.resume();
        loop.runOnce(0);
        assertEquals(1, loop.connectionCount());
    }

    @Test
    void moreAreAcceptedInAnIterationOnceConnectionsHaveWaited() throws IOException {
        started(1000);
        connect(2 * Acceptor.ACCEPT_BUDGET + Acceptor.ACCEPT_BUDGET_MAX);
        iterate();
        clock.advance(Duration.ofMillis(100));
        loop.runOnce(0);
        assertEquals(2 * Acceptor.ACCEPT_BUDGET, loop.connectionCount());
        clock.advance(Duration.ofMillis(1));
        loop.runOnce(0);
        assertEquals(
                2 * Acceptor.ACCEPT_BUDGET + Acceptor.ACCEPT_BUDGET_MAX, loop.connectionCount());
    }

    @Test
    void closedAcceptorAcceptsNothingThatWasPending() throws IOException {
        Acceptor acceptor = started(1000);
        connect(Acceptor.ACCEPT_BUDGET + 1);
        iterate();
        acceptor.close();
        loop.runOnce(0);
        assertEquals(Acceptor.ACCEPT_BUDGET, loop.connectionCount());
        assertEquals(1, listener.waiting.size());
    }

    @Test
    void connectionBeyondLimitEvictsLongestIdle() throws IOException {
        started(2);
        List<ScriptedSocket> sockets = connect(3);
        iterate();
        assertEquals(2, loop.connectionCount());
        assertEquals(1, sockets.getFirst().closed());
        assertEquals(0, sockets.getLast().closed());
    }

    @Test
    void connectionBeyondLimitIsRejectedIfAllAreBusy() throws IOException {
        started(2);
        connect(2);
        iterate();
        protocols.forEach(p -> p.busy(true));
        List<ScriptedSocket> third = connect(1);
        iterate();
        assertEquals(1, third.getFirst().closed());
        assertEquals(2, loop.connectionCount());
    }

    @Test
    void rejectedConnectionGetsResponse() throws IOException {
        var acceptor = new Acceptor(loop, listener, new Polite(), 1);
        acceptor.start();
        connect(1);
        iterate();
        ScriptedSocket second = connect(1).getFirst();
        second.receive(100);
        second.makeRoom(100);
        iterate();
        assertEquals("full", second.written());
        assertEquals(0, second.readable());
        assertEquals(1, second.closed());
    }

    @Test
    void rejectionsAreLoggedAtLimitedRate() throws IOException {
        started(1);
        connect(1);
        iterate();
        protocols.forEach(p -> p.busy(true));
        String line = "all 1 connections of a loop are busy";
        connect(10);
        iterate();
        assertEquals(List.of(line), log.messages(_ -> true));
        clock.advance(Duration.ofSeconds(5));
        connect(1);
        iterate();
        assertEquals(
                List.of(line, line + " (and 9 more since the last message)"),
                log.messages(_ -> true));
    }

    @Test
    void outOfDescriptorsIdleConnectionsAreClosed() throws IOException {
        started(1000);
        connect(70);
        iterate();
        iterate();
        listener.failure = new OutOfDescriptorsException("too many open files");
        iterate();
        assertEquals(70 - 17, loop.connectionCount());
        assertEquals(
                List.of("too many open files: closed 17 idle connections"),
                log.messages(_ -> true));
        assertEquals(Poller.READ, poller.interest(listener));
    }

    @Test
    void outOfDescriptorsEvictionIsLimited() throws IOException {
        started(1000);
        for (int i = 0; i < 10; i++) {
            connect(64);
            iterate();
        }
        listener.failure = new OutOfDescriptorsException("too many open files");
        iterate();
        assertEquals(640 - Acceptor.EVICTED_MAX, loop.connectionCount());
    }

    @Test
    void outOfDescriptorsWithoutIdleConnectionAcceptingPauses() throws IOException {
        started(1000);
        connect(1);
        iterate();
        protocols.getFirst().busy(true);
        listener.failure = new OutOfDescriptorsException("too many open files");
        connect(1);
        iterate();
        assertEquals(Poller.NONE, poller.interest(listener));
        clock.advance(Duration.ofMillis(120));
        loop.runOnce(0);
        assertEquals(Poller.READ, poller.interest(listener));
        iterate();
        assertEquals(2, loop.connectionCount());
    }

    @Test
    void outOfDescriptorsAfterPauseBacklogIsRejected() throws IOException {
        new Acceptor(loop, listener, new Polite(), 10).start();
        connect(1);
        iterate();
        List<ScriptedSocket> waiting = connect(3);
        waiting.forEach(socket -> socket.makeRoom(100));
        listener.failure = new OutOfDescriptorsException("too many open files");
        iterate();
        assertEquals(3, listener.waiting.size()); // it may pass soon
        clock.advance(Duration.ofMillis(120));
        listener.failure = new OutOfDescriptorsException("too many open files");
        loop.runOnce(0);
        for (ScriptedSocket socket : waiting) {
            assertEquals("full", socket.written());
            assertEquals(1, socket.closed());
        }
        assertEquals(1, loop.connectionCount());
        assertEquals(Poller.NONE, poller.interest(listener));
    }

    @Test
    void failureOfOneConnectionIsLogged() throws IOException {
        started(10);
        listener.failure = new IOException("on purpose");
        connect(1);
        iterate();
        assertEquals(List.of("accepting a connection failed: on purpose"), log.messages(_ -> true));
        iterate();
        assertEquals(1, loop.connectionCount());
    }

    @Test
    void pausedAcceptorAcceptsNothing() throws IOException {
        Acceptor acceptor = started(10);
        acceptor.pause();
        assertEquals(Poller.NONE, poller.interest(listener));
        connect(1);
        iterate(); // notified before it was paused
        assertEquals(0, loop.connectionCount());
        acceptor.resume();
        assertEquals(Poller.READ, poller.interest(listener));
    }

    @Test
    void batchedConnectionsAreAcceptedTogether() throws IOException {
        Acceptor acceptor = started(10);
        acceptor.setBatching(true);
        connect(1);
        iterate();
        assertEquals(1, loop.connectionCount());
        assertEquals(Poller.NONE, poller.interest(listener));
        connect(3);
        loop.runOnce(0);
        assertEquals(1, loop.connectionCount());
        acceptor.setBatching(false);
        clock.advance(Duration.ofNanos(TimingWheel.TICK_NANOS));
        loop.runOnce(0);
        assertEquals(4, loop.connectionCount());
        assertEquals(Poller.READ, poller.interest(listener));
    }

    @Test
    void endOfRestDoesNotEndPause() throws IOException {
        Acceptor acceptor = started(10);
        listener.failure = new OutOfDescriptorsException("too many open files");
        iterate();
        acceptor.pause();
        clock.advance(Duration.ofSeconds(1));
        loop.runOnce(0);
        assertEquals(Poller.NONE, poller.interest(listener));
    }

    @Test
    void resumeDoesNotEndRest() throws IOException {
        Acceptor acceptor = started(10);
        listener.failure = new OutOfDescriptorsException("too many open files");
        iterate();
        acceptor.pause();
        acceptor.resume();
        assertEquals(Poller.NONE, poller.interest(listener));
    }

    @Test
    void closedAcceptorLeavesNoWatchAndNoTimer() throws IOException {
        Acceptor acceptor = started(10);
        listener.failure = new OutOfDescriptorsException("too many open files");
        iterate();
        acceptor.close();
        assertEquals(-1, poller.interest(listener));
        assertEquals(0, loop.timers().count());
        assertFalse(listener.isClosed);
    }

    /// The first request of a new connection may run inline and cause another thread to take over
    /// the loop, which then owns its lists and buffers.
    @Test
    void threadThatLostLoopAcceptsNothing() throws IOException {
        var successor = new Thread(() -> {});
        var acceptor =
                new Acceptor(
                        loop,
                        listener,
                        c -> {
                            var protocol = new RecordingProtocol(c);
                            protocol.onReadable(() -> loop.baton().setHolder(successor));
                            return protocol;
                        },
                        10);
        acceptor.start();
        connect(3);
        iterate();
        assertEquals(1, loop.connectionCount());
        assertEquals(2, listener.waiting.size());
        assertTrue(loop.baton().holder() == successor);
    }

    /// Otherwise its descriptor would stay open, and its client would wait for ever.
    @Test
    void socketForWhichThereIsNoMemoryIsClosed() throws IOException {
        var acceptor =
                new Acceptor(
                        loop,
                        listener,
                        _ -> {
                            throw new OutOfMemoryError("on purpose");
                        },
                        10);
        acceptor.start();
        List<ScriptedSocket> sockets = connect(1);
        iterate();
        assertTrue(sockets.getFirst().closed() > 0);
        assertEquals(0, loop.connectionCount());
    }

    /// One of TLS, which counts itself, would count for ever.
    @Test
    void wrapperOfASocketForWhichThereIsNoMemoryIsClosed() throws IOException {
        var wrapper = new ScriptedSocket();
        var failing =
                new Protocol.Factory() {
                    @Override
                    public Socket socket(Socket accepted) {
                        return wrapper;
                    }

                    @Override
                    public Protocol protocol(Connection connection) {
                        throw new OutOfMemoryError("on purpose");
                    }
                };
        new Acceptor(loop, listener, failing, 10).start();
        connect(1);
        iterate();
        assertEquals(1, wrapper.closed());
    }

    /// No one else would close it.
    @Test
    void socketWhoseRejectionFailsIsClosed() throws IOException {
        var failing =
                new Protocol.Factory() {
                    @Override
                    public Protocol protocol(Connection connection) {
                        return new Polite().protocol(connection);
                    }

                    @Override
                    public byte[] overloadResponse() {
                        throw new OutOfMemoryError("on purpose");
                    }
                };
        new Acceptor(loop, listener, failing, 1).start();
        List<ScriptedSocket> sockets = connect(2);
        iterate();
        assertEquals(1, sockets.getLast().closed());
    }

    /// Whatever fails while it is closed: one that stayed on the list would count as open for ever.
    @Test
    void connectionWhoseEndFailsCountsNoMore() throws IOException {
        started(10);
        connect(2);
        iterate();
        protocols.getFirst().failWhenClosed();
        for (RecordingProtocol protocol : List.copyOf(protocols)) {
            loop.execute(() -> protocol.connection().close());
        }
        loop.runOnce(0);
        loop.runOnce(0);
        assertEquals(0, loop.connectionCount());
    }

    /// Where no connection is idle, those that are received from or sent to fill the memory.
    @Test
    void lackOfMemoryClosesBusyConnectionsIfNoneIsIdle() throws IOException {
        started(10);
        List<ScriptedSocket> sockets = connect(8);
        iterate();
        protocols.forEach(p -> p.busy(true));
        loop.execute(
                () -> {
                    throw new OutOfMemoryError("on purpose");
                });
        loop.runOnce(0);
        assertEquals(6, loop.connectionCount());
        assertEquals(1, sockets.get(0).closed());
        assertEquals(1, sockets.get(1).closed());
        assertEquals(0, sockets.get(2).closed());
    }

    /// A protocol whose connections are always busy, with a response for rejected ones.
    private static final class Polite implements Protocol.Factory {
        @Override
        public Protocol protocol(Connection connection) {
            var protocol = new RecordingProtocol(connection);
            protocol.busy(true);
            return protocol;
        }

        @Override
        public byte[] overloadResponse() {
            return "full".getBytes(StandardCharsets.US_ASCII);
        }
    }

    private static final class ScriptedListener implements Listener {
        private final Queue<ScriptedSocket> waiting = new ArrayDeque<>();

        /// Thrown once, before the next connection is accepted.
        private @Nullable IOException failure;

        private boolean isClosed;

        @Override
        public @Nullable Socket accept() throws IOException {
            IOException thrown = failure;
            failure = null;
            if (thrown != null) {
                throw thrown;
            }
            return waiting.poll();
        }

        @Override
        public SocketAddress localAddress() {
            return new InetSocketAddress(1);
        }

        @Override
        public boolean isOpen() {
            return !isClosed;
        }

        @Override
        public void close() {
            isClosed = true;
        }
    }
}
