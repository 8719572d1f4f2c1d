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
import dev.tandem.net.epoll.ConnectedSockets.Told;
import dev.tandem.testkit.RawClient;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What every [Poller] promises.
class PollerContractTest {
    private static final String BOTH = "dev.tandem.net.epoll.Networks#networks";
    private static final int READ = Poller.READ;
    private static final int WRITE = Poller.WRITE;
    private static final int NONE = Poller.NONE;
    private static final int ONCE = Poller.ONCE;

    private final Told told = new Told();

    @Test
    @EnabledOnOs(
            value = OS.LINUX,
            architectures = {"amd64", "aarch64"})
    void epollIsUsableHere() {
        assertTrue(new EpollNetwork().isUsable());
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void aListenerIsToldOfNewcomers(Network network) throws Exception {
        try (var ends = new ConnectedSockets(network)) {
            ends.poller().add(ends.listener(), READ, told);
            ends.tellBriefly();
            assertEquals(0, told.count());
            assertNull(ends.listener().accept());
            ends.client().send(new byte[1]);
            ends.tellUntilTold(told);
            assertNotNull(ends.accept());
            assertNull(ends.listener().accept());
        }
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void aListenerThatIsPausedIsToldNothingUntilItGoesOn(Network network) throws Exception {
        try (var ends = new ConnectedSockets(network)) {
            ends.poller().add(ends.listener(), READ, told);
            ends.poller().setInterest(ends.listener(), NONE);
            ends.client().send(new byte[1]);
            ends.tellBriefly();
            assertEquals(0, told.count());
            ends.poller().setInterest(ends.listener(), READ);
            ends.poller().setInterest(ends.listener(), READ);
            ends.tellUntilTold(told);
        }
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void inputIsToldUntilItIsRead(Network network) throws Exception {
        try (var ends = new ConnectedSockets(network)) {
            Pair pair = ends.pair();
            ends.poller().add(pair.socket(), READ, told);
            ends.tellBriefly();
            assertEquals(0, told.count());
            pair.client().send("abc".getBytes());
            ends.tellUntilTold(told);
            assertEquals(READ, told.operations());
            ends.tellUntilTold(told);
            var buffer = new IoBuffer(10);
            assertEquals(3, pair.socket().read(buffer));
            told.operations();
            ends.tellBriefly();
            assertEquals(0, told.count());
        }
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void nothingIsToldWithoutInterest(Network network) throws Exception {
        try (var ends = new ConnectedSockets(network)) {
            Pair pair = ends.pair();
            ends.poller().add(pair.socket(), READ, told);
            ends.poller().setInterest(pair.socket(), NONE);
            pair.client().send("abc".getBytes());
            ends.tellBriefly();
            assertEquals(0, told.count());
            ends.poller().setInterest(pair.socket(), READ);
            ends.tellUntilTold(told);
        }
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void onceIsToldOnceForEachTimeItIsAskedFor(Network network) throws Exception {
        try (var ends = new ConnectedSockets(network)) {
            Pair pair = ends.pair();
            pair.client().send("abc".getBytes());
            ends.poller().add(pair.socket(), READ | ONCE, told);
            for (int i = 0; i < 5; i++) {
                ends.tellUntilTold(told);
                ends.tellBriefly();
                assertEquals(1, told.count());
                told.operations();
                ends.poller().setInterest(pair.socket(), READ | ONCE);
            }
        }
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void afterOnceInterestMayBeForGood(Network network) throws Exception {
        try (var ends = new ConnectedSockets(network)) {
            Pair pair = ends.pair();
            pair.client().send("abc".getBytes());
            ends.poller().add(pair.socket(), READ | ONCE, told);
            ends.tellUntilTold(told);
            ends.poller().setInterest(pair.socket(), READ);
            for (int i = 0; i < 3; i++) {
                told.operations();
                ends.tellUntilTold(told);
            }
        }
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void roomIsToldWhenItIsAskedFor(Network network) throws Exception {
        try (var ends = new ConnectedSockets(network)) {
            Pair pair = ends.pair();
            ends.poller().add(pair.socket(), WRITE, told);
            ends.tellUntilTold(told);
            assertEquals(WRITE, told.operations());
            ends.poller().setInterest(pair.socket(), READ | WRITE);
            pair.client().send("abc".getBytes());
            int all = 0;
            while (all != (READ | WRITE)) {
                ends.tellUntilTold(told);
                all |= told.operations();
            }
        }
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void roomIsNotToldWhileThereIsNone(Network network) throws Exception {
        try (var ends = new ConnectedSockets(network)) {
            Pair pair = ends.pair(4096);
            fill(pair.socket());
            ends.poller().add(pair.socket(), WRITE, told);
            ends.tellBriefly();
            assertEquals(0, told.count());
            while (told.count() == 0) {
                assertTrue(pair.client().bytes(100_000).length > 0);
                ends.tellBriefly();
            }
            assertEquals(WRITE, told.operations());
        }
    }

    private static void fill(Socket socket) throws IOException {
        var buffer = new IoBuffer(100_000);
        while (socket.write(buffer) > 0) {
            buffer.bytes().clear();
        }
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void theEndOfTheStreamIsToldAsInput(Network network) throws Exception {
        try (var ends = new ConnectedSockets(network)) {
            Pair pair = ends.pair();
            ends.poller().add(pair.socket(), READ, told);
            pair.client().halfClose();
            ends.tellUntilTold(told);
            assertEquals(READ, told.operations() & READ);
            assertEquals(-1, pair.socket().read(new IoBuffer(10)));
        }
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void aResetIsToldWhateverTheInterestIs(Network network) throws Exception {
        for (int interest : new int[] {READ, WRITE | ONCE, READ | ONCE}) {
            try (var ends = new ConnectedSockets(network)) {
                Pair pair = ends.pair(4096);
                fill(pair.socket());
                var watch = new Told();
                ends.poller().add(pair.socket(), interest, watch);
                pair.client().reset();
                ends.tellUntilTold(watch);
                assertEquals(interest & ~ONCE, watch.operations() & interest & ~ONCE);
            }
        }
    }

    /// Without interest it may be told or not, but not again and again.
    @ParameterizedTest
    @MethodSource(BOTH)
    void aResetWithoutInterestDoesNotSpin(Network network) throws Exception {
        try (var ends = new ConnectedSockets(network)) {
            Pair pair = ends.pair();
            ends.poller().add(pair.socket(), READ, told);
            ends.poller().setInterest(pair.socket(), NONE);
            pair.client().reset();
            for (int i = 0; i < 5; i++) {
                ends.tellBriefly();
            }
            assertTrue(told.count() <= 1, "told " + told.count() + " times");
        }
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void whatIsClosedIsToldNothing(Network network) throws Exception {
        try (var ends = new ConnectedSockets(network)) {
            Pair pair = ends.pair();
            pair.client().send("abc".getBytes());
            ends.poller().add(pair.socket(), READ, told);
            ends.tellUntilTold(told);
            told.operations();
            pair.socket().close();
            ends.poller().remove(pair.socket());
            ends.poller().setInterest(pair.socket(), READ);
            ends.tellBriefly();
            assertEquals(0, told.count());
        }
    }

    /// The kernel gives a descriptor's number to the next who comes.
    @ParameterizedTest
    @MethodSource(BOTH)
    void whatWasFetchedForOneIsNotToldToTheNextOfItsDescriptor(Network network) throws Exception {
        try (var ends = new ConnectedSockets(network)) {
            Pair first = ends.pair();
            ends.poller().add(first.socket(), READ, told);
            RawClient waiting = ends.client();
            waiting.send(new byte[1]);
            first.client().send("abc".getBytes());
            fetchUntilReady(ends.poller());
            first.socket().close();
            Socket second = ends.accept();
            second.read(new IoBuffer(1));
            var next = new Told();
            ends.poller().add(second, READ, next);
            while (ends.poller().hasNext()) {
                ends.poller().dispatchNext();
            }
            assertEquals(0, next.count());
        }
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void removingOneLeavesTheNextOfItsDescriptor(Network network) throws Exception {
        try (var ends = new ConnectedSockets(network)) {
            Pair first = ends.pair();
            ends.poller().add(first.socket(), READ, told);
            RawClient waiting = ends.client();
            waiting.send(new byte[1]);
            first.socket().close();
            Socket second = ends.accept();
            var next = new Told();
            ends.poller().add(second, READ, next);
            ends.poller().setInterest(first.socket(), NONE);
            ends.poller().remove(first.socket());
            ends.tellUntilTold(next);
            assertEquals(0, told.count());
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
    void moreThanOneFetchHoldsAreAllTold(Network network) throws Exception {
        try (var ends = new ConnectedSockets(network)) {
            int count = 300;
            var watches = new Told[count];
            for (int i = 0; i < count; i++) {
                Pair pair = ends.pair();
                watches[i] = new Told();
                ends.poller().add(pair.socket(), READ | ONCE, watches[i]);
                pair.client().send(new byte[1]);
            }
            for (Told watch : watches) {
                ends.tellUntilTold(watch);
            }
            ends.tellBriefly();
            for (Told watch : watches) {
                assertEquals(1, watch.count());
            }
        }
    }
}
