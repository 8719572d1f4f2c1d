package dev.tandem.lab.rivals;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.net.IoBuffer;
import dev.tandem.net.Poller;
import dev.tandem.testkit.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Waits are ended by calls of the [WaitTimer] with the test's time.
@Timeout(30)
class BlockingSocketTest {
    private static final long LIMIT = TimeUnit.HOURS.toNanos(1);

    /// Far beyond any limit.
    private static final long LATE = TimeUnit.DAYS.toNanos(1);

    private final WaitTimer timer = new WaitTimer();
    private final SocketChannel peer;
    private final BlockingSocket socket;

    BlockingSocketTest() throws IOException {
        try (var listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            peer = SocketChannel.open(listener.getLocalAddress());
            socket = new BlockingSocket(new Poller.Pollable() {}, listener.accept(), timer);
            socket.setBuffer(ByteBuffer.allocateDirect(64));
        }
    }

    @AfterEach
    void end() throws IOException {
        socket.close();
        peer.close();
    }

    private CompletableFuture<BlockingSocket.Outcome> waiting() {
        return CompletableFuture.supplyAsync(
                () -> socket.awaitInput(LIMIT), BlockingSocketTest::start);
    }

    /// Waits must not occupy the few threads of a shared pool.
    private static void start(Runnable task) {
        Thread.ofPlatform().daemon().start(task);
    }

    @Test
    void inputIsKeptForTheReader() throws IOException {
        peer.write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        assertEquals(BlockingSocket.Outcome.INPUT, socket.awaitInput(LIMIT));
        var two = new IoBuffer(2);
        assertEquals(2, socket.read(two));
        assertEquals(BlockingSocket.Outcome.INPUT, socket.awaitInput(LIMIT));
        two.bytes().clear();
        assertEquals(1, socket.read(two));
        assertEquals(3, two.bytes().get(0));
    }

    @Test
    void waitIsNotEndedBeforeItsTimeOut() throws Exception {
        var outcome = waiting();
        timer.expireWaits(System.nanoTime() + LIMIT / 2);
        peer.write(ByteBuffer.wrap(new byte[] {1}));
        assertEquals(BlockingSocket.Outcome.INPUT, outcome.get());
        assertFalse(socket.hasEnded());
    }

    @Test
    void waitIsEndedAtItsTimeOut() {
        var outcome = waiting();
        Patience.until(
                "cut",
                () -> {
                    timer.expireWaits(System.nanoTime() + LATE); // again, until the wait has begun
                    return outcome.isDone();
                });
        assertEquals(BlockingSocket.Outcome.TIMED_OUT, outcome.join());
        assertTrue(socket.hasEnded());
    }

    @Test
    void socketCanWriteAfterATimeOut() throws IOException {
        waitIsEndedAtItsTimeOut();
        var response = new IoBuffer(1);
        assertEquals(1, socket.write(response));
        assertEquals(1, peer.read(ByteBuffer.allocate(9)));
    }

    /// Whichever is first: bytes are not lost, and the end is not mistaken for the peer's.
    @RepeatedTest(50)
    void bytesReceivedAtTheTimeOutAreReadBeforeItIsReported() throws Exception {
        var outcome = waiting();
        var sending = CompletableFuture.runAsync(this::sendOne, BlockingSocketTest::start);
        while (!outcome.isDone()) {
            timer.expireWaits(System.nanoTime() + LATE);
        }
        sending.get();
        if (outcome.get() == BlockingSocket.Outcome.INPUT) {
            assertEquals(1, socket.read(new IoBuffer(1)));
            waitIsEndedAtItsTimeOut();
        }
    }

    private void sendOne() {
        try {
            peer.write(ByteBuffer.wrap(new byte[] {1}));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void endOfThePeerIsNoTimeOut() throws IOException {
        peer.close();
        assertEquals(BlockingSocket.Outcome.INPUT, socket.awaitInput(LIMIT));
        assertTrue(socket.hasEnded());
        assertEquals(-1, socket.read(new IoBuffer(1)));
    }

    @Test
    void otherThreadCanEndTheWait() {
        var outcome = waiting();
        Patience.until(
                "woken",
                () -> {
                    socket.wake();
                    return outcome.isDone();
                });
        assertEquals(BlockingSocket.Outcome.TIMED_OUT, outcome.join());
    }

    @Test
    void peerThatReadsNothingIsDisconnected() {
        var writing =
                CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return socket.write(new IoBuffer(32 << 20));
                            } catch (IOException e) {
                                return -1;
                            }
                        },
                        BlockingSocketTest::start);
        Patience.until(
                "cut",
                () -> {
                    timer.expireWaits(System.nanoTime() + LATE);
                    return writing.isDone();
                });
        assertEquals(-1, writing.join());
    }
}
