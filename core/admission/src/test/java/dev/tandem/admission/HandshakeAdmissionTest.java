package dev.tandem.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// On four processors: two full handshakes at once, four that claim to resume. Workers run when the
/// test calls them, and a pause is virtual time.
class HandshakeAdmissionTest {
    private static final long STEP = TimeUnit.MILLISECONDS.toNanos(500);

    private final Queue<HandshakeLane> workers = new ArrayDeque<>();
    private final HandshakeAdmission admission = new HandshakeAdmission(4);
    private final List<String> log = new ArrayList<>();
    private long now;
    private int checks;

    /// Time passes in steps: while handshakes wait, a jump counts as one second at most.
    private void pass(long nanos) {
        for (long left = nanos; left > 0; left -= STEP) {
            now += Math.min(left, STEP);
            counters();
        }
    }

    private HandshakeCounters counters() {
        return admission.counters(now);
    }

    private final class Task implements HandshakeTask {
        private final String name;

        Task(String name) {
            this.name = name;
        }

        @Override
        public boolean isDisconnected() {
            checks++;
            return name.startsWith("disconnected");
        }

        @Override
        public void run() {
            log.add(name);
        }

        @Override
        public void reject(Decision.Reject rejection) {
            if (name.startsWith("failing")) {
                throw new OutOfMemoryError("on purpose");
            }
            log.add("no " + name);
        }

        @Override
        public void close() {
            if (name.startsWith("failing")) {
                throw new OutOfMemoryError("on purpose");
            }
            log.add("closed " + name);
        }
    }

    private HandshakePermit permit(String name, boolean isClaimed, String from) {
        return new HandshakePermit(new Task(name), InetAddress.ofLiteral(from), isClaimed);
    }

    private void enqueue(String name, boolean isClaimed, String from) {
        HandshakeLane lane = admission.enqueue(permit(name, isClaimed, from), false, now);
        if (lane != null) {
            workers.add(lane);
        }
    }

    private void full(String name) {
        enqueue(name, false, "192.0.2.1");
    }

    private void claiming(String name, String from) {
        enqueue(name, true, from);
    }

    private void learn(InetAddress from, boolean isResumed, long cpuNanos) {
        admission.learn(new HandshakeResult(from, true, isResumed, cpuNanos), now);
    }

    private void work() {
        for (HandshakeLane lane = workers.poll(); lane != null; lane = workers.poll()) {
            work(lane);
        }
    }

    private void work(HandshakeLane lane) {
        while (true) {
            switch (admission.next(lane, false, now)) {
                case HandshakeStep.Pause(long nanos) -> pass(nanos);
                case HandshakeStep.Done _ -> {
                    return;
                }
                case HandshakeStep.Run(HandshakePermit permit, boolean isCheckDue) -> {
                    if (isCheckDue && permit.task().isDisconnected()) {
                        admission.cancelled(lane, permit, now);
                    } else {
                        permit.task().run();
                        admission.completed(lane, permit, now);
                    }
                }
            }
        }
    }

    @Test
    void shortQueueOfFullHandshakesIsRunByTwoWorkersOldestFirst() {
        for (String name : List.of("a", "b", "c", "d")) {
            full(name);
        }
        assertEquals(2, workers.size());
        assertEquals(4, counters().full().waiting());
        work();
        assertEquals(List.of("a", "b", "c", "d"), log);
        assertEquals(0, counters().full().running());
        assertEquals(4, counters().full().admitted());
    }

    /// At 100 ms each, on four processors: of six, the first waits for longer than a short queue
    /// takes.
    @Test
    void newestIsFirstWhereQueueIsLong() {
        for (int i = 0; i < 10; i++) {
            learn(InetAddress.ofLiteral("192.0.2.7"), false, TimeUnit.MILLISECONDS.toNanos(100));
        }
        for (String name : List.of("a", "b", "c", "d", "e", "f")) {
            full(name);
        }
        work();
        assertEquals(List.of("f", "e", "a", "b", "c", "d"), log);
    }

    @Test
    void claimToResumeDoesNotWaitForFullHandshakes() {
        for (String name : List.of("a", "b", "c")) {
            full(name);
        }
        claiming("resuming", "192.0.2.2");
        assertEquals(3, workers.size());
        assertEquals(1, counters().resumed().waiting());
        work();
        assertEquals(1, counters().resumed().admitted());
        assertEquals(3, counters().full().admitted());
    }

