package dev.tandem.upstream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Health and limits of one upstream, by a clock of the test.
class UpstreamTest {
    /// Near the maximum of a long: the clock's origin is arbitrary, and its value may overflow.
    private static final long START = Long.MAX_VALUE - 10;

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private static final long ONE = 1;

    private final Upstream upstream =
            new Upstream(
                    Address.of("localhost:1"),
                    UpstreamOptions.DEFAULT
                            .withConnectionsMax(2)
                            .withFailuresMax(3)
                            .withDownTime(Duration.ofSeconds(10)));

    private void fail(int times) {
        for (int i = 0; i < times; i++) {
            upstream.recordFailure(START);
        }
    }

    @Test
    void upstreamIsDownAfterConsecutiveFailures() {
        fail(2);
        assertTrue(upstream.isUp(START));
        fail(1);
        assertFalse(upstream.isUp(START));
    }

    @Test
    void successBetweenFailuresResetsTheirCount() {
        fail(2);
        upstream.recordSuccess();
        fail(2);
        assertTrue(upstream.isUp(START));
    }

    @Test
    void upstreamIsTriedAgainAfterItsDownTime() {
        fail(3);
        assertFalse(upstream.isUp(START + 10 * SECOND - 1));
        assertTrue(upstream.isUp(START + 10 * SECOND));
    }

    @Test
    void failureAfterTheDownTimeStartsItAgain() {
        fail(3);
        upstream.recordFailure(START + 11 * SECOND);
        assertFalse(upstream.isUp(START + 20 * SECOND));
        assertTrue(upstream.isUp(START + 21 * SECOND));
    }

    @Test
    void failedHealthCheckExcludesTheUpstreamUntilOneSucceeds() {
        upstream.recordHealthCheck(false);
        assertFalse(upstream.isUp(START + 100 * SECOND));
        upstream.recordSuccess();
        assertFalse(upstream.isUp(START), "a successful request does not replace a check");
        upstream.recordHealthCheck(true);
        assertTrue(upstream.isUp(START));
    }

    @Test
    void successfulHealthCheckEndsTheDownTime() {
        fail(3);
        upstream.recordHealthCheck(true);
        assertTrue(upstream.isUp(START));
    }

    @Test
    void connectionsAreLimited() {
        assertTrue(upstream.tryAcquire(ONE));
        assertTrue(upstream.tryAcquire(ONE));
        assertFalse(upstream.tryAcquire(ONE));
        assertEquals(2, upstream.inUse());
        upstream.release(ONE);
        assertTrue(upstream.tryAcquire(ONE));
    }

    private static Upstream of(int connectionsMax) {
        return new Upstream(
                Address.of("localhost:1"),
                UpstreamOptions.DEFAULT.withConnectionsMax(connectionsMax));
    }

    private static int acquireAll(Upstream upstream, long client) {
        int count = 0;
        while (upstream.tryAcquire(client)) {
            count++;
        }
        return count;
    }

    @Test
    void oneClientLeavesAnEighthToOthers() {
        Upstream large = of(256);
        assertEquals(224, acquireAll(large, ONE));
        assertEquals(28, acquireAll(large, 2), "seven eighths of what is left");
        for (int client = 3; client < 7; client++) {
            assertTrue(large.tryAcquire(client), "client " + client);
        }
        assertFalse(large.tryAcquire(7), "all are in use");
        assertEquals(6, large.clients());
    }

    @Test
    void clientsThatTakeTurnsHaveEqualShares() {
        Upstream large = of(256);
        for (int turn = 0; turn < 256; turn++) {
            large.tryAcquire(turn % 4);
        }
        assertEquals(248, large.inUse(), "four of 62 each, since 62 is 7 * 8 or more");
    }

    @Test
    void clientBeyondItsShareGetsWhatIsReleased() {
        Upstream large = of(256);
        acquireAll(large, ONE);
        assertEquals(Integer.MAX_VALUE, large.loadFor(ONE));
        large.release(ONE);
        assertEquals(223, large.loadFor(ONE));
        assertTrue(large.tryAcquire(ONE));
        assertFalse(large.tryAcquire(ONE));
    }

    @Test
    void clientsWithoutConnectionsAreForgotten() {
        assertTrue(upstream.tryAcquire(ONE));
        upstream.release(ONE);
        assertEquals(0, upstream.clients());
        assertEquals(0, upstream.inUse());
    }
}
