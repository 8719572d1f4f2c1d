package dev.tandem.server;

import dev.tandem.net.NanoClock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// Two lanes, one for clients that claim to resume and one for all others. In each a few run at
/// once, on workers, and others wait.
///
/// How much of the processors they use together is bounded by a [HandshakeBudget]: what visitors
/// inside leave. A worker that has used up what there is pauses before the next handshake; so
/// between two of them there is always time for requests. At most half of the processors do full
/// handshakes at once. Who has begun goes on at once: the work done for it would else be lost.
/// False claimants lose the fast lane for a while ([Doubts]).
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

    /// The same where the lane has not been empty for that long, so that more come than can be
    /// served, and until nobody has waited for so long for another 5 s; 1 s. As the newest goes
    /// first, who has waited for so long then would wait in vain.
    static final long STANDING_NANOS = 1_000_000_000L;

    /// Whoever has waited for a millisecond may have gone meanwhile, and is asked before key work.
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /// How many handshakes a worker does before others get their turn.
    private static final int TURNS = 32;

    /// How long a worker pauses at once, at most: 20 ms. Then it looks again, since what there is
    /// to use may have changed.
    private static final long PAUSE_MAX = TimeUnit.MILLISECONDS.toNanos(20);

    /// What lanes need of the world.
    ///
    /// @param workers run what they are given, soon
    /// @param pause lets the calling thread rest for some nanoseconds
    /// @param inside tells how busy the server is
    record Means(Executor workers, NanoClock clock, LongConsumer pause, InsideLoad inside) {}

    private final Means means;
    private final HandshakeBudget budget;
    private final Doubts doubts = new Doubts();
    private final Lane resumed;
    private final Lane full;
    private boolean isStopped;

    /// @param processors how many there are to share, at least 1
    HandshakeLanes(Means means, int processors) {
        this.means = means;
        this.budget = new HandshakeBudget(processors);
        this.resumed = new Lane(processors, budget.resumed(), means.clock.nanos());
        this.full = new Lane(Math.max(1, processors / 2), budget.full(), means.clock.nanos());
    }

    private record Waiting(Turn turn, long since) {}

    /// Guarded by the outer object.
    private static final class Lane {
        private final int most;
        private final HandshakeBudget.Kind kind;
        private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();

        /// When nobody waited last.
        private long emptyAt;

        /// When somebody was refused last since more came than were served.
        private long crowdedAt;

        /// How many workers see to it.
        private int workers;

        private int running;
        private long admitted;
        private long tooMany;
        private long tooLate;
        private long left;

        Lane(int most, HandshakeBudget.Kind kind, long now) {
            this.most = most;
            this.kind = kind;
            this.emptyAt = now;
            this.crowdedAt = now - WAIT_NANOS;
        }

        boolean isCrowded(long now) {
            return now - emptyAt > WAIT_NANOS || now - crowdedAt < WAIT_NANOS;
        }

        Handshakes.Lane counts() {
            var price = new Handshakes.Price(kind.price(), kind.count(), kind.spent());
            return new Handshakes.Lane(
                    most, running, waiting.size(), admitted, tooMany, tooLate, left, price);
        }
    }

    /// What a worker is to do next.
    ///
    /// @param begun to be run; null if there is none
    /// @param pause how long to pause, in nanoseconds, if there is none; 0: there is nothing to do
    /// @param late to be refused
    private record Next(@Nullable Begun begun, long pause, List<Turn> late) {}

    /// @param paid what it has paid in advance
    /// @param hasWaited whether for so long that its client may have gone
    private record Begun(Turn turn, long paid, boolean hasWaited) {}

    @Override
    public void ask(Turn turn) {
        if (turn.hasBegun()) {
            means.workers.execute(() -> goOn(turn));
            return;
        }
        Lane lane;
        Turn refused;
        boolean isWorkerNeeded = false;
        synchronized (this) {
            long now = means.clock.nanos();
            means.inside.look(budget, now);
            boolean isBelieved = turn.claimsToResume() && !doubts.has(turn.from(), now);
            lane = isBelieved ? resumed : full;
            refused = isStopped ? turn : queue(lane, new Waiting(turn, now));
            if (!isStopped && lane.workers < lane.most) {
                lane.workers++;
                isWorkerNeeded = true;
            }
        }
        if (isWorkerNeeded) {
            means.workers.execute(() -> work(lane));
        }
        if (refused != null) {
            refused.refuse();
        }
    }

    /// What was begun is paid for by those who come after it.
    private void goOn(Turn turn) {
        boolean isClaimed = turn.claimsToResume();
        long cost = turn.run();
        synchronized (this) {
            HandshakeBudget.Kind kind = isClaimed ? budget.resumed() : budget.full();
            kind.worked(means.clock.nanos(), cost);
        }
    }

    /// @return whom there is no room for
    private static @Nullable Turn queue(Lane lane, Waiting newest) {
        if (lane.waiting.isEmpty()) {
            lane.emptyAt = newest.since();
        }
        lane.waiting.addLast(newest);
        if (lane.waiting.size() <= WAITING_MAX) {
            return null;
        }
        lane.tooMany++;
        return lane.waiting.removeFirst().turn();
    }

    /// A worker's: runs turns of a lane as long as there are some.
    private void work(Lane lane) {
        for (int i = 0; i < TURNS; i++) {
            Next next = next(lane);
            next.late.forEach(Turn::refuse);
            if (next.begun != null) {
                run(lane, next.begun);
            } else if (next.pause > 0) {
                means.pause.accept(next.pause);
            } else {
                return;
            }
        }
        means.workers.execute(() -> work(lane));
    }

    private void run(Lane lane, Begun begun) {
        Turn turn = begun.turn;
        long cost = begun.paid;
        boolean hasLeft = false;
        try {
            hasLeft = begun.hasWaited && turn.hasLeft();
            if (hasLeft) {
                cost = 0;
                turn.refuse();
            } else {
                cost = turn.run();
            }
        } finally {
            ended(lane, begun, cost, hasLeft);
        }
    }

    private synchronized void ended(Lane lane, Begun begun, long cost, boolean hasLeft) {
        lane.running--;
        lane.admitted += hasLeft ? 0 : 1;
        lane.left += hasLeft ? 1 : 0;
        lane.kind.worked(means.clock.nanos(), begun.paid, cost);
    }

    private synchronized Next next(Lane lane) {
        List<Turn> late = lane.waiting.isEmpty() ? List.of() : late(lane);
        Waiting newest = lane.waiting.peekLast();
        if (newest == null) {
            lane.workers--;
            return new Next(null, 0, late);
        }
        long now = means.clock.nanos();
        long pause = lane.kind.waitAt(now);
        if (pause > 0) {
            return new Next(null, Math.min(pause, PAUSE_MAX), late);
        }
        lane.waiting.removeLast();
        long price = lane.kind.price();
        lane.kind.begins(now);
        lane.running++;
        boolean hasWaited = now - newest.since() >= LOOK_NANOS;
        return new Next(new Begun(newest.turn(), price, hasWaited), 0, late);
    }

    private List<Turn> late(Lane lane) {
        long now = means.clock.nanos();
        boolean isCrowded = lane.isCrowded(now);
        long before = now - (isCrowded ? STANDING_NANOS : WAIT_NANOS);
        var late = new ArrayList<Turn>();
        Waiting oldest = lane.waiting.peekFirst();
        while (oldest != null && oldest.since() - before < 0) {
            late.add(lane.waiting.removeFirst().turn());
            oldest = lane.waiting.peekFirst();
        }
        lane.tooLate += late.size();
        if (isCrowded && !late.isEmpty()) {
            lane.crowdedAt = now;
        }
        return late;
    }

    @Override
    public synchronized void learn(Past past) {
        (past.isResumed() ? budget.resumed() : budget.full()).learn(past.cpuNanos());
        if (past.isClaimed()) {
            doubts.claimed(past.from(), past.isResumed(), means.clock.nanos());
        }
    }

    @Override
    public synchronized Handshakes counts() {
        int doubted = doubts.count(means.clock.nanos());
        return new Handshakes(resumed.counts(), full.counts(), doubted, budget.share());
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
