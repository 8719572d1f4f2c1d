package dev.tandem.admission;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// One queue of handshakes: of clients that claim to resume, or of all others. First in, first out
/// while the queue is short. In a long one the newest is first: more arrive than can be done, so
/// first in, first out would make all wait, and do key work for clients that give up meanwhile
/// (docs/decisions/0011-handshake-order.md has the numbers). Guarded by the lock of its
/// [HandshakeAdmission].
public final class HandshakeLane {
    /// Longest queue: 1,024, what one processor does in half a second. Beyond it the oldest is
    /// rejected.
    static final int WAITING_MAX = Tuning.count("HandshakeLane.WAITING_MAX", 1024);

    /// Longest wait, 1 s, in a lane that was not empty for [#WAIT_NANOS], as more arrive than can
    /// be done; until none has waited for so long for another 5 s. As the newest is first, a
    /// handshake that has waited for 1 s would wait for ever.
    static final long STANDING_NANOS =
            Tuning.nanos("HandshakeLane.STANDING_NANOS", TimeUnit.SECONDS.toNanos(1));

    /// Longest wait otherwise: 5 s, half of what a handshake may take in total.
    static final long WAIT_NANOS = 5 * STANDING_NANOS;

    /// 1 ms: a client that waited for longer may have disconnected.
    private static final long CHECK_NANOS =
            Tuning.nanos("HandshakeLane.CHECK_NANOS", TimeUnit.MILLISECONDS.toNanos(1));

    /// Longest pause of a worker: 20 ms, since the budget changes each tick.
    private static final long PAUSE_MAX = ElapsedClock.TICK_NANOS / 5;

    /// A queue is short if it is done within 100 ms: no client gives up so soon.
    private static final long SHORT_NANOS = ElapsedClock.TICK_NANOS;

    /// 0.5 ms: the longest key work that the thread of a loop does, by its mean, since requests
    /// wait for it. Key work of RSA takes longer: in a storm of it, half of the requests would take
    /// 0.4 ms more.
    static final long LOOP_NANOS =
            Tuning.nanos("HandshakeLane.LOOP_NANOS", TimeUnit.MICROSECONDS.toNanos(500));

    private final int workersMax;
    private final int processors;
    private final HandshakeBudget.Kind kind;
    private final PermitQueue<HandshakePermit> waiting = new PermitQueue<>();
    private final Rejections rejections = new Rejections();
    private long emptyAt;

    /// Time of the last rejection while the queue stood.
    private long standingAt = -WAIT_NANOS;

    private int workers;
    private int running;
    private long admitted;
    private long disconnected;

    /// @param workersMax how many workers may run handshakes at once
    /// @param processors how many threads of loops may
    HandshakeLane(int workersMax, int processors, HandshakeBudget.Kind kind) {
        this.workersMax = workersMax;
        this.processors = processors;
        this.kind = kind;
    }

    boolean isIdle() {
        return waiting.isEmpty() && running == 0;
    }

    /// Queues a permit.
    ///
    /// @return the oldest, taken out, if too many wait
    @Nullable HandshakePermit add(HandshakePermit permit, long time) {
        permit.since = time;
        if (waiting.isEmpty()) {
            emptyAt = time;
        }
        waiting.add(permit);
        return waiting.size() > WAITING_MAX ? takeOldest() : null;
    }

    /// Takes a permit out that was queued here.
    ///
    /// @return false if it does not wait any more
    boolean withdraw(HandshakePermit permit) {
        boolean isWaiting = waiting.contains(permit);
        if (isWaiting) {
            waiting.remove(permit);
        }
        return isWaiting;
    }

    /// Returns whether one more worker is needed, and counts it.
    ///
    /// @param isOnLoop whether that would be the thread of a loop
    boolean addWorker(boolean isOnLoop) {
        boolean isNeeded = workers < (isOnLoop ? processors : workersMax);
        workers += isNeeded ? 1 : 0;
        return isNeeded;
    }

    /// A worker has ended otherwise than by an empty queue.
    void workerLost() {
        workers--;
    }

    /// Takes out the one that has waited for the longest time.
    @Nullable HandshakePermit takeOldest() {
        HandshakePermit oldest = waiting.first();
        if (oldest != null) {
            waiting.remove(oldest);
        }
        return oldest;
    }

    /// Takes out one that has waited for too long, if there is one.
    @Nullable HandshakePermit takeExpired(long time) {
        boolean isStanding = time - emptyAt > WAIT_NANOS || time - standingAt < WAIT_NANOS;
        if (waiting.oldestNanos(time) <= (isStanding ? STANDING_NANOS : WAIT_NANOS)) {
            return null;
        }
        standingAt = isStanding ? time : standingAt;
        return takeOldest();
    }

    boolean isShortWork() {
        return kind.meanCost() <= LOOP_NANOS;
    }

    HandshakeStep next(boolean isIdle, long time) {
        HandshakePermit next = isShort() ? waiting.first() : waiting.last();
        if (next == null) {
            workers--;
            return HandshakeStep.Done.DONE;
        }
        long pause = kind.waitAt(time);
        if (pause > 0 && !isIdle) {
            return new HandshakeStep.Pause(Math.min(pause, PAUSE_MAX));
        }
        var step = new HandshakeStep.Run(next, time - next.since >= CHECK_NANOS);
        waiting.remove(next); // nothing fails from here on, for lack of memory
        next.charged = kind.meanCost();
        kind.start(time);
        running++;
        return step;
    }

    private boolean isShort() {
        return kind.timeOf(waiting.size()) <= SHORT_NANOS;
    }

    /// Key work has ended, or was not started since the client had disconnected.
    void ended(HandshakePermit permit, boolean isDisconnected, long time) {
        running--;
        if (isDisconnected) {
            disconnected++;
        } else {
            admitted++;
        }
        kind.worked(time, permit.charged, isDisconnected ? 0 : permit.cpuNanos());
    }

    Decision.Reject reject(Reason reason) {
        return rejections.reject(reason, 1);
    }

    HandshakeCounters.Lane counters() {
        return new HandshakeCounters.Lane(
                workersMax,
                running,
                waiting.size(),
                admitted,
                rejections.counted(Reason.QUEUE_FULL),
                rejections.counted(Reason.EXPIRED),
                disconnected,
                new HandshakeCounters.Cost(kind.meanCost(), kind.count(), kind.totalCost()));
    }
}
