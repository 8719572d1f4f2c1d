package dev.tandem.admission;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A request's right to run, or its place among those that wait for it. One belongs to each
/// connection or exchange and is used again for its next request, so that asking allocates
/// nothing.
///
/// ```
///          decide: Wait             next: Run
///   FREE --------------> WAITING ---------------> RUNNING ----> APART
///    | ^   decide: Run      | next: Reject, leave      |   longLived, |
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

    private final Admission admission;
    private final Object task;

    State state = State.FREE;

    /// Of a live session.
    boolean isLive;

    /// Whether it waits before first-comers.
    boolean isAhead;

    boolean isOverdue;

    /// What it is for, and whose; kept until the next request, for which they are replaced.
    private @Nullable RouteLoad route;

    private @Nullable Session session;
    Lane lane = Lane.LENGTHY;

    private Decision decision = Decision.Wait.WAIT;
    private long endNanos;
    private @Nullable Outcome outcome;
    private long computedNanos = -1;

    /// @param task the caller's own: what to run when the permit comes out of [Admission#next]
    public Permit(Admission admission, Object task) {
        this.admission = admission;
        this.task = task;
    }

    public Object task() {
        return task;
    }

    /// What [Admission#next] has decided: run, or refuse since it waited for too long.
    public Decision decision() {
        return decision;
    }

    void decided(Decision decision) {
        this.decision = decision;
    }

    /// Begins to be a request's.
    void take(RouteLoad newRoute, Session newSession, long now) {
        if (state != State.FREE) {
            throw new IllegalStateException("permit asked with while " + state);
        }
        computedNanos = -1;
        isAhead = false;
        route = newRoute;
        session = newSession;
        lane = newRoute.lane();
        since = now;
    }

    RouteLoad route() {
        return Objects.requireNonNull(route);
    }

    Session session() {
        return Objects.requireNonNull(session);
    }

    /// Says when and how the run ended; without it, closing gives the place back and nothing is
    /// learned. By the thread that runs the request.
    ///
    /// @param now the clock that the admission is asked with
    public void ended(Outcome outcome, long now) {
        this.outcome = outcome;
        this.endNanos = now;
    }

    /// Whether [#computed] is of use: for a lengthy run, while others wait. By the thread that runs
    /// it.
    public boolean isMeasured() {
        return lane == Lane.LENGTHY && admission.isPressed();
    }

    /// How long the run has had a processor; before [#ended], by the thread that runs it. Without
    /// it, what is lengthy is not known to compute.
    public void computed(long nanos) {
        computedNanos = nanos;
    }

    long computedNanos() {
        return computedNanos;
    }

    /// From now on the exchange is long-lived (an event stream, a WebSocket, a long poll): its
    /// place is free for others, and its time says nothing of the route. The caller asks for
    /// the [Admission#next] one.
    public void longLived() {
        admission.setApart(this);
    }

    /// Gives the place back.
    ///
    /// @throws IllegalStateException if it has none: the caller's bug, and one that would let
    ///     more run than the limit, so it is checked in production too
    @Override
    public void close() {
        Outcome how = outcome;
        outcome = null;
        admission.close(this, how, endNanos);
    }
}