    @Test
    void handshakeThatWaitsForTooLongIsRejected() {
        for (String name : List.of("late", "b", "c")) {
            if (name.equals("b")) {
                pass(HandshakeLane.WAIT_NANOS + 1);
            }
            full(name);
        }
        work();
        assertEquals(List.of("no late", "b", "c"), log);
        assertEquals(1, counters().full().expired());
    }

    /// More arrive than are done: a handshake that has waited for a second is rejected, until none
    /// has waited for so long for some time.
    @Test
    void waitIsShortInLaneThatIsNeverEmpty() {
        full("first");
        for (int i = 0; i < 12; i++) {
            pass(HandshakeLane.STANDING_NANOS / 2);
            full("at " + i);
        }
        work();
        long done = log.stream().filter(line -> !line.startsWith("no ")).count();
        assertEquals(3, done, log.toString());
        log.clear();
        afterOneAndAHalf("during overload");
        afterOneAndAHalf("after overload");
        pass(HandshakeLane.WAIT_NANOS);
        afterOneAndAHalf("later");
        assertEquals(List.of("no during overload", "no after overload", "later"), log);
    }

    private void afterOneAndAHalf(String name) {
        full(name);
        pass(3 * HandshakeLane.STANDING_NANOS / 2);
        work();
    }

    @Test
    void handshakeOfDisconnectedClientIsNotBegun() {
        for (String name : List.of("a", "disconnected 1", "b", "disconnected 2")) {
            full(name);
        }
        pass(1_000_000);
        work();
        assertEquals(List.of("a", "closed disconnected 1", "b", "closed disconnected 2"), log);
        assertEquals(2, counters().full().disconnected());
        assertEquals(2, counters().full().admitted());
        assertEquals(0, counters().full().running());
    }

    @Test
    void connectionIsNotCheckedWithoutWaiting() {
        full("a");
        work();
        assertEquals(List.of("a"), log);
        assertEquals(0, checks);
    }

    @Test
    void oldestIsRejectedWhenTooManyWait() {
        full("oldest");
        for (int i = 0; i < HandshakeLane.WAITING_MAX; i++) {
            full("x");
        }
        assertEquals(List.of("no oldest"), log);
        assertEquals(1, counters().full().queueFull());
        assertEquals(HandshakeLane.WAITING_MAX, counters().full().waiting());
    }

    @Test
    void rejectionThatFailsBeginsNoHandshake() {
        full("failing");
        pass(HandshakeLane.WAIT_NANOS + 1);
        full("a");
        HandshakeLane lane = workers.remove();
        assertThrows(OutOfMemoryError.class, () -> admission.next(lane, false, now));
        assertEquals(0, counters().full().running());
        work(lane);
        assertEquals(List.of("a"), log);
    }

    /// They are in no queue any more: none would ever end them.
    @Test
    void rejectionThatFailsKeepsNoOthersFromTheirs() {
        for (String name : List.of("failing", "x", "y")) {
            full(name);
        }
        pass(HandshakeLane.WAIT_NANOS + 1);
        HandshakeLane lane = workers.remove();
        assertThrows(OutOfMemoryError.class, () -> admission.next(lane, false, now));
        assertEquals(List.of("no x", "no y"), log);
        assertEquals(3, counters().full().expired());
        assertEquals(0, counters().full().waiting());
    }

    @Test
    void rejectionThatFailsCountsNoWorker() {
        full("failing");
        full("x");
        HandshakeLane lane = workers.remove();
        for (int i = 2; i < HandshakeLane.WAITING_MAX; i++) {
            full("x");
        }
        admission.workerLost(lane);
        assertThrows(OutOfMemoryError.class, () -> full("y"));
        assertEquals(1, workers.size());
        assertEquals(HandshakeLane.WAITING_MAX - 1, counters().full().waiting(), "y waits");
        full("z");
        assertEquals(2, workers.size(), "the lane asks for the lost one");
    }

    @Test
    void onlyHandshakeThatWaitsIsWithdrawn() {
        HandshakePermit first = permit("a", false, "192.0.2.1");
        HandshakePermit second = permit("b", false, "192.0.2.1");
        HandshakeLane lane = Objects.requireNonNull(admission.enqueue(first, false, now));
        admission.enqueue(second, false, now);
        admission.next(lane, false, now);
        assertFalse(admission.withdraw(lane, first), "it has begun");
        assertTrue(admission.withdraw(lane, second));
        assertFalse(admission.withdraw(lane, second));
        assertEquals(0, counters().full().waiting());
        assertEquals(1, counters().full().running());
    }

