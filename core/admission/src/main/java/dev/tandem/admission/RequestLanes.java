package dev.tandem.admission;

import org.jspecify.annotations.Nullable;

/// The three lanes, how many workers they share, and what starts next. Guarded by the admission's
/// lock.
final class RequestLanes {
    final RequestLane probes = new RequestLane();
    final RequestLane quick = new RequestLane();
    final RequestLane lengthy = new RequestLane();
    private final int workersMax;

    /// How many may run at once, probes not counted.
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

    /// Returns whether new clients would only be rejected: not while lengthy requests alone are, as
    /// long as there are quick ones; those come by the same listener, and workers are kept for
    /// them.
    ///
    /// @param kept how many workers are kept for quick ones
    boolean isCrowded(int kept) {
        return isRejecting(kept) && running >= workers;
    }

    boolean isRejecting(int kept) {
        return quick.isRejecting() || lengthy.isRejecting() && kept == 0;
    }

    /// Returns whether one more may start: a lengthy request needs a worker that is not kept for
    /// quick ones.
    boolean mayStart(RequestLane lane) {
        if (lane == lengthy) {
            return running < workers && lengthy.running < lengthy.limit;
        }
        return running < workers || running < Math.min(workers + lengthyOver(), workersMax);
    }

    /// Returns how many lengthy requests run above a limit that was lowered after they began: quick
    /// ones need not wait until those have ended.
    private int lengthyOver() {
        return Math.max(0, lengthy.running - lengthy.limit);
    }

    /// Returns how many lengthy requests run before all others.
    int lengthyLeast() {
        return Math.min(WorkerReserve.lengthyLeast(workers), lengthy.limit);
    }

    @Nullable Permit nextToStart() {
        if (!mayStart(quick)) {
            return null;
        }
        boolean isLengthyDue = lengthy.waiting() > 0 && lengthy.running < lengthyLeast();
        boolean mayLengthyStart = mayStart(lengthy);
        if (!isLengthyDue && !quick.live.isEmpty()) {
            return quick.head();
        }
        if (isLengthyDue || mayLengthyStart && !lengthy.live.isEmpty()) {
            return lengthy.head();
        }
        if (!quick.fresh.isEmpty()) {
            return quick.head();
        }
        return mayLengthyStart ? lengthy.head() : null;
    }

    /// Returns one that has waited for too long, if there is one.
    @Nullable Permit expired(long time) {
        Permit oldest = quick.expired(time);
        return oldest == null ? lengthy.expired(time) : oldest;
    }
}
