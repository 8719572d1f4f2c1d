package dev.tandem.admission;

import org.jspecify.annotations.Nullable;

/// The three lanes, how many workers they share, and what starts next. Guarded by the admission's
/// lock.
final class RequestLanes {
    final RequestLane probes = new RequestLane();
    final RequestLane quick = new RequestLane();
    final RequestLane lengthy = new RequestLane();
    private final int workersMax;

    /// How many requests may run at once, without probes.
    int workers;

    int running;

    RequestLanes(int workersMax) {
        this.workersMax = workersMax;
    }

    RequestLane lane(Lane lane) {
        return switch (lane) {
            case PROBE -> probes;
            case QUICK -> quick;
            case LENGTHY -> lengthy;
        };
    }

    int waiting() {
        return quick.waiting() + lengthy.waiting();
    }

    /// Returns whether new clients would only be rejected. Not while only lengthy requests are, as
    /// long as there are quick ones: those come by the same listener, and workers are reserved for
    /// them.
    ///
    /// @param reserved number of workers that are reserved for quick requests
    boolean isSaturated(int reserved) {
        return isRejecting(reserved) && running >= workers;
    }

    boolean isRejecting(int reserved) {
        return quick.isRejecting() || lengthy.isRejecting() && reserved == 0;
    }

    /// Returns whether one more request may start: a lengthy one needs a worker that is not
    /// reserved for quick ones.
    boolean mayStart(RequestLane lane) {
        if (lane == lengthy) {
            return running < workers && lengthy.running < lengthy.limit;
        }
        return running < workers || running < Math.min(workers + excessLengthy(), workersMax);
    }

    /// Returns how many lengthy requests run above a limit that was lowered after they started:
    /// quick ones need not wait until those have ended.
    private int excessLengthy() {
        return Math.max(0, lengthy.running - lengthy.limit);
    }

    /// Returns how many lengthy requests start before quick ones.
    int lengthyLeast() {
        return Math.min(WorkerReserve.lengthyLeast(workers), lengthy.limit);
    }

    /// Returns the number of requests with priority that wait.
    int priority() {
        return quick.priority.size() + lengthy.priority.size();
    }

    @Nullable Permit nextToStart(long time) {
        if (!mayStart(quick)) {
            return null;
        }
        boolean isLengthyDue = lengthy.waiting() > 0 && lengthy.running < lengthyLeast();
        boolean mayLengthyStart = mayStart(lengthy);
        if (!isLengthyDue && !quick.priority.isEmpty()) {
            return quick.head(time);
        }
        if (isLengthyDue || mayLengthyStart && !lengthy.priority.isEmpty()) {
            return lengthy.head(time);
        }
        if (!quick.others.isEmpty()) {
            return quick.head(time);
        }
        return mayLengthyStart ? lengthy.head(time) : null;
    }

    /// Returns a request that has waited for too long, if there is one.
    @Nullable Permit expired(long time) {
        Permit oldest = quick.expired(time);
        return oldest == null ? lengthy.expired(time) : oldest;
    }
}
