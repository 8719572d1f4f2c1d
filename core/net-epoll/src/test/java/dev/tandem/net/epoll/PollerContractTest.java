package dev.tandem.net.epoll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.net.IoBuffer;
import dev.tandem.net.Network;
import dev.tandem.net.Poller;
import dev.tandem.net.Socket;
import dev.tandem.net.epoll.ConnectedSockets.Pair;
import dev.tandem.net.epoll.ConnectedSockets.RecordingListener;
import dev.tandem.testkit.RawClient;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The contract of every [Poller].
class PollerContractTest {
    private static final String BOTH = "dev.tandem.net.epoll.Networks#networks";
    private static final int READ = Poller.READ;
    private static final int WRITE = Poller.WRITE;
    private static final int NONE = Poller.NONE;
    private static final int ONCE = Poller.ONCE;

    private final RecordingListener recorder = new RecordingListener();

    @Test
    @EnabledOnOs(
            value = OS.LINUX,
            architectures = {"amd64", "aarch64"})
    void epollIsUsableHere() {
        assertTrue(new EpollNetwork().isUsable());
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void listenerIsReadyForNewConnections(Network network) throws Exception {
        try (var ends = new ConnectedSockets(network)) {
            ends.poller().add(ends.listener(), READ, recorder);
            ends.dispatchBriefly();
            assertEquals(0, recorder.count());
            assertNull(ends.listener().accept());
            ends.client().send(new byte[1]);
            ends.dispatchUntilNotified(recorder);
            assertNotNull(ends.accept());
            assertNull(ends.listener().accept());
        }
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void pausedListenerIsNotReportedUntilResumed(Network network) throws Exception {
        try (var ends = new ConnectedSockets(network)) {
            ends.poller().add(ends.listener(), READ, recorder);
            ends.poller().setInterest(ends.listener(), NONE);
            ends.client().send(new byte[1]);
            ends.dispatchBriefly();
            assertEquals(0, recorder.count());
            ends.poller().setInterest(ends.listener(), READ);
            ends.poller().setInterest(ends.listener(), READ);
            ends.dispatchUntilNotified(recorder);
        }
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void inputIsReportedUntilRead(Network network) throws Exception {
        try (var ends = new ConnectedSockets(network)) {
            Pair pair = ends.pair();
            ends.poller().add(pair.socket(), READ, recorder);
            ends.dispatchBriefly();
            assertEquals(0, recorder.count());
            pair.client().send("abc".getBytes());
            ends.dispatchUntilNotified(recorder);
            assertEquals(READ, recorder.operations());
            ends.dispatchUntilNotified(recorder);
            var buffer = new IoBuffer(10);
            assertEquals(3, pair.socket().read(buffer));
            recorder.operations();
            ends.dispatchBriefly();
            assertEquals(0, recorder.count());
        }
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void nothingIsReportedWithoutInterest(Network network) throws Exception {
        try (var ends = new ConnectedSockets(network)) {
            Pair pair = ends.pair();
            ends.poller().add(pair.socket(), READ, recorder);
            ends.poller().setInterest(pair.socket(), NONE);
            pair.client().send("abc".getBytes());
            ends.dispatchBriefly();
            assertEquals(0, recorder.count());
            ends.poller().setInterest(pair.socket(), READ);
            ends.dispatchUntilNotified(recorder);
        }
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void onceReportsOncePerInterest(Network network) throws Exception {
        try (var ends = new ConnectedSockets(network)) {
            Pair pair = ends.pair();
            pair.client().send("abc".getBytes());
            ends.poller().add(pair.socket(), READ | ONCE, recorder);
            for (int i = 0; i < 5; i++) {
                ends.dispatchUntilNotified(recorder);
                ends.dispatchBriefly();
                assertEquals(1, recorder.count());
                recorder.operations();
                ends.poller().setInterest(pair.socket(), READ | ONCE);
            }
        }
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void interestMayBePermanentAfterOnce(Network network) throws Exception {
        try (var ends = new ConnectedSockets(network)) {
            Pair pair = ends.pair();
            pair.client().send("abc".getBytes());
            ends.poller().add(pair.socket(), READ | ONCE, recorder);
            ends.dispatchUntilNotified(recorder);
            ends.poller().setInterest(pair.socket(), READ);
            for (int i = 0; i < 3; i++) {
                recorder.operations();
                ends.dispatchUntilNotified(recorder);
            }
        }
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void writabilityIsReportedOnInterest(Network network) throws Exception {
        try (var ends = new ConnectedSockets(network)) {
            Pair pair = ends.pair();
            ends.poller().add(pair.socket(), WRITE, recorder);
            ends.dispatchUntilNotified(recorder);
            assertEquals(WRITE, recorder.operations());
            ends.poller().setInterest(pair.socket(), READ | WRITE);
            pair.client().send("abc".getBytes());
            int all = 0;
            while (all != (READ | WRITE)) {
                ends.dispatchUntilNotified(recorder);
                all |= recorder.operations();
            }
        }
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void fullSocketIsNotWritable(Network network) throws Exception {
        try (var ends = new ConnectedSockets(network)) {
            Pair pair = ends.pair(4096);
            fill(pair.socket());
            ends.poller().add(pair.socket(), WRITE, recorder);
            ends.dispatchBriefly();
            assertEquals(0, recorder.count());
            while (recorder.count() == 0) {
                assertTrue(pair.client().bytes(100_000).length > 0);
                ends.dispatchBriefly();
            }
            assertEquals(WRITE, recorder.operations());
        }
    }

    /// Writes until nothing fits, also a little later: what is on its way to the client when the
    /// buffer is full makes room when it arrives there.
    private static void fill(Socket socket) throws Exception {
        while (written(socket) > 0) {
            Thread.sleep(20);
        }
    }

    /// @return how many bytes fitted
    private static long written(Socket socket) throws IOException {
        var buffer = new IoBuffer(100_000);
        long all = 0;
        for (long count = socket.write(buffer); count > 0; count = socket.write(buffer)) {
            all += count;
            buffer.bytes().clear();
        }
        return all;
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void endOfStreamIsReportedAsInput(Network network) throws Exception {
        try (var ends = new ConnectedSockets(network)) {
            Pair pair = ends.pair();
            ends.poller().add(pair.socket(), READ, recorder);
            pair.client().halfClose();
            ends.dispatchUntilNotified(recorder);
            assertEquals(READ, recorder.operations() & READ);
            assertEquals(-1, pair.socket().read(new IoBuffer(10)));
        }
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void resetIsReportedForAnyInterest(Network network) throws Exception {
        for (int interest : new int[] {READ, WRITE | ONCE, READ | ONCE}) {
            try (var ends = new ConnectedSockets(network)) {
                Pair pair = ends.pair(4096);
                fill(pair.socket());
                var watch = new RecordingListener();
                ends.poller().add(pair.socket(), interest, watch);
                pair.client().reset();
                ends.dispatchUntilNotified(watch);
                assertEquals(interest & ~ONCE, watch.operations() & interest & ~ONCE);
            }
        }
    }

    /// Without interest the event may be reported, but not repeatedly.
    @ParameterizedTest
    @MethodSource(BOTH)
    void resetWithoutInterestIsReportedOnce(Network network) throws Exception {
        try (var ends = new ConnectedSockets(network)) {
            Pair pair = ends.pair();
            ends.poller().add(pair.socket(), READ, recorder);
            ends.poller().setInterest(pair.socket(), NONE);
            pair.client().reset();
            for (int i = 0; i < 5; i++) {
                ends.dispatchBriefly();
            }
            assertTrue(recorder.count() <= 1, "notified " + recorder.count() + " times");
        }
    }

    /// Each change reports a reset once more: who disarms at each event would never end.
    @ParameterizedTest
    @MethodSource(BOTH)
    void disarmingAfterResetReportsItOnceAtMost(Network network) throws Exception {
        try (var ends = new ConnectedSockets(network)) {
            Pair pair = ends.pair();
            ends.poller().add(pair.socket(), READ, recorder);
            pair.client().reset();
            ends.dispatchUntilNotified(recorder);
            recorder.operations();
            ends.poller().setInterest(pair.socket(), NONE);
            for (int i = 0; i < 5; i++) {
                ends.dispatchBriefly();
            }
            assertTrue(recorder.count() <= 1, "notified " + recorder.count() + " times");
        }
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void closedSocketIsNotReported(Network network) throws Exception {
        try (var ends = new ConnectedSockets(network)) {
            Pair pair = ends.pair();
            pair.client().send("abc".getBytes());
            ends.poller().add(pair.socket(), READ, recorder);
            ends.dispatchUntilNotified(recorder);
            recorder.operations();
            pair.socket().close();
            ends.poller().remove(pair.socket());
            ends.poller().setInterest(pair.socket(), READ);
            ends.dispatchBriefly();
            assertEquals(0, recorder.count());
        }
    }

    /// The kernel reuses the descriptor number for the next socket.
    @ParameterizedTest
    @MethodSource(BOTH)
    void eventIsNotReportedToNextSocketOfDescriptor(Network network) throws Exception {
        try (var ends = new ConnectedSockets(network)) {
            Pair first = ends.pair();
            ends.poller().add(first.socket(), READ, recorder);
            RawClient waiting = ends.client();
            waiting.send(new byte[1]);
            first.client().send("abc".getBytes());
            fetchUntilReady(ends.poller());
            first.socket().close();
            Socket second = ends.accept();
            second.read(new IoBuffer(1));
            var next = new RecordingListener();
            ends.poller().add(second, READ, next);
            while (ends.poller().hasNext()) {
                ends.poller().dispatchNext();
            }
            assertEquals(0, next.count());
        }
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void removeKeepsNextSocketOfDescriptor(Network network) throws Exception {
        try (var ends = new ConnectedSockets(network)) {
            Pair first = ends.pair();
            ends.poller().add(first.socket(), READ, recorder);
            RawClient waiting = ends.client();
            waiting.send(new byte[1]);
            first.socket().close();
            Socket second = ends.accept();
            var next = new RecordingListener();
            ends.poller().add(second, READ, next);
            ends.poller().setInterest(first.socket(), NONE);
            ends.poller().remove(first.socket());
            ends.dispatchUntilNotified(next);
            assertEquals(0, recorder.count());
        }
    }

    private static void fetchUntilReady(Poller poller) throws IOException {
        long begin = System.nanoTime();
        while (!poller.hasNext()) {
            assertTrue(System.nanoTime() - begin < 20_000_000_000L, "nothing within 20 s");
            poller.poll(10_000_000);
        }
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void moreEventsThanOnePollHoldsAreAllReported(Network network) throws Exception {
        try (var ends = new ConnectedSockets(network)) {
            int count = 300;
            var watches = new RecordingListener[count];
            for (int i = 0; i < count; i++) {
                Pair pair = ends.pair();
                watches[i] = new RecordingListener();
                ends.poller().add(pair.socket(), READ | ONCE, watches[i]);
                pair.client().send(new byte[1]);
            }
            for (RecordingListener watch : watches) {
                ends.dispatchUntilNotified(watch);
            }
            ends.dispatchBriefly();
            for (RecordingListener watch : watches) {
                assertEquals(1, watch.count());
            }
        }
    }
}