    @Test
    void lostWorkerIsReplaced() {
        full("a");
        full("b");
        HandshakeLane lane = workers.remove();
        workers.remove();
        full("c");
        assertTrue(workers.isEmpty(), "it has its workers");
        admission.workerLost(lane);
        full("d");
        work();
        assertEquals(List.of("a", "b", "c", "d"), log);
    }

    @Test
    void addressWithFalseClaimsIsNotBelievedForAMinute() throws Exception {
        InetAddress offender = InetAddress.ofLiteral("192.0.2.9");
        for (int i = 0; i < ResumptionOffenders.FALSE_MAX; i++) {
            learn(offender, false, 1000);
        }
        assertEquals(1, counters().offenders());
        claiming("offender", "192.0.2.9");
        claiming("other", "192.0.2.8");
        assertEquals(1, counters().full().waiting());
        assertEquals(1, counters().resumed().waiting());
        work();
        pass(ResumptionOffenders.NANOS);
        claiming("offender again", "192.0.2.9");
        assertEquals(1, counters().resumed().waiting());
        assertEquals(0, counters().offenders());
    }

    @Test
    void trueClaimClearsItsIpv6Network() {
        for (int i = 0; i < ResumptionOffenders.FALSE_MAX; i++) {
            learn(InetAddress.ofLiteral("2001:db8::" + i), false, 1000);
        }
        assertEquals(1, counters().offenders());
        learn(InetAddress.ofLiteral("2001:db8::77"), true, 1000);
        assertEquals(0, counters().offenders());
    }

    /// A request that comes meanwhile waits for it.
    @Test
    void onlyShortKeyWorkIsForThreadsOfLoops() {
        var lane =
                Objects.requireNonNull(
                        admission.enqueue(permit("a", false, "192.0.2.1"), true, now));
        assertTrue(admission.isShort(lane), "as long as nothing is known");
        InetAddress from = InetAddress.ofLiteral("192.0.2.1");
        for (int i = 0; i < 100; i++) {
            learn(from, false, HandshakeLane.LOOP_NANOS + 1_000);
        }
        assertFalse(admission.isShort(lane));
        for (int i = 0; i < 100; i++) {
            learn(from, false, HandshakeLane.LOOP_NANOS / 2);
        }
        assertTrue(admission.isShort(lane));
    }

    @Test
    void allLoopsDoFullHandshakesButOnlyHalfAsManyWorkers() {
        for (boolean isOnLoop : new boolean[] {false, true}) {
            var tested = new HandshakeAdmission(4);
            int needed = 0;
            for (int i = 0; i < 10; i++) {
                boolean isNeeded =
                        tested.enqueue(permit("x", false, "192.0.2.1"), isOnLoop, now) != null;
                needed += isNeeded ? 1 : 0;
            }
            assertEquals(isOnLoop ? 4 : 2, needed);
        }
    }

    @Test
    void stopClosesQueuedAndLaterHandshakes() {
        for (String name : List.of("a", "b", "c")) {
            full(name);
        }
        admission.stop();
        full("d");
        work();
        assertEquals(List.of("closed a", "closed b", "closed c", "closed d"), log);
    }

    @Test
    void handshakeThatFailsToCloseKeepsNoOthersOpen() {
        for (String name : List.of("failing", "a")) {
            full(name);
        }
        claiming("b", "192.0.2.2");
        assertThrows(OutOfMemoryError.class, admission::stop);
        assertEquals(List.of("closed b", "closed a"), log);
    }

    @Test
    void costsAreLearned() {
        assertEquals(0, counters().full().cost().count());
        InetAddress from = InetAddress.ofLiteral("192.0.2.1");
        for (int i = 0; i < 100; i++) {
            learn(from, false, 900_000);
            learn(from, true, 100_000);
        }
        assertEquals(900_000, counters().full().cost().nanos(), 10);
        assertEquals(100_000, counters().resumed().cost().nanos(), 10);
        assertEquals(90_000_000, counters().full().cost().totalNanos());
    }
}
