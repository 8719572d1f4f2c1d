package dev.tandem.server;

import dev.tandem.net.NanoClock;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// Two lanes, one for clients that claim to resume and one for all others. In each a few run at
/// once, on workers, and others wait.
///
/// The full lane has half of the processors, so that a storm of newcomers leaves the other half to
/// those inside; the resumed lane has all, since its clients are visitors who come back. Who has
/// begun goes on at once: the work done for it would else be lost. False claimants lose the fast
/// lane for a while ([Doubts]).
///
/// The newest goes first. While fewer come than can be served hardly anybody waits, and the order
/// does not matter. When more come, first come first served has everybody wait, and spends key work
/// on those who give up meanwhile: docs/decisions/0011-handshake-turns.md has the numbers.
final class HandshakeLanes implements HandshakeTurns {
    /// How many wait in a lane at most; 1,024: what one processor does in half a second. Beyond it
    /// the oldest is refused.
    static final int WAITING_MAX = 1024;

    /// How long one waits at most; 5 s, half of what a handshake may take in all.
    static final long WAIT_NANOS = 5_000_000_000L;

    /// How many handshakes a worker does before others get their turn.
    private static final int TURNS = 32;

    private final Executor workers;
    private final NanoClock clock;
    private final Doubts doubts = new Doubts();
    private final Lane resumed;
    private final Lane full;
    private boolean isStopped;

    /// @param processors how many there are to share, at least 1
    HandshakeLanes(Executor workers, NanoClock clock, int processors) {
        this.workers = workers;
        this.clock = clock;
        this.resumed = new Lane(processors);
        this.full = new Lane(Math.max(1, processors / 2));
    }

    private record Waiting(Turn turn, long since) {}

    /// Guarded by the outer object.
    private static final class Lane {
        private final int most;
        private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
        private int running;
        private long admitted;
        private long tooMany;
        private long tooLate;

        Lane(int most) {
            this.most = most;
        }

        Handshakes.Lane counts() {
            return new Handshakes.Lane(most, running, waiting.size(), admitted, tooMany, tooLate);
        }
    }

    @Override
    public void ask(Turn turn) {
        if (turn.hasBegun()) {
            workers.execute(turn::run);
            return;
        }
        Lane lane;
        Turn refused = null;
        boolean isNow;
        synchronized (this) {
            long now = clock.nanos();
            boolean isBelieved = turn.claimsToResume() && !doubts.has(turn.from(), now);
            lane = isBelieved ? resumed : full;
            isNow = !isStopped && lane.running < lane.most;
            if (isNow) {
                lane.running++;
                lane.admitted++;
            } else {
                refused = isStopped ? turn : queue(lane, new Waiting(turn, now));
            }
        }
        if (isNow) {
            workers.execute(() -> work(lane, turn));
        }
        if (refused != null) {
            refused.refuse();
        }
    }

    /// @return whom there is no room for
    private static @Nullable Turn queue(Lane lane, Waiting newest) {
        lane.waiting.addLast(newest);
        if (lane.waiting.size() <= WAITING_MAX) {
            return null;
        }
        lane.tooMany++;
        return lane.waiting.removeFirst().turn();
    }

    /// A worker's: runs a turn, and those that come after it.
    private void work(Lane lane, Turn first) {
        Turn turn = first;
        for (int i = 0; i < TURNS && turn != null; i++) {
            try {
                turn.run();
            } finally {
                turn = next(lane);
            }
        }
        if (turn != null) {
            Turn later = turn;
            workers.execute(() -> work(lane, later));
        }
    }

    /// The next of a lane whose last has run; null if none waits.
    private @Nullable Turn next(Lane lane) {
        List<Turn> late = List.of();
        Turn next = null;
        synchronized (this) {
            if (!lane.waiting.isEmpty()) {
                late = late(lane);
            }
            Waiting newest = lane.waiting.pollLast();
            if (newest == null) {
                lane.running--;
            } else {
                lane.admitted++;
                next = newest.turn();
            }
        }
        late.forEach(Turn::refuse);
        return next;
    }

    private List<Turn> late(Lane lane) {
        long before = clock.nanos() - WAIT_NANOS;
        var late = new ArrayList<Turn>();
        Waiting oldest = lane.waiting.peekFirst();
        while (oldest != null && oldest.since() - before < 0) {
            late.add(lane.waiting.removeFirst().turn());
            oldest = lane.waiting.peekFirst();
        }
        lane.tooLate += late.size();
        return late;
    }

    @Override
    public synchronized void claimed(InetAddress from, boolean isTrue) {
        doubts.claimed(from, isTrue, clock.nanos());
    }

    @Override
    public synchronized Handshakes counts() {
        return new Handshakes(resumed.counts(), full.counts(), doubts.count(clock.nanos()));
    }

    @Override
    public void stop() {
        var left = new ArrayList<Waiting>();
        synchronized (this) {
            isStopped = true;
            left.addAll(resumed.waiting);
            left.addAll(full.waiting);
            resumed.waiting.clear();
            full.waiting.clear();
        }
        left.forEach(waiting -> waiting.turn().refuse());
    }
}
