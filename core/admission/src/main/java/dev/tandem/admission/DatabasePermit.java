package dev.tandem.admission;

/// One request's right to a connection, or its place among those that wait for one.
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

    /// Its lane's queue when it asked; what its route is by now may differ.
    DatabaseQueue queue;

    /// Who asks for a place.
    public enum Kind {
        /// Whoever has a connection already, which would be of no use to anybody until there is
        /// a second one; health checks; and the look at whether the database is there. Before all
        /// others: there are never more of the first than there are connections, and admission
        /// lets few of the second run.
        URGENT,

        /// A visitor's request that had a place, gave its connection back and needs another, with
        /// a thread. Before visitors who have none yet, since all that it has done is lost if it is
        /// refused, but behind others' quarters. It cannot starve visitors: it was one.
        AGAIN,

        /// Any other request that runs already and holds a thread. A quarter of the connections
        /// are such ones' before anybody else's, whatever is kept for quick ones; beyond that they
        /// wait behind visitors.
        RUNNING,

        /// What works for no visitor: the same, with a quarter of its own, and patience.
        JOB,

        /// A request of a visitor who has begun.
        LIVE,

        /// A first-comer's.
        FIRST
    }

    /// @param task is started or rejected if the permit has to wait; called without any lock by the
    ///     thread that gave a place back, so it must not block
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

    /// Whether its route is known to hold connections for less than half as long.
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

    /// Asks for it.
    ///
    /// @param now nanoseconds of a monotonic clock
    /// @return whether it has one now, waits (then `decided` may have been called already), or is
    ///     refused
    public Decision ask(long now) {
        return lane().ask(this, now);
    }

    /// The visitor is gone.
    ///
    /// @return whether it was waiting; it is no longer
    public boolean leave() {
        return lane().leave(this);
    }

    /// A connection was taken by it.
    ///
    /// @return false if it was given back meanwhile: another place is needed
    public boolean used(long now) {
        return lane().used(this, now);
    }

    /// The connection was given back: whoever is next gets the place. Does nothing the second time.
    public void close(long now) {
        lane().close(this, now);
    }

    /// The request is over, or cannot run: gives back a place that no connection was taken by.
    public void closeUnused(long now) {
        lane().closeUnused(this, now);
    }
}
