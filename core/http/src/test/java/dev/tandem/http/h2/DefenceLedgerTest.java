package dev.tandem.http.h2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.http.h2.DefenceLedger.Cost;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Clients that are never closed, and attacks that are. Time is virtual.
class DefenceLedgerTest {
    private static final long MICROSECOND = 1_000;
    private static final long MILLISECOND = 1_000_000;
    private static final long SECOND = 1_000_000_000;

    /// The origin of [System#nanoTime()] is arbitrary, and it may overflow.
    private long now = Long.MAX_VALUE - 5 * SECOND;

    private final DefenceLedger ledger = new DefenceLedger(now);

    // ---- Clients.

    /// A page of 300 small assets is loaded from one connection, with two priorities for each.
    @Test
    void pageOfManySmallAssetsIsServed() {
        start();
        for (int i = 0; i < 50; i++) {
            for (int asset = 0; asset < 300; asset++) {
                ledger.charge(Cost.PRIORITY, now);
                ledger.charge(Cost.PRIORITY, now);
            }
            for (int asset = 0; asset < 300; asset++) {
                respond(2_000);
            }
            assertServed();
        }
    }

    /// The user follows a link three times before anything is loaded.
    @Test
    void pageThatIsLeftSeveralTimesIsServed() {
        start();
        for (int i = 0; i < 3; i++) {
            for (int asset = 0; asset < 300; asset++) {
                ledger.charge(Cost.RESET_RUNNING, now);
            }
            now += 100 * MILLISECOND;
            assertServed();
        }
    }

    /// The user reloads a page every second, for an hour, when half of it is loaded.
    @Test
    void pageThatIsReloadedAllTheTimeIsServed() {
        start();
        for (int i = 0; i < 3_600; i++) {
            for (int asset = 0; asset < 150; asset++) {
                respond(2_000);
                ledger.charge(Cost.RESET_RUNNING, now);
            }
            now += SECOND;
            assertServed();
        }
    }

    /// One of 16 connections, each with 512 streams: those above the limit of 100 are refused and
    /// repeated, all the time.
    @Test
    void bulkClientIsServed() {
        start();
        for (int refused = 0; refused < 412; refused++) {
            ledger.charge(Cost.STREAM_REFUSED, now);
        }
        for (int i = 0; i < 200_000; i++) {
            ledger.charge(Cost.STREAM_REFUSED, now);
            ledger.charge(Cost.WINDOW_UPDATE, now);
            ledger.charge(Cost.WINDOW_UPDATE, now);
            respond(300);
            now += 50 * MICROSECOND;
            assertServed();
        }
    }

    /// It cancels every second request, because another server was faster.
    @Test
    void hedgingClientIsServed() {
        start();
        for (int i = 0; i < 200_000; i++) {
            ledger.charge(Cost.RESET_RUNNING, now);
            respond(300);
            now += 10 * MICROSECOND;
            assertServed();
        }
    }

    @Test
    void bulkClientThatGivesUpIsServed() {
        for (int stream = 0; stream < 512; stream++) {
            ledger.charge(Cost.RESET_RUNNING, now);
        }
        for (int stream = 0; stream < 512; stream++) {
            ledger.charge(Cost.RESET_QUEUED, now);
        }
        assertServed();
    }

    /// gRPC: a stream for days, small messages, and a PING for 64 KiB to measure the bandwidth.
    @Test
    void streamOfSmallMessagesIsServed() {
        start();
        for (int i = 0; i < 1_000_000; i++) {
            ledger.creditReceived(100);
            ledger.creditSent(100, false, now);
            ledger.charge(Cost.WINDOW_UPDATE, now);
            ledger.charge(Cost.WINDOW_UPDATE, now);
            if (i % 327 == 0) {
                ledger.charge(Cost.PING, now);
                ledger.charge(Cost.ACKNOWLEDGEMENT, now);
            }
            now += MICROSECOND;
            assertServed();
        }
    }

    /// grpc-go: a PING for each message that it receives, however small.
    @Test
    void streamWhoseClientMeasuresEachMessageIsServed() {
        start();
        for (int i = 0; i < 1_000_000; i++) {
            ledger.creditReceived(10);
            ledger.creditSent(10, false, now);
            ledger.charge(Cost.PING, now);
            ledger.charge(Cost.WINDOW_UPDATE, now);
            ledger.charge(Cost.WINDOW_UPDATE, now);
            now += MICROSECOND;
            assertServed();
        }
    }

    @Test
    void uploadIsServed() {
        start();
        for (int i = 0; i < 1_000_000; i++) {
            ledger.creditReceived(16_384);
            if (i % 4 == 0) {
                ledger.charge(Cost.PING, now);
            }
            assertServed();
        }
    }

    /// A window of 16 KiB, opened again after each frame.
    @Test
    void downloadWithASmallWindowIsServed() {
        start();
        for (int i = 0; i < 100_000; i++) {
            ledger.creditSent(16_384, true, now);
            ledger.charge(Cost.WINDOW_UPDATE, now);
            ledger.charge(Cost.WINDOW_UPDATE, now);
            assertServed();
        }
    }

    @Test
    void pausedVideosAreServed() {
        for (int second = 0; second < 86_400; second++) {
            ledger.chargeStalled(50, SECOND, now);
            now += SECOND;
            assertServed();
        }
    }

