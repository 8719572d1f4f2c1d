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
/// test says so.
class HandshakeLanesTest {
    private final Queue<Runnable> workers = new ArrayDeque<>();
    private final FakeClock clock = new FakeClock(0);
    private final HandshakeLanes lanes = new HandshakeLanes(workers::add, clock::nanos, 4);
    private final List<String> log = new ArrayList<>();

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
        public void run() {
            log.add(name);
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

    private void work() {
        for (Runnable task = workers.poll(); task != null; task = workers.poll()) {
            task.run();
        }
    }

    @Test
    void twoFullHandshakesRunAtOnceAndTheNewestOfTheOthersIsNext() {
        for (String name : List.of("a", "b", "c", "d")) {
            full(name);
        }
        assertEquals(2, workers.size());
        assertEquals(2, lanes.counts().full().waiting());
        work();
        assertEquals(List.of("a", "d", "c", "b"), log);
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
        assertEquals(1, lanes.counts().resumed().running());
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
        for (String name : List.of("a", "b", "late", "c")) {
            if (name.equals("c")) {
                clock.advance(Duration.ofNanos(HandshakeLanes.WAIT_NANOS + 1));
            }
            full(name);
        }
        work();
        assertEquals(List.of("a", "no late", "c", "b"), log);
        assertEquals(1, lanes.counts().full().tooLate());
    }

    @Test
    void theOldestIsRefusedWhereTooManyWait() {
        full("a");
        full("b");
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
            lanes.claimed(liar, false);
        }
        assertEquals(1, lanes.counts().doubted());
        claiming("liar", "192.0.2.9");
        claiming("other", "192.0.2.8");
        assertEquals(1, lanes.counts().full().running());
        assertEquals(1, lanes.counts().resumed().running());
        clock.advance(Duration.ofNanos(Doubts.NANOS));
        claiming("liar again", "192.0.2.9");
        assertEquals(2, lanes.counts().resumed().running());
        assertEquals(0, lanes.counts().doubted());
    }

    @Test
    void aTrueClaimEndsTheDoubtAndAnIpv6NetworkCountsAsOne() {
        for (int i = 0; i < Doubts.FALSE_MAX; i++) {
            lanes.claimed(InetAddress.ofLiteral("2001:db8::" + i), false);
        }
        assertEquals(1, lanes.counts().doubted());
        lanes.claimed(InetAddress.ofLiteral("2001:db8::77"), true);
        assertEquals(0, lanes.counts().doubted());
    }

    @Test
    void whenItStopsAllWhoWaitAndWhoComeAreRefused() {
        for (String name : List.of("a", "b", "c")) {
            full(name);
        }
        lanes.stop();
        full("d");
        assertEquals(List.of("no c", "no d"), log);
        work();
        assertEquals(List.of("no c", "no d", "a", "b"), log);
    }
}
