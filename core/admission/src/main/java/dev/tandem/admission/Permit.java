package dev.tandem.admission;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A request's right to run, or its place in a queue. One belongs to each connection or stream and
/// is used again for its next request. A decision allocates nothing, unless the request needs a
/// database connection.
///
/// - FREE: there is no request. A decision leads to RUNNING, WAITING or CONNECTING, or rejects it.
/// - CONNECTING: waits for a database connection. Granted, it leads to DETACHED; where a worker's
///   place is needed as well, to RUNNING or WAITING. Rejected or cancelled, to FREE.
/// - WAITING: waits for a worker slot. Leads to RUNNING; expired or cancelled, to FREE.
/// - RUNNING: has a worker slot. Leads to FREE, or to DETACHED.
/// - DETACHED: runs, and has no place: long-lived, overdue, or with a connection. Leads to FREE.
///
/// The owner of the request calls the methods, one thread at a time, except for [#cancel]. State is
/// guarded by the admission's lock.
public final class Permit extends QueuedPermit<Permit> {
    enum State {
        FREE,
        CONNECTING,
        WAITING,
        RUNNING,
        DETACHED
    }

    private final PermitControl control;
    private final DatabaseStage stage;
    private final AdmissionTask task;

    State state = State.FREE;

    /// Whether it is a live session's.
    boolean isLive;

    /// Whether it goes before requests of new sessions.
    boolean hasPriority;

    /// Whether it has priority since it has taken a part of its session's share.
    boolean hasTakenShare;

    /// Whether it waits by the quota of new sessions.
    boolean isInQuota;

    boolean isOverdue;

    /// Whether its request is counted among those that wait or run.
    boolean isActive;

    /// Whether its requests continue what has begun.
    private boolean isContinued;

    private int kind;
    private long client;

    /// Route and session of the present request, or of the last one.
    private @Nullable RouteLoad route;

    private @Nullable Session session;
    private @Nullable RequestLane lane;

    private Decision decision = Decision.Wait.WAIT;
    private long processorNanos = -1;

    /// The connection that the request waits for, or was granted and has not used yet. Written by
    /// the owner, read by [#cancel], too.
    private volatile @Nullable DatabasePermit connection;

    /// The lane of the connection that the request was granted and has used. The owner's.
    private @Nullable DatabaseLane usedLane;

    /// Whether it is counted as a run of the database stage. The owner's.
    private boolean isStageRun;

    Permit(PermitControl control, DatabaseStage stage, AdmissionTask task) {
        this.control = control;
        this.stage = stage;
        this.task = task;
    }

    /// Sets the kind of the next request, by which [Admission#activeByKind] counts it.
    ///
    /// @param kind the caller's number, 0 to 31
    public void kind(int kind) {
        this.kind = kind;
    }

    /// Marks that its requests continue what has begun, as the messages of an open WebSocket
    /// session do: they are those of a live session, whatever its age.
    public void continuesSession() {
        isContinued = true;
    }

    boolean isContinued() {
        return isContinued;
    }

    boolean isLive(Session of, long now) {
        return isContinued || of.isLive(now);
    }

    int kind() {
        return kind;
    }

    /// Sets the client of the next request, if that is a health check: of those, each client has a
    /// share.
    ///
    /// @param network see [ClientNetwork]
    public void client(long network) {
        client = network;
    }

    long client() {
        return client;
    }

    // ---- The decision.

    /// Decides about a request whose head was read. After [Decision.Wait] the caller must not touch
    /// the request: another thread may have it already.
    ///
    /// A request of a route that uses a database waits for a connection first, in the database's
    /// lane; with one, it needs no worker slot, as long as not too many run so.
    ///
    /// @param database what is known of the route's use of a database; null if it was not seen to
    ///     use one
    /// @throws IllegalStateException if the permit is in use
    public Decision decide(
            RouteLoad route, @Nullable DatabaseRoute database, Session session, long now) {
        usedLane = null;
        return database == null || !database.isLikely()
                ? control.decide(this, route, session, now)
                : connect(route, database, session, now);
    }

    private Decision connect(RouteLoad route, DatabaseRoute database, Session session, long now) {
        boolean isLiveSession = control.beginConnecting(this, route, session, now);
        var requested =
                new DatabasePermit(
                        database,
                        isLiveSession
                                ? DatabasePermit.Kind.LIVE_SESSION
                                : DatabasePermit.Kind.NEW_SESSION,
                        this::connectionDecided);
        connection = requested;
        return continueConnected(requested, requested.request(now), now);
    }

    private Decision continueConnected(DatabasePermit requested, Decision decided, long now) {
        if (decided instanceof Decision.Run) {
            return startConnected(requested, now);
        }
        return decided instanceof Decision.Reject rejection ? rejectConnecting(rejection) : decided;
    }

    /// The lane has decided about a request that waited. By the thread that released a connection;
    /// no other has the request.
    private void connectionDecided(Decision decided, long now) {
        DatabasePermit requested = Objects.requireNonNull(connection);
        Decision then = continueConnected(requested, decided, now);
        if (!(then instanceof Decision.Wait)) {
            report(then);
        }
    }

    private Decision startConnected(DatabasePermit granted, long now) {
        if (stage.beginRun(granted.lane())) {
            isStageRun = true;
            control.startConnected(this, now);
            return Decision.Run.RUN;
        }
        Decision decided = control.decideConnected(this, now);
        if (decided instanceof Decision.Reject) {
            releaseUnusedConnection();
        }
        return decided;
    }

    private Decision rejectConnecting(Decision.Reject rejection) {
        connection = null;
        control.rejectConnecting(this, rejection);
        return rejection;
    }

