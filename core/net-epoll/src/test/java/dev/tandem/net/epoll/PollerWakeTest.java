package dev.tandem.net.epoll;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.net.Network;
import dev.tandem.net.Poller;
import dev.tandem.net.epoll.ConnectedSockets.Pair;
import dev.tandem.net.epoll.ConnectedSockets.Told;
import dev.tandem.testkit.Patience;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What every [Poller] promises to threads other than the one that waits in it.
class PollerWakeTest {
    private static final String BOTH = "dev.tandem.net.epoll.Networks#networks";
    private static final int READ = Poller.READ;
    private static final int NONE = Poller.NONE;

    private final Told told = new Told();

    @ParameterizedTest
    @MethodSource(BOTH)
    void interestThatAnotherThreadSetsIsHeededAtOnce(Network network) throws Exception {
        try (var ends = new ConnectedSockets(network)) {
            Pair pair = ends.pair();
            pair.client().send("abc".getBytes());
            ends.poller().add(pair.socket(), NONE, told);
            Thread fetcher = fetching(ends.poller());
            ends.poller().setInterest(pair.socket(), READ);
            join(fetcher);
            ends.tellUntilTold(told);
        }
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void whatAnotherThreadAddsIsHeededAtOnce(Network network) throws Exception {
        try (var ends = new ConnectedSockets(network)) {
            Pair pair = ends.pair();
            pair.client().send("abc".getBytes());
            Thread fetcher = fetching(ends.poller());
            ends.poller().add(pair.socket(), READ, told);
            join(fetcher);
            ends.tellUntilTold(told);
        }
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void wakingEndsAWait(Network network) throws Exception {
        try (var ends = new ConnectedSockets(network)) {
            Thread fetcher = fetching(ends.poller());
            ends.poller().wakeup();
            join(fetcher);
        }
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void wakingBeforeAWaitEndsItAndNoFurtherOne(Network network) throws Exception {
        try (var ends = new ConnectedSockets(network)) {
            for (int i = 0; i < 5; i++) {
                ends.poller().wakeup();
                ends.poller().wakeup();
                ends.poller().poll(-1);
                assertFalse(tellAll(ends.poller()));
                long begin = System.nanoTime();
                ends.poller().poll(TimeUnit.MILLISECONDS.toNanos(5));
                assertTrue(System.nanoTime() - begin >= 4_000_000, "did not wait");
            }
        }
    }

    /// Whether anything but the wake-up was there: it is told to nobody.
    private boolean tellAll(Poller poller) {
        int before = told.count();
        while (poller.hasNext()) {
            poller.dispatchNext();
        }
        return told.count() > before;
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void wakingAfterTheEndDoesNothing(Network network) throws Exception {
        var ends = new ConnectedSockets(network);
        ends.close();
        ends.poller().wakeup();
        ends.poller().close();
    }

    private static Thread fetching(Poller poller) {
        Thread fetcher =
                Thread.ofPlatform()
                        .daemon()
                        .start(
                                () -> {
                                    try {
                                        poller.poll(-1);
                                    } catch (IOException e) {
                                        throw new java.io.UncheckedIOException(e);
                                    }
                                });
        Patience.until(
                "the thread waits or is in the kernel",
                () -> {
                    StackTraceElement[] stack = fetcher.getStackTrace();
                    return stack.length > 0 && !stack[0].getClassName().contains("Thread");
                });
        return fetcher;
    }

    private static void join(Thread fetcher) throws InterruptedException {
        fetcher.join(20_000);
        assertFalse(fetcher.isAlive(), "still waits");
    }
}
