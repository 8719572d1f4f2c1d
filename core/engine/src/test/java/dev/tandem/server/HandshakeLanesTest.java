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

/// On four processors: two full handshakes at once, four that claim to resume. Workers run when the
/// test says so, and a pause is the clock's.
class HandshakeLanesTest {
    private final Queue<Runnable> workers = new ArrayDeque<>();
    private final FakeClock clock = new FakeClock(0);
    private final HandshakeLanes lanes =
            new HandshakeLanes(
                    new HandshakeLanes.Means(workers::add, clock::nanos, this::pause, inside()), 4);
    private final List<String> log = new ArrayList<>();
    private int looks;

    private InsideLoad inside() {
        return new InsideLoad(() -> 0, () -> false, 4);
    }

    private void pause(long nanos) {
        clock.advance(Duration.ofNanos(nanos));
    }

    private final class Turn implements HandshakeTurns.Turn {
        private final String name;
        private final boolean isClaimed;
        private final boolean hasBegun;
        private final String from;

        Turn(String name, boolean isClaimed, boolean hasBegun, String from) {
            this.name = name;
            this.isClaimed = isClaimed;
            this.hasBegun = hasBegun;
            this.from = from;
        }

        @Override
        public boolean claimsToResume() {
            return isClaimed;
        }

        @Override
        public boolean hasBegun() {
            return hasBegun;
        }

        @Override
        public InetAddress from() {
            return InetAddress.ofLiteral(from);
        }

        @Override
        public boolean hasLeft() {
            looks++;
            return name.startsWith("gone");
        }

        @Override
        public long run() {
            log.add(name);
            return 0;
        }

        @Override
        public void refuse() {
            log.add("no " + name);
        }
    }

    private void full(String name) {
        lanes.ask(new Turn(name, false, false, "192.0.2.1"));
    }

    private void claiming(String name, String from) {
        lanes.ask(new Turn(name, true, false, from));
    }

    private void was(InetAddress from, boolean isResumed, long cpuNanos) {
        lanes.learn(new HandshakeTurns.Past(from, true, isResumed, cpuNanos));
    }

    private void work() {
        for (Runnable task = workers.poll(); task != null; task = workers.poll()) {
            task.run();
        }
    }

    @Test
    void twoWorkersDoFullHandshakesAndTheNewestIsNext() {
        for (String name : List.of("a", "b", "c", "d")) {
            full(name);
        }
        assertEquals(2, workers.size());
        assertEquals(4, lanes.counts().full().waiting());
        work();
        assertEquals(List.of("d", "c", "b", "a"), log);
        assertEquals(0, lanes.counts().full().running());
        assertEquals(4, lanes.counts().full().admitted());
    }

    @Test
    void whoClaimsToResumeDoesNotWaitForTheOthers() {
        for (String name : List.of("a", "b", "c")) {
            full(name);
        }
        claiming("back", "192.0.2.2");
        assertEquals(3, workers.size());
        assertEquals(1, lanes.counts().resumed().waiting());
        work();
        assertEquals(1, lanes.counts().resumed().admitted());
        assertEquals(3, lanes.counts().full().admitted());
    }

    @Test
    void whoHasBegunGoesOnWhateverWaits() {
        for (String name : List.of("a", "b", "c")) {
            full(name);
        }
        lanes.ask(new Turn("begun", false, true, "192.0.2.1"));
        assertEquals(3, workers.size());
    }

    @Test
    void whoWaitsForTooLongIsRefused() {
        for (String name : List.of("late", "b", "c")) {
            if (name.equals("b")) {
                clock.advance(Duration.ofNanos(HandshakeLanes.WAIT_NANOS + 1));
            }
            full(name);
        }
        work();
        assertEquals(List.of("no late", "c", "b"), log);
        assertEquals(1, lanes.counts().full().tooLate());
    }

