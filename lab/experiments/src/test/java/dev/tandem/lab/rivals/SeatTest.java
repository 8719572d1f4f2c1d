package dev.tandem.lab.rivals;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.net.Poller;
import dev.tandem.testkit.Patience;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A few seats and no server: the test is their threads, and its looks are the [Cutter]'s time.
@Timeout(30)
class SeatTest {
    private static final Duration TIMEOUT = Duration.ofHours(10);

    private final Seats seats = new Seats();
    private final Cutter cutter = new Cutter();
    private final BlockingListener listener;
    private final List<SocketChannel> peers = new ArrayList<>();

    SeatTest() throws IOException {
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        listener = BlockingListener.open(address, 16, seats, cutter);
    }

    @AfterEach
    void end() throws IOException {
        for (SocketChannel peer : peers) {
            peer.close();
        }
        listener.close();
    }

    private Seat seat() {
        var seat = new Seat(seats, KeepAlive.of(TIMEOUT, true));
        seat.add(listener, Poller.READ, _ -> {});
        return seat;
    }

    private SocketChannel peer() throws IOException {
        SocketChannel peer = SocketChannel.open(listener.localAddress());
        peers.add(peer);
        return peer;
    }

    private static CompletableFuture<Boolean> fetched(Seat seat) {
        return CompletableFuture.supplyAsync(
                () -> {
                    seat.poll(-1);
                    return seat.hasNext();
                },
                task -> Thread.ofPlatform().daemon().start(task));
    }

    @Test
    void tellsOfANewcomerWhenItsBytesAreThere() throws Exception {
        Seat seat = seat();
        peer().write(ByteBuffer.wrap(new byte[] {1}));
        seat.poll(-1);
        assertTrue(seat.hasNext());
        assertTrue(seat.newcomer() != null);
        assertNull(seat.newcomer());
    }

    @Test
    void isBusyFromItsNewcomerOn() throws Exception {
        Seat seat = seat();
        assertEquals(1, seats.count());
        var fetched = fetched(seat);
        Patience.until("free", () -> seats.busyCount() == 0);
        SocketChannel peer = peer();
        Patience.until("busy", () -> seats.busyCount() == 1);
        assertFalse(fetched.isDone());
        peer.write(ByteBuffer.wrap(new byte[] {1}));
        assertTrue(fetched.get());
    }

    /// Both of two seats are taken: by Coyote's rule a fifth of the time-out is left.
    @Test
    void theTimeoutIsShortenedAsSeatsRunOut() throws Exception {
        var first = fetched(seat());
        var second = fetched(seat());
        peer();
        peer();
        Patience.until("busy", () -> seats.busyCount() == 2);
        // One seat began to wait when the other was free still: its time-out is half at least.
        long afterFifth = TIMEOUT.toNanos() / 5 + TimeUnit.MINUTES.toNanos(1);
        Patience.until(
                "one is closed",
                () -> {
                    cutter.look(System.nanoTime() + afterFifth);
                    return seats.timedOutCount() >= 1;
                });
        Patience.until(
                "both are",
                () -> {
                    cutter.look(System.nanoTime() + TIMEOUT.toNanos());
                    return seats.timedOutCount() == 2;
                });
        assertFalse(first.get() || second.get()); // nobody is told: no loop knew them
    }

    @Test
    void aWakeUpEndsTheWaitForAConnection() throws Exception {
        Seat seat = seat();
        var fetched = fetched(seat);
        Patience.until("free", () -> seats.busyCount() == 0);
        seat.wakeup();
        assertFalse(fetched.get());
        Patience.until("risen", () -> seats.busyCount() == 1);
    }

    @Test
    void whileTasksWaitItDoesNot() {
        Seat seat = seat();
        seat.poll(0);
        assertFalse(seat.hasNext());
    }
}
