package dev.tandem.admission;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Decides which TLS handshake does its key work now: that costs many times what a request does,
/// and any client may ask for it. Pure: the engine's workers call it, and time is an argument.
///
/// There are two lanes, one for clients that claim to resume a session and one for all others. In
/// each a few handshakes run at once, and others wait. A [HandshakeBudget] bounds the processor
/// time of both together to what requests leave; a worker that has used it up pauses before the
/// next handshake, so between two of them there is always time for requests. At most half of the
/// processors do full handshakes at once. A handshake that has begun continues at once: the work
/// done for it would be lost. An address whose claims were false loses the fast lane for a while
/// ([ResumptionOffenders]).
///
/// Any thread may call any method. Tasks are called without the lock.
public final class HandshakeAdmission {
    /// The least share of all processors' time that full handshakes may use.
    public static final double SHARE_MIN = HandshakeBudget.SHARE_MIN;

    private final Object lock = new Object();
    private final ElapsedClock clock = new ElapsedClock();
    private final HandshakeBudget budget;
    private final HandshakeLoad load;
    private final ResumptionOffenders offenders = new ResumptionOffenders();
    private final HandshakeLane resumed;
    private final HandshakeLane full;
    private boolean isStopped;

    /// @param processors number of processors to share, at least 1
    public HandshakeAdmission(int processors) {
        budget = new HandshakeBudget(processors);
        load = new HandshakeLoad(budget, processors);
        resumed = new HandshakeLane(processors, budget.resumed());
        full = new HandshakeLane(Math.max(1, processors / 2), budget.full());
    }

    private long time(long now) {
        return resumed.isIdle() && full.isIdle() ? clock.atIdle(now) : clock.at(now);
    }

    /// Queues a handshake.
    ///
    /// @return the lane that needs one more worker, which calls [#next]; null if none does
    public @Nullable HandshakeLane enqueue(HandshakePermit permit, long now) {
        HandshakeLane lane;
        HandshakePermit tooMany;
        boolean isWorkerNeeded;
        synchronized (lock) {
            long time = time(now);
            boolean isBelieved =
                    permit.isResumptionClaimed() && !offenders.has(permit.from(), time);
            lane = isBelieved ? resumed : full;
            tooMany = isStopped ? null : lane.add(permit, time);
            isWorkerNeeded = !isStopped && lane.addWorker();
            if (!isStopped && tooMany == null) {
                return isWorkerNeeded ? lane : null;
            }
        }
        if (tooMany == null) {
            permit.task().close();
        } else {
            reject(lane, tooMany, Reason.QUEUE_FULL);
        }
        return isWorkerNeeded ? lane : null;
    }

    private void reject(HandshakeLane lane, HandshakePermit permit, Reason reason) {
        Decision.Reject rejection;
        synchronized (lock) {
            rejection = lane.reject(reason);
        }
        permit.task().reject(rejection);
    }

    /// Returns what a worker of a lane does next; after [HandshakeStep.Run] it calls [#completed]
    /// or [#abandoned].
    public HandshakeStep next(HandshakeLane lane, long now) {
        var expired = new ArrayList<HandshakePermit>(0);
        HandshakeStep step;
        synchronized (lock) {
            long time = time(now);
            lane.expire(time, expired);
            step = lane.next(time);
        }
        for (HandshakePermit permit : expired) {
            reject(lane, permit, Reason.EXPIRED);
        }
        return step;
    }

    /// A handshake's key work is done.
    public void completed(HandshakeLane lane, HandshakePermit permit, long now) {
        synchronized (lock) {
            lane.ended(permit, false, time(now));
        }
    }

    /// A handshake's key work was not begun, since its client had disconnected. Closes its task.
    public void abandoned(HandshakeLane lane, HandshakePermit permit, long now) {
        synchronized (lock) {
            lane.ended(permit, true, time(now));
        }
        permit.task().close();
    }

    /// Key work was done without waiting, for a handshake that had begun: those that follow pay.
    public void continued(HandshakePermit permit, long now) {
        synchronized (lock) {
            HandshakeBudget.Kind kind =
                    permit.isResumptionClaimed() ? budget.resumed() : budget.full();
            kind.worked(time(now), permit.cpuNanos());
        }
    }

    /// Learns whether the claim was true, and the price.
    public void learn(HandshakeResult result, long now) {
        synchronized (lock) {
            (result.isResumed() ? budget.resumed() : budget.full()).learn(result.cpuNanos());
            if (result.isResumptionClaimed()) {
                offenders.claimed(result.from(), result.isResumed(), time(now));
            }
        }
    }

    /// Returns whether [#load] is wanted before the next handshake is queued.
    public boolean isLoadDue(long now) {
        synchronized (lock) {
            return load.isDue(time(now));
        }
    }

    /// Adapts the budget to what requests use.
    ///
    /// @param threadTime processor time of loops and workers so far, in nanoseconds
    /// @param areRequestsQueued whether requests wait for a worker
    public void load(long threadTime, boolean areRequestsQueued, long now) {
        synchronized (lock) {
            load.measured(threadTime, areRequestsQueued, time(now));
        }
    }

    public HandshakeCounters counters(long now) {
        synchronized (lock) {
            int count = offenders.count(time(now));
            return new HandshakeCounters(
                    resumed.counters(), full.counters(), count, budget.share());
        }
    }

    /// Closes all that wait, and from now on all that are queued.
    public void stop() {
        List<HandshakePermit> left = new ArrayList<>();
        synchronized (lock) {
            isStopped = true;
            resumed.drain(left);
            full.drain(left);
        }
        left.forEach(permit -> permit.task().close());
    }
}
