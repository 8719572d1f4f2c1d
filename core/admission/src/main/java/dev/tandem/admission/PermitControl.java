package dev.tandem.admission;

/// The calls of a [Permit] to the admission that made it. Each takes the admission's lock, except
/// [#isProcessorTimeWanted].
interface PermitControl {

    /// Decides about a request that needs a worker slot.
    Decision decide(Permit permit, RouteLoad route, Session session, long now);

    /// Begins a request that first needs a database connection.
    ///
    /// @return whether it is a live session's
    boolean beginConnecting(Permit permit, RouteLoad route, Session session, long now);

    /// Decides about a request that has a connection, but needs a worker slot as well.
    Decision decideConnected(Permit permit, long now);

    /// Starts a request that has a connection, without a worker slot.
    void startConnected(Permit permit, long now);

    /// Ends a request that got no connection.
    void rejectConnecting(Permit permit, Decision.Reject rejection);

    /// Ends a request that waits, since its client has disconnected.
    ///
    /// @param isConnecting whether it waited for a connection, and does no longer
    /// @return false if it does not wait
    boolean cancel(Permit permit, boolean isConnecting);

    /// Returns whether requests wait, and the permit's run is a lengthy route's. By the thread that
    /// runs it.
    boolean isProcessorTimeWanted(Permit permit);

    /// Releases the slot of a run that continues.
    ///
    /// @return false if it does not run
    boolean detach(Permit permit);

    /// Starts queued requests; see [Admission#startQueued].
    void startQueued(long now);

    /// Ends a run and learns from it.
    ///
    /// @param now the clock when the run ended
    /// @throws IllegalStateException if the permit does not run
    void complete(Permit permit, long now);

    /// Ends a run as [#complete] does, and begins the next one of its route and session, if no
    /// request waits for its place.
    ///
    /// @return whether it has begun; else the permit is free
    boolean completeAndRepeat(Permit permit, long now);

    /// Ends a run of which nothing is to be learned.
    ///
    /// @throws IllegalStateException if the permit does not run
    void close(Permit permit);
}