    @Test
    void clientThatDoesNotReadForAMinuteIsServed() {
        for (int interval : new int[] {1, 10, 60}) {
            var other = new DefenceLedger(now);
            for (int seconds = 0; seconds < 60; seconds += interval) {
                now += interval * SECOND;
                other.chargeStalled(512, interval * SECOND, now);
                assertFalse(other.isExhausted());
            }
        }
    }

    private void start() {
        ledger.charge(Cost.SETTINGS, now);
        ledger.charge(Cost.ACKNOWLEDGEMENT, now);
        ledger.charge(Cost.WINDOW_UPDATE, now);
    }

    private void respond(int length) {
        ledger.creditSent(length, false, now);
        ledger.creditStream();
    }

    private void assertServed() {
        if (ledger.isExhausted()) {
            assertFalse(ledger.isExhausted(), "by " + ledger.largest());
        }
    }

    // ---- Attacks.

    /// As many as one can send in a second, which is more than 100,000.
    @ParameterizedTest
    @CsvSource({
        "RESET_RUNNING, 1100", // rapid reset
        "RESET_QUEUED, 6000",
        "RESET_SENT, 1100", // MadeYouReset
        "STREAM_REFUSED, 6000",
        "HEADERS_TOO_LARGE, 600",
        "CONTINUATION, 6000",
        "CONTINUATION_EMPTY, 600",
        "DATA_EMPTY, 2100",
        "FRAME_IGNORED, 12000",
        "SETTINGS, 1100",
        "ACKNOWLEDGEMENT, 6000",
        "PING, 6000",
        "PRIORITY, 12000",
        "WINDOW_UPDATE, 25000",
        "UNKNOWN_FRAME, 12000"
    })
    void floodIsClosed(Cost cost, int framesMax) {
        int frames = framesUntilClosed(_ -> ledger.charge(cost, now), 10 * MICROSECOND);
        assertTrue(frames <= framesMax, "after " + frames);
        assertEquals(cost, ledger.largest());
        assertEquals((long) frames * cost.units(), ledger.charged(cost));
    }

    /// An attacker that keeps to the refill's rate does the server no harm.
    @ParameterizedTest
    @EnumSource(value = Cost.class, names = "STALL", mode = EnumSource.Mode.EXCLUDE)
    void slowCostsAreServed(Cost cost) {
        long interval = SECOND / (DefenceLedger.REFILL_PER_SECOND / cost.units());
        for (int i = 0; i < 100_000; i++) {
            ledger.charge(cost, now);
            now += interval;
            assertServed();
        }
    }

    @Test
    void resetsBetweenSomeResponsesAreClosed() {
        int frames =
                framesUntilClosed(
                        i -> {
                            if (i % 10 == 0) {
                                respond(100);
                            } else {
                                ledger.charge(Cost.RESET_RUNNING, now);
                            }
                        },
                        10 * MICROSECOND);
        assertTrue(frames < 1_500, "after " + frames);
    }

    /// Windows of one byte: each response costs many small frames.
    @Test
    void drippingWindowIsClosed() {
        int frames =
                framesUntilClosed(
                        _ -> {
                            ledger.charge(Cost.WINDOW_UPDATE, now);
                            ledger.creditSent(1, true, now);
                        },
                        100 * MICROSECOND);
        assertTrue(frames < 5_000, "after " + frames);
    }

    /// Large responses are requested on all streams, and no window is opened.
    @Test
    void stalledStreamsAreClosed() {
        int seconds =
                framesUntilClosed(
                        _ -> {
                            ledger.chargeStalled(100, SECOND, now);
                            now += SECOND;
                        },
                        0);
        assertTrue(seconds > 60 && seconds < 120, "after " + seconds);
        assertEquals(Cost.STALL, ledger.largest());
    }

    @Test
    void balanceIsLimited() {
        for (int i = 0; i < 1_000; i++) {
            respond(1_000_000);
        }
        now += 3_600 * SECOND;
        ledger.charge(Cost.PING, now);
        ledger.charge(Cost.PING, now);
        assertEquals(DefenceLedger.ALLOWANCE - Cost.PING.units(), ledger.balance());
        assertEquals(0, ledger.charged(Cost.SETTINGS));
    }

    @Test
    void timeRefillsTheBalance() {
        for (int i = 0; i < 500; i++) {
            ledger.charge(Cost.RESET_RUNNING, now);
        }
        assertEquals(50_000, ledger.balance());
        now += SECOND;
        ledger.charge(Cost.PING, now);
        assertEquals(50_000 + DefenceLedger.REFILL_PER_SECOND - 20, ledger.balance());
    }

    @Test
    void timeThatGoesBackIsIgnored() {
        ledger.charge(Cost.PING, now);
        ledger.charge(Cost.PING, now - SECOND);
        assertEquals(DefenceLedger.ALLOWANCE - 40, ledger.balance());
    }

    private int framesUntilClosed(Consumer<Integer> step, long interval) {
        for (int i = 1; i < 1_000_000; i++) {
            step.accept(i);
            now += interval;
            if (ledger.isExhausted()) {
                return i;
            }
        }
        return Integer.MAX_VALUE;
    }
}
