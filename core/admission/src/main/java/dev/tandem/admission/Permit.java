package dev.tandem.admission;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A request's right to run, or its place in a queue. One belongs to each connection or exchange
/// and is used again for its next request, so that a decision allocates nothing.
///
/// ```
///          decide: Wait             next: Run
///   FREE --------------> WAITING ---------------> RUNNING ----> APART
///    | ^   decide: Run      | next: Reject, leave    |   longLived, |
///    | |<-------------------+                        |   overdue    |
///    +-|-------------------------------------------->|              |
///      +---------------------------------------------+--------------+
///                              close
/// ```
///
/// All fields are guarded by the admission's lock.
public final class Permit extends QueuedPermit<Permit> implements AutoCloseable {
    enum State {
        FREE,
        WAITING,
        RUNNING,
        APART
    }

    private final PermitControl control;
    private final AdmissionTask task;

    State state = State.FREE;

    /// Whether it is a live session's.
    boolean isLive;

    /// Whether it waits before new sessions.
    boolean isAhead;

    boolean isOverdue;

    /// Route and session of the present request, or of the last one.
    private @Nullable RouteLoad route;

    private @Nullable Session session;
    private @Nullable RequestLane lane;

    private Decision decision = Decision.Wait.WAIT;
    private long endNanos;
    private @Nullable Outcome outcome;
    private long computedNanos = -1;

    Permit(PermitControl control, AdmissionTask task) {
        this.control = control;
        this.task = task;
    }

    AdmissionTask task() {
        return task;
    }

    /// Returns what [Admission#next] has decided: run, or reject since it waited for too long.
    Decision decision() {
        return decision;
    }

    void decided(Decision decision) {
        this.decision = decision;
    }

    /// Begins to be a request's.
    void take(RouteLoad newRoute, Session newSession, RequestLane newLane, long now) {
        if (state != State.FREE) {
            throw new IllegalStateException("permit used while " + state);
        }
        computedNanos = -1;
        isAhead = false;
        route = newRoute;
        session = newSession;
        lane = newLane;
        since = now;
    }

    RequestLane lane() {
        return Objects.requireNonNull(lane);
    }

    RouteLoad route() {
        return Objects.requireNonNull(route);
    }

    Session session() {
        return Objects.requireNonNull(session);
    }

    /// Reports when and how the run ended; without it, closing releases the place and nothing is
    /// learned. By the thread that runs the request.
    ///
    /// @param now the clock that the admission is asked with
    public void ended(Outcome outcome, long now) {
        this.outcome = outcome;
        this.endNanos = now;
    }

    /// Returns whether [#computed] is of use: for a lengthy run, while others wait. By the thread
    /// that runs it.
    public boolean isMeasured() {
        return control.isMeasured(this);
    }

    /// Reports how long the run has had a processor; before [#ended], by the thread that runs it.
    /// Without it, a lengthy route is not known to compute.
    public void computed(long nanos) {
        computedNanos = nanos;
    }

    long computedNanos() {
        return computedNanos;
    }

    /// Detaches a long-lived exchange (an event stream, a WebSocket, a long poll): its place is
    /// free for others, and its time says nothing of the route. The caller then calls
    /// [Admission#next].
    public void longLived() {
        control.detach(this);
    }

    /// Releases the place.
    ///
    /// @throws IllegalStateException if it has none: the caller's bug, and one that would let
    ///     more run than the limit, so it is checked in production too
    @Override
    public void close() {
        Outcome how = outcome;
        outcome = null;
        control.close(this, how, endNanos);
    }
}