    /// More come than are served: who has waited for a second hears at once that it is in vain,
    /// until nobody has waited for so long for some time.
    @Test
    void whereALaneIsNeverEmptyNobodyWaitsForLong() {
        full("first");
        for (int i = 0; i < 12; i++) {
            clock.advance(Duration.ofNanos(HandshakeLanes.STANDING_NANOS / 2));
            full("at " + i);
        }
        work();
        long done = log.stream().filter(line -> !line.startsWith("no ")).count();
        assertEquals(3, done, log.toString());
        log.clear();
        afterOneAndAHalf("in the crowd");
        afterOneAndAHalf("still");
        clock.advance(Duration.ofNanos(HandshakeLanes.WAIT_NANOS));
        afterOneAndAHalf("later");
        assertEquals(List.of("no in the crowd", "no still", "later"), log);
    }

    private void afterOneAndAHalf(String name) {
        full(name);
        clock.advance(Duration.ofNanos(3 * HandshakeLanes.STANDING_NANOS / 2));
        work();
    }

    @Test
    void whoHasLeftMeanwhileIsNotBegun() {
        for (String name : List.of("a", "gone 1", "b", "gone 2")) {
            full(name);
        }
        clock.advance(Duration.ofMillis(1));
        work();
        assertEquals(List.of("no gone 2", "b", "no gone 1", "a"), log);
        assertEquals(2, lanes.counts().full().left());
        assertEquals(2, lanes.counts().full().admitted());
        assertEquals(0, lanes.counts().full().running());
    }

    @Test
    void whoHasNotWaitedIsNotAsked() {
        full("a");
        work();
        assertEquals(List.of("a"), log);
        assertEquals(0, looks);
    }

    @Test
    void theOldestIsRefusedWhereTooManyWait() {
        full("oldest");
        for (int i = 0; i < HandshakeLanes.WAITING_MAX; i++) {
            full("x");
        }
        assertEquals(List.of("no oldest"), log);
        assertEquals(1, lanes.counts().full().tooMany());
        assertEquals(HandshakeLanes.WAITING_MAX, lanes.counts().full().waiting());
    }

    @Test
    void aWorkerLetsOthersHaveTheirTurn() {
        for (int i = 0; i < 100; i++) {
            full("x");
        }
        Runnable first = workers.remove();
        first.run();
        assertTrue(log.size() < 100, "ran " + log.size());
        assertEquals(2, workers.size());
        work();
        assertEquals(100, log.size());
    }

    @Test
    void falseClaimantsAreNotBelievedForAWhile() throws Exception {
        InetAddress liar = InetAddress.ofLiteral("192.0.2.9");
        for (int i = 0; i < Doubts.FALSE_MAX; i++) {
            was(liar, false, 1000);
        }
        assertEquals(1, lanes.counts().doubted());
        claiming("liar", "192.0.2.9");
        claiming("other", "192.0.2.8");
        assertEquals(1, lanes.counts().full().waiting());
        assertEquals(1, lanes.counts().resumed().waiting());
        work();
        clock.advance(Duration.ofNanos(Doubts.NANOS));
        claiming("liar again", "192.0.2.9");
        assertEquals(1, lanes.counts().resumed().waiting());
        assertEquals(0, lanes.counts().doubted());
    }

    @Test
    void aTrueClaimEndsTheDoubtAndAnIpv6NetworkCountsAsOne() {
        for (int i = 0; i < Doubts.FALSE_MAX; i++) {
            was(InetAddress.ofLiteral("2001:db8::" + i), false, 1000);
        }
        assertEquals(1, lanes.counts().doubted());
        was(InetAddress.ofLiteral("2001:db8::77"), true, 1000);
        assertEquals(0, lanes.counts().doubted());
    }

    @Test
    void whenItStopsAllWhoWaitAndWhoComeAreRefused() {
        for (String name : List.of("a", "b", "c")) {
            full(name);
        }
        lanes.stop();
        full("d");
        work();
        assertEquals(List.of("no a", "no b", "no c", "no d"), log);
    }

    @Test
    void pricesAreLearned() {
        assertEquals(0, lanes.counts().full().price().count());
        InetAddress from = InetAddress.ofLiteral("192.0.2.1");
        for (int i = 0; i < 100; i++) {
            was(from, false, 900_000);
            was(from, true, 100_000);
        }
        assertEquals(900_000, lanes.counts().full().price().nanos(), 10);
        assertEquals(100_000, lanes.counts().resumed().price().nanos(), 10);
        assertEquals(90_000_000, lanes.counts().full().price().allNanos());
    }
}
