package dev.tandem.admission;

/// One request's right to a connection, or its place in a queue.
///
/// ```
///   FREE --ask--> WAITING --its turn--> RESERVED --used--> USED --close--> FREE
///     |              | leave, refused       |  closeUnused              ^
///     +--ask: Run ---|--------------------->+---------------------------+
/// ```
///
/// Used once. Any thread may call any method; all fields are guarded by the lane's lock.
public final class DatabasePermit extends QueuedPermit<DatabasePermit> {
    enum State {
        FREE,
        WAITING,
        RESERVED,
        USED
    }

    private final DatabaseRoute route;
    private final Kind kind;
    private final AdmissionTask task;

    State state = State.FREE;

    /// Its lane's queue when it asked; its route may be another kind by now.
    DatabaseQueue queue;

    /// What asks for a connection.
    public enum Kind {
        /// A request that has a connection already, which is of no use until there is a second one;
        /// health checks; and the check whether the database is there. Before all others: there are
        /// never more of the first than there are connections, and admission lets few of the second
        /// run.
        URGENT,

        /// A user's request that had a connection, gave it back and needs another, with a thread.
        /// Before requests that had none yet, since all that it has done is lost if it is rejected,
        /// but behind others' quarters. It cannot starve users' requests: it was one.
        AGAIN,

        /// Any other request that runs already and holds a thread. A quarter of the connections is
        /// such requests' before others', whatever is kept for quick ones; beyond that they wait
        /// behind users' requests.
        RUNNING,

        /// Background work: the same, with a quarter of its own, and a longer wait.
        JOB,

        /// A request of a live session.
        LIVE,

        /// A request of a new session.
        FIRST
    }

    /// @param task called when a permit that was to wait is decided: run, or rejected. Called
    ///     without any lock by the thread that released a connection; must not block
    public DatabasePermit(DatabaseRoute route, Kind kind, AdmissionTask task) {
        this.route = route;
        this.kind = kind;
        this.task = task;
        this.queue = route.lane().unsorted();
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

    /// Returns whether its route is known to hold connections for less than half as long.
    boolean isMuchShorter(DatabasePermit other) {
        RouteLoad load = route.load;
        return load.isKnown() && 2 * load.meanNanos() < other.route.load.meanNanos();
    }

    void report(Decision decision) {
        switch (decision) {
            case Decision.Run _ -> task.run();
            case Decision.Reject rejection -> task.reject(rejection);
            case Decision.Wait _ -> throw new IllegalStateException("no request waits twice");
        }
    }

    /// Asks for a connection.
    ///
    /// @param now nanoseconds of a monotonic clock
    /// @return whether it has one now, waits (then the task may have been called already), or is
    ///     rejected
    public Decision ask(long now) {
        return lane().ask(this, now);
    }

    /// The client has disconnected.
    ///
    /// @return whether it was waiting; it is no longer
    public boolean leave() {
        return lane().leave(this);
    }

    /// A connection was taken by it.
    ///
    /// @return false if it was released meanwhile: another permit is needed
    public boolean used(long now) {
        return lane().used(this, now);
    }

    /// The connection was released: the next request gets it. Does nothing the second time.
    public void close(long now) {
        lane().close(this, now);
    }

    /// The request is over, or cannot run: releases a connection that was not taken.
    public void closeUnused(long now) {
        lane().closeUnused(this, now);
    }
}
