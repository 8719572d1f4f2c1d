package dev.tandem.net.epoll;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.net.Network;
import dev.tandem.net.Poller;
import dev.tandem.net.epoll.ConnectedSockets.Pair;
import dev.tandem.net.epoll.ConnectedSockets.RecordingListener;
import dev.tandem.testkit.Patience;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The contract of every [Poller] with threads other than the one that waits in it.
class PollerWakeTest {
    private static final String BOTH = "dev.tandem.net.epoll.Networks#networks";
    private static final int READ = Poller.READ;
    private static final int NONE = Poller.NONE;

    private final RecordingListener recorder = new RecordingListener();

    @ParameterizedTest
    @MethodSource(BOTH)
    void interestSetByOtherThreadTakesEffect(Network network) throws Exception {
        try (var ends = new ConnectedSockets(network)) {
            Pair pair = ends.pair();
            pair.client().send("abc".getBytes());
            ends.poller().add(pair.socket(), NONE, recorder);
            Thread fetcher = fetching(ends.poller());
            ends.poller().setInterest(pair.socket(), READ);
            join(fetcher);
            ends.dispatchUntilNotified(recorder);
        }
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void socketAddedByOtherThreadIsWatched(Network network) throws Exception {
        try (var ends = new ConnectedSockets(network)) {
            Pair pair = ends.pair();
            pair.client().send("abc".getBytes());
            Thread fetcher = fetching(ends.poller());
            ends.poller().add(pair.socket(), READ, recorder);
            join(fetcher);
            ends.dispatchUntilNotified(recorder);
        }
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void wakeupEndsWait(Network network) throws Exception {
        try (var ends = new ConnectedSockets(network)) {
            Thread fetcher = fetching(ends.poller());
            ends.poller().wakeup();
            join(fetcher);
        }
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void earlierWakeupEndsOneWait(Network network) throws Exception {
        try (var ends = new ConnectedSockets(network)) {
            for (int i = 0; i < 5; i++) {
                ends.poller().wakeup();
                ends.poller().wakeup();
                ends.poller().poll(-1);
                assertFalse(pollAll(ends.poller()));
                long begin = System.nanoTime();
                ends.poller().poll(TimeUnit.MILLISECONDS.toNanos(5));
                assertTrue(System.nanoTime() - begin >= 4_000_000, "did not wait");
            }
        }
    }

    /// Returns whether an event other than the wake-up was dispatched; wake-ups are not reported.
    private boolean pollAll(Poller poller) {
        int before = recorder.count();
        while (poller.hasNext()) {
            poller.dispatchNext();
        }
        return recorder.count() > before;
    }

    @ParameterizedTest
    @MethodSource(BOTH)
    void wakeupAfterCloseHasNoEffect(Network network) throws Exception {
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
