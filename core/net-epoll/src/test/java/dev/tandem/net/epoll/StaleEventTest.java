package dev.tandem.net.epoll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.net.IoBuffer;
import dev.tandem.net.Network;
import dev.tandem.net.PeerState;
import dev.tandem.net.Poller;
import dev.tandem.net.Socket;
import dev.tandem.net.epoll.ConnectedSockets.RecordingListener;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/// Events of a descriptor that is closed in this process while a starting program still has a copy.
class StaleEventTest {
    private static final int FETCHES = 30;

    @SuppressWarnings("restricted")
    private static MethodHandle function(String name) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow(name),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
    }

    @Test
    void staleEventsDoNotOccupyProcessor() throws Throwable {
        Network network = new EpollNetwork();
        Assumptions.assumeTrue(network.isUsable());
        try (var ends = new ConnectedSockets(network)) {
            var pair = ends.pair();
            var recorder = new RecordingListener();
            Poller poller = ends.poller();
            poller.add(pair.socket(), Poller.READ, recorder);
            int copy = (int) function("dup").invokeExact(((EpollDescriptor) pair.socket()).fd());
            assertTrue(copy >= 0);
            pair.client().send("abc".getBytes());
            pair.socket().close();
            poller.remove(pair.socket());
            long begin = System.nanoTime();
            for (int i = 0; i < FETCHES; i++) {
                poller.poll(TimeUnit.MINUTES.toNanos(1));
                while (poller.hasNext()) {
                    poller.dispatchNext();
                }
            }
            long took = System.nanoTime() - begin;
            assertEquals(0, (int) function("close").invokeExact(copy));
            assertEquals(0, recorder.count());
            // All except the first rest; one or two may be woken early.
            long least = (FETCHES - 3) * EpollPoller.STALE_EVENTS_REST_NANOS;
            assertTrue(took >= least, "spun: " + took + " ns");
        }
    }

    /// A use by mistake after the close fails: it takes nothing from the socket that has the
    /// number, and sends nothing to its client.
    @Test
    void closedSocketIsNotTheNextOneOfTheSameDescriptor() throws Exception {
        Network network = new EpollNetwork();
        Assumptions.assumeTrue(network.isUsable());
        try (var ends = new ConnectedSockets(network)) {
            Socket closed = ends.pair().socket();
            RawClient client = ends.client().send("abc");
            closed.close();
            Socket next = ends.accept(); // gets the lowest free number
            int fd = ((EpollDescriptor) next).fd();
            Assumptions.assumeTrue(((EpollDescriptor) closed).fd() == fd, "another thread had it");
            var buffer = new IoBuffer(10);
            assertThrows(IOException.class, () -> closed.read(buffer));
            assertThrows(IOException.class, () -> closed.skip(buffer, 10));
            assertThrows(IOException.class, () -> closed.write(buffer));
            ByteBuffer second = ByteBuffer.allocateDirect(10);
            assertThrows(IOException.class, () -> closed.write(buffer, second));
            assertThrows(IOException.class, closed::shutdownOutput);
            assertEquals(PeerState.GONE, closed.peerState());
            closed.abort();
            while (buffer.bytes().position() < 3) {
                next.read(buffer);
            }
            assertEquals("abc", ConnectedSockets.text(buffer));
            next.shutdownOutput();
            assertEquals(0, client.rest().length);
        }
    }

    /// A worker may arm a connection while its loop closes it: not the next one of its descriptor.
    @Test
    void socketIsNotArmedWhileItIsClosed() throws Exception {
        Network network = new EpollNetwork();
        Assumptions.assumeTrue(network.isUsable());
        try (var ends = new ConnectedSockets(network)) {
            Socket closed = ends.pair().socket();
            Poller poller = ends.poller();
            poller.add(closed, Poller.NONE, _ -> {});
            ends.client().send("abc");
            var recorder = new RecordingListener();
            Socket next;
            Thread worker =
                    Thread.ofPlatform().unstarted(() -> poller.setInterest(closed, Poller.READ));
            synchronized (closed) {
                worker.start();
                Patience.until("it waits", () -> worker.getState() == Thread.State.BLOCKED);
                closed.close();
                next = ends.accept(); // gets the lowest free number
                int fd = ((EpollDescriptor) next).fd();
                Assumptions.assumeTrue(((EpollDescriptor) closed).fd() == fd, "another had it");
                assertThrows(IOException.class, () -> poller.add(closed, Poller.READ, recorder));
                poller.add(next, Poller.NONE, recorder);
            }
            worker.join();
            ends.dispatchBriefly();
            assertEquals(0, recorder.count(), "armed");
            poller.setInterest(next, Poller.READ);
            ends.dispatchUntilNotified(recorder);
        }
    }

    /// One that cannot be watched takes no events from the socket that has its descriptor.
    @Test
    void watchThatFailsKeepsTheOneOfTheSameDescriptor() throws Exception {
        Network network = new EpollNetwork();
        Assumptions.assumeTrue(network.isUsable());
        try (var ends = new ConnectedSockets(network)) {
            var pair = ends.pair();
            var recorder = new RecordingListener();
            ends.poller().add(pair.socket(), Poller.READ, recorder);
            int fd = ((EpollDescriptor) pair.socket()).fd();
            var other =
                    new EpollSocket(
                            SystemCallNumbers.forThisMachine(),
                            fd,
                            ByteBuffer.allocateDirect(28),
                            0);
            assertThrows(IOException.class, () -> ends.poller().add(other, Poller.READ, _ -> {}));
            pair.client().send("abc".getBytes());
            ends.dispatchUntilNotified(recorder);
        }
    }
}
