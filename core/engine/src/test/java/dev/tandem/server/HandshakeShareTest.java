package dev.tandem.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.FakeClock;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// How much of one processor handshakes use, in virtual time. Each costs a millisecond.
class HandshakeShareTest {
    private static final long COST = 1_000_000;
    private static final long BEAT = 100_000_000;
    private static final InetAddress FROM = InetAddress.ofLiteral("192.0.2.1");

    private final Queue<Runnable> workers = new ArrayDeque<>();
    private final FakeClock clock = new FakeClock(0);
    private final List<String> log = new ArrayList<>();
    private long threadTime;
    private boolean isPressed;
    private final HandshakeLanes lanes = new HandshakeLanes(means(), 1);

    private HandshakeLanes.Means means() {
        var inside = new InsideLoad(() -> threadTime, () -> isPressed, 1);
        return new HandshakeLanes.Means(workers::add, clock::nanos, this::pass, inside);
    }

    private void pass(long nanos) {
        clock.advance(Duration.ofNanos(nanos));
    }

    private record Turn(HandshakeShareTest test, boolean claimsToResume)
            implements HandshakeTurns.Turn {
        @Override
        public boolean hasBegun() {
            return false;
        }

        @Override
        public InetAddress from() {
            return FROM;
        }

        @Override
        public boolean hasLeft() {
            return false;
        }

        @Override
        public long run() {
            test.pass(COST);
            test.threadTime += COST;
            test.log.add(claimsToResume ? "back" : "new");
            test.lanes.learn(new HandshakeTurns.Past(FROM, claimsToResume, claimsToResume, COST));
            return COST;
        }

        @Override
        public void refuse() {
            test.log.add("refused");
        }
    }

    private void ask(int count, boolean isResuming) {
        for (int i = 0; i < count; i++) {
            lanes.ask(new Turn(this, isResuming));
        }
    }

    private void work() {
        for (Runnable task = workers.poll(); task != null; task = workers.poll()) {
            task.run();
        }
    }

    /// Handshakes for three seconds, while requests use a part of the processor.
    private void settle(double inside) {
        for (int i = 0; i < 30; i++) {
            long before = clock.nanos();
            ask(1, false);
            work();
            pass(BEAT - (clock.nanos() - before));
            threadTime += (long) (BEAT * inside);
        }
        ask(1, false);
        work();
        log.clear();
    }

    /// How long handshakes take that all wait, in nanoseconds each.
    private double interval(int count) {
        ask(count, false);
        long before = clock.nanos();
        work();
        return (double) (clock.nanos() - before) / count;
    }

    @Test
    void withNobodyInsideTheyMayUseAllThereIs() {
        settle(0);
        assertEquals(COST, interval(60), 0.02 * COST);
    }

    @Test
    void theBusierItIsInsideTheLongerTheyPause() {
        double before = 0;
        for (double inside : new double[] {0.2, 0.4, 0.6}) {
            settle(inside);
            double share = lanes.counts().share();
            assertEquals(1 - HandshakeBudget.INSIDE_WEIGHT * inside, share, 0.02);
            double interval = interval(60);
            assertTrue(interval > 1.1 * before, inside + ": " + interval);
            assertEquals(COST / share, interval, 0.05 * interval);
            before = interval;
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void someAreLetInHoweverBusyItIs(boolean isPressed) {
        this.isPressed = isPressed;
        settle(isPressed ? 0.5 : 1);
        assertEquals(HandshakeBudget.SHARE_MIN, lanes.counts().share(), 0.001);
        assertEquals(COST / HandshakeBudget.SHARE_MIN, interval(60), 0.5 * COST);
    }

    @Test
    void whoComesBackGoesBeforeNewcomersAndBothKeepToTheShare() {
        settle(0.4);
        ask(60, true);
        ask(60, false);
        long before = clock.nanos();
        work();
        double share = lanes.counts().share();
        double took = clock.nanos() - before;
        assertTrue(took > 0.9 * 120 * COST / Math.max(share, 0.5), "took " + took);
        assertTrue(log.lastIndexOf("back") < log.lastIndexOf("new"), log.toString());
        assertTrue(log.indexOf("new") < log.lastIndexOf("back"), "nobody new was let in meanwhile");
    }
}
