package dev.tandem.admission;

import org.jspecify.annotations.Nullable;

/// Decides which TLS handshake does its key work now: that costs many times what a request does,
/// and any client may cause it. Pure: the engine's workers call it, and time is an argument.
///
/// There are two lanes, one for clients that claim to resume a session and one for all others. In
/// each a few handshakes run at once, and others wait. A [HandshakeBudget] bounds the processor
/// time of both together to what requests do not use; a worker that has used it up pauses before
/// the next handshake, so between two of them there is always time for requests. The thread of a
/// loop that has nothing else to do need not keep to it. At most half of the processors do full
/// handshakes at once by workers, which compete with requests for them. A handshake that needs key
/// work a second time does not wait: the work done for it would be lost. Claims from an address
/// whose claims were false are not believed for a while ([ResumptionOffenders]).
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
        resumed = new HandshakeLane(processors, processors, budget.resumed());
        full = new HandshakeLane(Math.max(1, processors / 2), processors, budget.full());
    }

    private long time(long now) {
        return resumed.isIdle() && full.isIdle() ? clock.atIdle(now) : clock.at(now);
    }

    /// Queues a handshake. If this fails, it is not queued, and no worker is counted for it.
    ///
    /// @param isOnLoop whether the thread of a loop is one more worker
    /// @return the lane that needs one more worker, which calls [#next]; null if none does
    public @Nullable HandshakeLane enqueue(HandshakePermit permit, boolean isOnLoop, long now) {
        HandshakeLane lane;
        HandshakePermit oldest;
        synchronized (lock) {
            long time = time(now);
            boolean isBelieved =
                    permit.isResumptionClaimed() && !offenders.has(permit.from(), time);
            lane = isBelieved ? resumed : full;
            oldest = isStopped ? null : lane.add(permit, time);
            if (!isStopped && oldest == null) {
                return lane.addWorker(isOnLoop) ? lane : null;
            }
        }
        if (oldest == null) {
            permit.task().close();
            return null;
        }
        try {
            reject(lane, oldest, Reason.QUEUE_FULL);
        } catch (Throwable e) {
            if (withdraw(lane, permit)) {
                throw e;
            } // else it has begun or ended: its caller must not touch it for another's failure
        }
        synchronized (lock) {
            return lane.addWorker(isOnLoop) ? lane : null;
        }
    }

    /// Takes a handshake out that cannot be run, since no worker was started for its lane.
    ///
    /// @param lane the one that [#enqueue] has returned
    /// @return false if it does not wait any more: it has begun, or was rejected or closed
    public boolean withdraw(HandshakeLane lane, HandshakePermit permit) {
        synchronized (lock) {
            return lane.withdraw(permit);
        }
    }

    /// Notes that a worker of a lane has failed outside of its tasks, or was not started: the next
    /// handshake that is queued asks for another.
    public void workerLost(HandshakeLane lane) {
        synchronized (lock) {
            lane.workerLost();
        }
    }

    private void reject(HandshakeLane lane, HandshakePermit permit, Reason reason) {
        Decision.Reject rejection;
        synchronized (lock) {
            rejection = lane.reject(reason);
        }
        permit.task().reject(rejection);
    }

    /// Returns what a worker of a lane does next; after [HandshakeStep.Run] it calls [#completed]
    /// or [#cancelled]. If rejections of expired ones fail, the first failure is thrown after all
    /// of them.
    ///
    /// @param isIdle whether the calling thread's processor has nothing else to do: then the budget
    ///     does not bind
    public HandshakeStep next(HandshakeLane lane, boolean isIdle, long now) {
        rejectExpired(lane, now); // may fail, so nothing has begun yet
        synchronized (lock) {
            return lane.next(isIdle, time(now));
        }
    }

    // One is taken out after the other, without a list that would take memory, and a failure keeps
    // none from its end: it would be in no queue, and its connection would stay open for ever.

    private void rejectExpired(HandshakeLane lane, long now) {
        Throwable failure = null;
        for (var permit = expired(lane, now); permit != null; permit = expired(lane, now)) {
            try {
                reject(lane, permit, Reason.EXPIRED);
            } catch (Throwable e) {
                failure = failure == null ? e : failure;
            }
        }
        rethrow(failure);
    }

    private @Nullable HandshakePermit expired(HandshakeLane lane, long now) {
        synchronized (lock) {
            return lane.takeExpired(time(now));
        }
    }

    private static void rethrow(@Nullable Throwable failure) {
        if (failure instanceof Error e) {
            throw e;
        } else if (failure instanceof RuntimeException e) {
            throw e;
        } else if (failure != null) {
            throw new IllegalStateException("a handshake could not be ended", failure);
        }
    }

    /// Returns whether the key work of a lane's handshakes is so short that a loop's thread
    /// may do it.
    public boolean isShort(HandshakeLane lane) {
        synchronized (lock) {
            return lane.isShortWork();
        }
    }

    /// Notes that a handshake's key work is done.
    public void completed(HandshakeLane lane, HandshakePermit permit, long now) {
        synchronized (lock) {
            lane.ended(permit, false, time(now));
        }
    }

    /// Notes that a handshake's key work was not started, since its client had disconnected. Closes
    /// its task.
    public void cancelled(HandshakeLane lane, HandshakePermit permit, long now) {
        synchronized (lock) {
            lane.ended(permit, true, time(now));
        }
        permit.task().close();
    }

    /// Charges key work that was done without waiting, for a handshake that had done some before:
    /// those that follow wait for it.
    public void charge(HandshakePermit permit, long now) {
        synchronized (lock) {
            HandshakeBudget.Kind kind =
                    permit.isResumptionClaimed() ? budget.resumed() : budget.full();
            kind.worked(time(now), permit.cpuNanos());
        }
    }

    /// Learns from a handshake whether the claim was true, and the cost.
    public void learn(HandshakeResult result, long now) {
        synchronized (lock) {
            (result.isResumed() ? budget.resumed() : budget.full()).learn(result.cpuNanos());
            if (result.isResumptionClaimed()) {
                offenders.claimed(result.from(), result.isResumed(), time(now));
            }
        }
    }

    /// Returns whether [#reportLoad] is to be called before the next handshake is queued.
    public boolean isLoadDue(long now) {
        synchronized (lock) {
            return load.isDue(time(now));
        }
    }

    /// Adapts the budget to what requests use.
    public void reportLoad(RequestLoad requests, long now) {
        synchronized (lock) {
            load.measured(requests, time(now));
        }
    }

    public HandshakeCounters counters(long now) {
        synchronized (lock) {
            int count = offenders.count(time(now));
            return new HandshakeCounters(
                    resumed.counters(), full.counters(), count, budget.share());
        }
    }

    /// Closes all handshakes that wait, and from now on all that are queued. If some fail, the
    /// first failure is thrown after all are closed.
    public void stop() {
        synchronized (lock) {
            isStopped = true; // none is queued from now on
        }
        Throwable failure = null;
        for (var permit = waiting(); permit != null; permit = waiting()) {
            try {
                permit.task().close();
            } catch (Throwable e) {
                failure = failure == null ? e : failure;
            }
        }
        rethrow(failure);
    }

    private @Nullable HandshakePermit waiting() {
        synchronized (lock) {
            HandshakePermit permit = resumed.takeOldest();
            return permit == null ? full.takeOldest() : permit;
        }
    }
}
