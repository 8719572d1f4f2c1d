package dev.tandem.admission;

/// What a database lane, which decides before admission, shares with it: which sessions are live,
/// and that rejecting a request breaks off its session. Any thread may call any method.
public final class DatabaseDoor {
    private final Admission admission;

    public DatabaseDoor(Admission admission) {
        this.admission = admission;
    }

    /// Returns as what a session's next request asks for a connection.
    ///
    /// @param now the clock that the admission is asked with
    public DatabasePermit.Kind kind(Session session, long now) {
        synchronized (admission.lock) {
            long time = admission.clock.at(now);
            return session.isLive(time) ? DatabasePermit.Kind.LIVE : DatabasePermit.Kind.FIRST;
        }
    }

    /// Runs what a lane has admitted, in no worker's place. The lane is its limit: a second one
    /// would only have it wait while it keeps a connection from others.
    ///
    /// @param permit free; runs from now on, set apart
    public void begin(Permit permit, RouteLoad route, Session session, long now) {
        synchronized (admission.lock) {
            long time = admission.clock.at(now);
            permit.take(route, session, admission.laneOf(route), time);
            route.recent++;
            permit.isLive = session.isLive(time);
            admission.start(permit, time);
            admission.detachRun(permit);
        }
    }

    /// A lane has rejected a request, so that admission does not decide about it.
    public void refused(Session session, Decision.Reject shed) {
        synchronized (admission.lock) {
            session.wasRejected = true;
            admission.rejections.reject(shed.reason(), shed.retryAfterSeconds());
        }
    }
}
