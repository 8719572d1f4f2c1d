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

/// A few slots and no server: the test runs their threads, and gives the [WaitTimer] its time.
@Timeout(30)
class ConnectionSlotTest {
    private static final Duration TIMEOUT = Duration.ofHours(10);

    private final ConnectionSlots slots = new ConnectionSlots();
    private final WaitTimer timer = new WaitTimer();
    private final BlockingListener listener;
    private final List<SocketChannel> peers = new ArrayList<>();

    ConnectionSlotTest() throws IOException {
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        listener = BlockingListener.open(address, 16, slots, timer);
    }

    @AfterEach
    void end() throws IOException {
        for (SocketChannel peer : peers) {
            peer.close();
        }
        listener.close();
    }

    private ConnectionSlot slot() {
        var slot = new ConnectionSlot(slots, KeepAlive.of(TIMEOUT, true));
        slot.add(listener, Poller.READ, _ -> {});
        return slot;
    }

    private SocketChannel peer() throws IOException {
        SocketChannel peer = SocketChannel.open(listener.localAddress());
        peers.add(peer);
        return peer;
    }

    private static CompletableFuture<Boolean> fetched(ConnectionSlot slot) {
        return CompletableFuture.supplyAsync(
                () -> {
                    slot.poll(-1);
                    return slot.hasNext();
                },
                task -> Thread.ofPlatform().daemon().start(task));
    }

    @Test
    void newConnectionIsReportedWhenItsBytesAreReceived() throws Exception {
        ConnectionSlot slot = slot();
        peer().write(ByteBuffer.wrap(new byte[] {1}));
        slot.poll(-1);
        assertTrue(slot.hasNext());
        assertTrue(slot.newConnection() != null);
        assertNull(slot.newConnection());
    }

    @Test
    void slotIsBusyFromItsNewConnectionOn() throws Exception {
        ConnectionSlot slot = slot();
        assertEquals(1, slots.count());
        var fetched = fetched(slot);
        Patience.until("free", () -> slots.busyCount() == 0);
        SocketChannel peer = peer();
        Patience.until("busy", () -> slots.busyCount() == 1);
        assertFalse(fetched.isDone());
        peer.write(ByteBuffer.wrap(new byte[] {1}));
        assertTrue(fetched.get());
    }

    /// Both of two slots are taken: by Coyote's rule a fifth of the time-out is left.
    @Test
    void timeOutIsShortenedAsSlotsRunOut() throws Exception {
        var first = fetched(slot());
        var second = fetched(slot());
        peer();
        peer();
        Patience.until("busy", () -> slots.busyCount() == 2);
        // One slot began to wait when the other was still free: its time-out is half at least.
        long afterFifth = TIMEOUT.toNanos() / 5 + TimeUnit.MINUTES.toNanos(1);
        Patience.until(
                "one is closed",
                () -> {
                    timer.expireWaits(System.nanoTime() + afterFifth);
                    return slots.timedOutCount() >= 1;
                });
        Patience.until(
                "both are",
                () -> {
                    timer.expireWaits(System.nanoTime() + TIMEOUT.toNanos());
                    return slots.timedOutCount() == 2;
                });
        assertFalse(first.get() || second.get()); // not reported: no loop knew them
    }

    @Test
    void wakeUpEndsTheWaitForAConnection() throws Exception {
        ConnectionSlot slot = slot();
        var fetched = fetched(slot);
        Patience.until("free", () -> slots.busyCount() == 0);
        slot.wakeup();
        assertFalse(fetched.get());
        Patience.until("risen", () -> slots.busyCount() == 1);
    }

    @Test
    void slotDoesNotWaitWhileTasksWait() {
        ConnectionSlot slot = slot();
        slot.poll(0);
        assertFalse(slot.hasNext());
    }
}
