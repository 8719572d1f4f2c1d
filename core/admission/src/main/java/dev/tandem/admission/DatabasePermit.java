package dev.tandem.admission;

/// One right to a database connection, or a place in the queue for one. Used once.
///
/// ```
///   FREE --request: Wait--> WAITING --granted--> GRANTED --use--> USED --close--> FREE
///     |                        | cancel, rejected   |  releaseUnused              ^
///     +--request: Run ---------|------------------->+-----------------------------+
/// ```
///
/// Any thread may call any method; all fields are guarded by the lane's lock.
public final class DatabasePermit extends QueuedPermit<DatabasePermit> {
    enum State {
        FREE,
        WAITING,
        GRANTED,
        USED
    }

    /// What a connection is requested for; decides which waiting permit is granted the next one.
    public enum Kind {
        /// A request that holds a connection already, which is of no use without a second one; a
        /// health check; and the check whether the database responds. Before all others: there are
        /// never more of the first than there are connections, and admission lets few of the second
        /// run.
        URGENT,

        /// A client's request that had a connection, released it and needs another. It holds a
        /// thread. Before requests that had none yet, since all its work is lost if it is rejected,
        /// but behind the shares of others. It cannot starve clients' requests: it was one of them.
        REPEATED,

        /// Any other request that runs already and holds a thread. Such requests are granted a
        /// quarter of the connections before others, whatever is reserved for quick ones; beyond
        /// that they wait behind clients' requests.
        RUNNING,

        /// A background job: the same, with a quarter of its own and a longer wait.
        JOB,

        /// A request of a live session, which holds no thread.
        LIVE_SESSION,

        /// A request of a new session, which holds no thread.
        NEW_SESSION
    }

    /// Receives the decision about a permit that waited.
    @FunctionalInterface
    interface Listener {
        /// @param now the time that the lane was called with last
        void decided(Decision decision, long now);
    }

    private final DatabaseRoute route;
    private final Kind kind;
    private final Listener listener;

    State state = State.FREE;

    /// The queue that its route belonged to when it was requested. A route may change its queue.
    DatabaseQueue queue;

    /// @param task called when a permit that was to wait is decided: run, or rejected. Called
    ///     without any lock by the thread that released a connection; must not block
    public DatabasePermit(DatabaseRoute route, Kind kind, AdmissionTask task) {
        this(route, kind, (decision, _) -> report(decision, task));
    }

    DatabasePermit(DatabaseRoute route, Kind kind, Listener listener) {
        this.route = route;
        this.kind = kind;
        this.listener = listener;
        this.queue = route.lane().unsorted();
    }

    private static void report(Decision decision, AdmissionTask task) {
        if (decision instanceof Decision.Run) {
            task.run();
        } else if (decision instanceof Decision.Reject rejection) {
            task.reject(rejection);
        } else {
            throw new IllegalStateException("no request waits twice");
        }
    }

    void report(Decision decision, long now) {
        listener.decided(decision, now);
    }

    DatabaseRoute route() {
        return route;
    }

    public DatabaseLane lane() {
        return route.lane();
    }

    Kind kind() {
        return kind;
    }

    /// Returns whether it is a client's request that holds no thread.
    boolean isClientRequest() {
        return kind == Kind.LIVE_SESSION || kind == Kind.NEW_SESSION;
    }

    /// Returns whether its route is known to hold connections for less than half as long.
    boolean isMuchShorter(DatabasePermit other) {
        RouteLoad load = route.load;
        return load.isKnown() && 2 * load.meanNanos() < other.route.load.meanNanos();
    }

    /// Requests a connection.
    ///
    /// @param now nanoseconds of a monotonic clock
    /// @return whether it is granted now, queued (then the task may have been called already), or
    ///     rejected
    public Decision request(long now) {
        return lane().request(this, now);
    }

    /// Takes it out of the queue, since the client has disconnected.
    ///
    /// @return whether it was waiting
    public boolean cancel() {
        return lane().cancel(this);
    }

    /// Notes that its connection was taken from the pool.
    ///
    /// @return false if it was released meanwhile: another permit is needed
    public boolean use(long now) {
        return lane().use(this, now);
    }

    /// Releases the connection, which is granted to the next permit. Does nothing the second time.
    public void close(long now) {
        lane().close(this, now);
    }

    /// Releases a connection that was granted and not taken: the request has ended, or cannot run.
    public void releaseUnused() {
        lane().releaseUnused(this);
    }
}
