package dev.tandem.admission;

import org.jspecify.annotations.Nullable;

/// The three lanes, how many workers they share, and who of those that wait is next. Guarded by the
/// admission's lock.
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

    RequestLane line(Lane lane) {
        return switch (lane) {
            case PROBE -> probes;
            case QUICK -> quick;
            case LENGTHY -> lengthy;
        };
    }

    int waiting() {
        return quick.waiting() + lengthy.waiting();
    }

    /// Whether newcomers would only be refused: not while lengthy ones alone are, as long as there
    /// are quick ones; those come by the same door, and workers are kept for them.
    ///
    /// @param kept how many workers are kept for quick ones
    boolean isCrowded(int kept) {
        return isRefusing(kept) && running >= workers;
    }

    boolean isRefusing(int kept) {
        return quick.isRefusing() || lengthy.isRefusing() && kept == 0;
    }

    /// A lengthy request needs a worker that is not kept for quick ones.
    boolean mayStart(RequestLane line) {
        return line == lengthy
                ? running < workers && lengthy.running < lengthy.limit
                : running < Math.min(workers + lengthyOver(), workersMax);
    }

    /// How many lengthy requests run above a limit that was lowered after they began: quick ones
    /// need not wait until those have ended.
    private int lengthyOver() {
        return Math.max(0, lengthy.running - lengthy.limit);
    }

    /// So many lengthy ones run before anybody else.
    int lengthyLeast() {
        return Math.min(WorkerReserve.lengthyLeast(workers), lengthy.limit);
    }

    @Nullable Permit nextToStart() {
        if (!mayStart(quick)) {
            return null;
        }
        boolean isLengthyDue = lengthy.running < lengthyLeast();
        if (isLengthyDue && lengthy.waiting() > 0) {
            return lengthy.head();
        }
        if (!quick.live.isEmpty()) {
            return quick.head();
        }
        if (mayStart(lengthy) && !lengthy.live.isEmpty()) {
            return lengthy.head();
        }
        if (!quick.first.isEmpty()) {
            return quick.head();
        }
        return mayStart(lengthy) ? lengthy.head() : null;
    }

    /// One that has waited for too long, if there is one.
    @Nullable Permit expired(long time) {
        Permit oldest = quick.expired(time);
        return oldest == null ? lengthy.expired(time) : oldest;
    }
}