    /// Reports the decision about a request that waited to its owner.
    void report(Decision decided) {
        if (decided instanceof Decision.Run) {
            task.run();
        } else if (decided instanceof Decision.Reject rejection) {
            try {
                releaseUnusedConnection();
            } finally {
                task.reject(rejection);
            }
        } else {
            throw new IllegalStateException("no request waits twice");
        }
    }

    /// Ends a request that waited without a decision.
    void stop() {
        try {
            releaseUnusedConnection();
        } finally {
            task.close();
        }
    }

    /// Takes the request out of its queue, since its client has disconnected. Any thread may call
    /// it while another starts the request.
    ///
    /// @return false if it does not wait; then it belongs to another thread
    public boolean cancel() {
        DatabasePermit requested = connection;
        boolean isConnecting = requested != null && requested.cancel();
        if (!control.cancel(this, isConnecting)) {
            return false;
        }
        releaseUnusedConnection();
        return true;
    }

    // ---- The run.

    /// Returns the connection that the request was granted, if it is of this lane and was not used
    /// yet.
    ///
    /// @return in use from now on
    public @Nullable DatabasePermit useConnection(DatabaseLane of, long now) {
        DatabasePermit granted = connection;
        if (granted == null || granted.lane() != of || !granted.use(now)) {
            return null;
        }
        usedLane = of;
        return granted;
    }

    /// Returns whether the request has used a connection of this lane that it was granted, though
    /// it may have released it since.
    public boolean hasUsedConnection(DatabaseLane of) {
        return usedLane == of;
    }

    /// Releases a connection that the request was granted and has not used. Starts those that are
    /// granted it, and throws what their starts throw: that must not keep the caller from its work.
    public void releaseUnusedConnection() {
        DatabasePermit granted = connection;
        if (granted != null) {
            connection = null;
            granted.releaseUnused();
        }
    }

    /// Runs a wait for a connection on the calling thread, which runs the request. Other requests
    /// run meanwhile, as long as not too many wait so.
    public void awaitConnection(Runnable wait, long now) {
        boolean isDetached = stage.beginWait();
        try {
            if (isDetached) {
                detach();
                control.startQueued(now);
            }
            wait.run();
        } finally {
            stage.endWait();
        }
    }

    /// Returns whether [#processorTime] is of use: for a lengthy run, while others wait. By the
    /// thread that runs it.
    public boolean isProcessorTimeWanted() {
        return control.isProcessorTimeWanted(this);
    }

    /// Reports how long the run has had a processor, before [#complete]. Without it, a lengthy
    /// route is not known to compute.
    public void processorTime(long nanos) {
        processorNanos = nanos;
    }

    /// Detaches a run that waits for its client, or is long-lived (an event stream, a WebSocket, a
    /// long poll): its place is free for others, and its time says nothing of the route. The
    /// caller then calls [Admission#startQueued]. Does nothing the second time, nor while the
    /// request waits.
    public void detach() {
        if (control.detach(this)) {
            try {
                releaseUnusedConnection();
            } finally {
                endStageRun();
            }
        }
    }

    /// Ends a run that did what its handler intended: admission learns from it how long its route
    /// takes, and its place is released. The caller then calls [Admission#startQueued].
    ///
    /// @param now by the clock of all calls
    /// @throws IllegalStateException if it has no place: the caller's bug, and one that would let
    ///     more run than the limit, so it is checked in production too
    public void complete(long now) {
        try {
            releaseUnusedConnection();
        } finally {
            endStageRun();
            control.complete(this, now);
        }
    }

    /// Ends a run as [#complete] does, and begins the next one of the same route and session at
    /// once, unless a request waits for a worker slot, or the route waits for connections first.
    ///
    /// @param now by the clock of all calls
    /// @return whether the next one has begun; if not, the permit is free, and the caller calls
    ///     [Admission#startQueued] and asks again by [#decide]
    /// @throws IllegalStateException as by [#complete]
    public boolean completeAndRepeat(long now) {
        if (connection != null || usedLane != null || isStageRun) {
            complete(now);
            return false;
        }
        return control.completeAndRepeat(this, now);
    }

    /// Ends a run that has failed, or that does not begin: its place is released, and nothing is
    /// learned. The caller then calls [Admission#startQueued].
    ///
    /// @throws IllegalStateException as by [#complete]
    public void close() {
        try {
            releaseUnusedConnection();
        } finally {
            endStageRun();
            control.close(this);
        }
    }

    private void endStageRun() {
        if (isStageRun) {
            isStageRun = false;
            stage.endRun();
        }
    }

    // ---- The admission's, under its lock.

    /// Begins a request.
    void begin(RouteLoad newRoute, Session newSession, RequestLane newLane, long now) {
        if (state != State.FREE) {
            throw new IllegalStateException("permit used while " + state);
        }
        processorNanos = -1;
        hasPriority = false;
        hasTakenShare = false;
        route = newRoute;
        session = newSession;
        lane = newLane;
        since = now;
    }

    RequestLane lane() {
        return Objects.requireNonNull(lane);
    }

    /// Returns the route of the present request, or of the last one.
    ///
    /// @throws NullPointerException if there was none
    public RouteLoad route() {
        return Objects.requireNonNull(route);
    }

    Session session() {
        return Objects.requireNonNull(session);
    }

    /// Returns what [Admission#next] has decided: run, or reject since it waited for too long.
    Decision decision() {
        return decision;
    }

    void decided(Decision made) {
        decision = made;
    }

    long processorNanos() {
        return processorNanos;
    }
}
