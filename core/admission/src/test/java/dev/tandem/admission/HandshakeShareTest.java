package dev.tandem.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
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

    private final Queue<HandshakeLane> workers = new ArrayDeque<>();
    private final List<String> log = new ArrayList<>();
    private long now;
    private long threadTime;
    private boolean areRequestsQueued;

    /// Whether the processor has nothing else to do.
    private boolean isIdle;
    private long firstRequests;
    private long laterRequests;
    private final HandshakeAdmission admission = new HandshakeAdmission(1);

    private record Task(HandshakeShareTest test, boolean isResuming) implements HandshakeTask {
        @Override
        public boolean isDisconnected() {
            return false;
        }

        @Override
        public void run() {
            test.now += COST;
            test.threadTime += COST;
            test.log.add(isResuming ? "resumed" : "full");
            test.admission.learn(new HandshakeResult(FROM, isResuming, isResuming, COST), test.now);
        }

        @Override
        public void reject(Decision.Reject rejection) {
            test.log.add("rejected");
        }

        @Override
        public void close() {
            test.log.add("closed");
        }
    }

    private void enqueue(int count, boolean isResuming) {
        for (int i = 0; i < count; i++) {
            if (admission.isLoadDue(now)) {
                admission.reportLoad(
                        new RequestLoad(
                                threadTime, firstRequests, laterRequests, areRequestsQueued),
                        now);
            }
            var task = new Task(this, isResuming);
            HandshakeLane lane =
                    admission.enqueue(new HandshakePermit(task, FROM, isResuming), false, now);
            if (lane != null) {
                workers.add(lane);
            }
        }
    }

    /// Runs the workers in turn, as threads do.
    private void work() {
        for (HandshakeLane lane = workers.poll(); lane != null; lane = workers.poll()) {
            if (!isDone(lane)) {
                workers.add(lane);
            }
        }
    }

    private boolean isDone(HandshakeLane lane) {
        for (int i = 0; i < 32; i++) {
            switch (admission.next(lane, isIdle, now)) {
                case HandshakeStep.Pause(long nanos) -> now += nanos;
                case HandshakeStep.Run(HandshakePermit permit, boolean _) -> {
                    permit.task().run();
                    permit.processorTime(COST);
                    admission.completed(lane, permit, now);
                }
                case HandshakeStep.Done _ -> {
                    return true;
                }
            }
        }
        return false;
    }

    /// Handshakes for three seconds, while requests use a part of the processor.
    private void settle(double requestLoad) {
        settle(requestLoad, 0);
    }

    /// @param firstPart the part of requests that are the first on their connections
    private void settle(double requestLoad, double firstPart) {
        for (int i = 0; i < 30; i++) {
            firstRequests += Math.round(100 * firstPart);
            laterRequests += Math.round(100 * (1 - firstPart));
            long before = now;
            enqueue(1, false);
            work();
            now += BEAT - (now - before);
            threadTime += (long) (BEAT * requestLoad);
        }
        enqueue(1, false);
        work();
        log.clear();
    }

    /// Returns the nanoseconds for each of some handshakes that all wait.
    private double interval(int count) {
        enqueue(count, false);
        long before = now;
        work();
        return (double) (now - before) / count;
    }

    @Test
    void idleServerGivesHandshakesAllProcessors() {
        settle(0);
        assertEquals(COST, interval(60), 0.02 * COST);
    }

    @Test
    void handshakesPauseLongerTheBusierRequestsAre() {
        double before = 0;
        for (double requestLoad : new double[] {0.2, 0.4, 0.6}) {
            settle(requestLoad);
            double share = admission.counters(now).share();
            assertEquals(1 - HandshakeBudget.REQUESTS_WEIGHT * requestLoad, share, 0.02);
            double interval = interval(60);
            assertTrue(interval > 1.1 * before, requestLoad + ": " + interval);
            assertEquals(COST / share, interval, 0.05 * interval);
            before = interval;
        }
    }

    @Test
    void handshakesDoNotPauseWhileTheProcessorIsIdle() {
        settle(0.6);
        assertEquals(
                1 - HandshakeBudget.REQUESTS_WEIGHT * 0.6, admission.counters(now).share(), 0.02);
        isIdle = true;
        assertEquals(COST, interval(60), 0.02 * COST);
    }

    /// What was done while the processor was idle is charged, but keeps no later handshake from its
    /// least share.
    @Test
    void leastShareIsKeptAfterAnIdleTime() {
        settle(0.6);
        isIdle = true;
        interval(600);
        isIdle = false;
        assertTrue(interval(10) <= 1.1 * COST / HandshakeBudget.SHARE_MIN);
    }

    /// What new connections bring grows with the handshakes that are done: handshakes do not wait
    /// for it.
    @Test
    void firstRequestsOfConnectionsDoNotHoldHandshakesBack() {
        settle(0.4, 1);
        assertEquals(COST, interval(60), 0.02 * COST);
    }

    @Test
    void laterRequestsHoldHandshakesBackByTheirPart() {
        settle(0.4, 0.5);
        double share = admission.counters(now).share();
        assertEquals(1 - HandshakeBudget.REQUESTS_WEIGHT * 0.2, share, 0.02);
    }

    /// A second without a request after one of later requests: the load is of a long one.
    @Test
    void loadWithoutNewRequestsIsThatOfTheLastOnes() {
        settle(0.4, 0);
        for (int i = 0; i < 10; i++) {
            now += BEAT;
            threadTime += (long) (0.4 * BEAT);
            enqueue(1, false);
            work();
        }
        double share = admission.counters(now).share();
        assertEquals(1 - HandshakeBudget.REQUESTS_WEIGHT * 0.4, share, 0.03);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void leastShareIsKeptHoweverBusyRequestsAre(boolean areRequestsQueued) {
        this.areRequestsQueued = areRequestsQueued;
        settle(areRequestsQueued ? 0.5 : 1);
        assertEquals(HandshakeBudget.SHARE_MIN, admission.counters(now).share(), 0.001);
        assertEquals(COST / HandshakeBudget.SHARE_MIN, interval(60), 0.5 * COST);
    }

    @Test
    void resumedHandshakesGoFirstAndBothKeepToTheShare() {
        settle(0.4);
        enqueue(60, true);
        enqueue(60, false);
        long before = now;
        work();
        double share = admission.counters(now).share();
        double took = now - before;
        assertTrue(took > 0.9 * 120 * COST / Math.max(share, 0.5), "took " + took);
        assertTrue(log.lastIndexOf("resumed") < log.lastIndexOf("full"), log.toString());
        assertTrue(
                log.indexOf("full") < log.lastIndexOf("resumed"),
                "no full handshake ran meanwhile");
    }
}
