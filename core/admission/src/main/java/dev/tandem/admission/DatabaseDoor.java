package dev.tandem.admission;

/// What a data lane, which is asked before admission, shares with it: who has begun, and that
/// refusing a request breaks off its session. Any thread may call any method.
public final class DatabaseDoor {
    private final Admission admission;

    public DatabaseDoor(Admission admission) {
        this.admission = admission;
    }

    /// What a session's next request asks for a place as.
    ///
    /// @param now the clock that the admission is asked with
    public DatabasePermit.Kind kind(Session session, long now) {
        synchronized (admission.lock) {
            long time = admission.clock.at(now);
            return session.isLive(time) ? DatabasePermit.Kind.LIVE : DatabasePermit.Kind.FIRST;
        }
    }

    /// Runs what a lane has given a place to, beside all workers. The lane is its limit: a second
    /// one would only have it wait while it keeps a connection from others.
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

    /// A lane has refused a request, which admission is not asked for any more.
    public void refused(Session session, Decision.Reject shed) {
        synchronized (admission.lock) {
            session.wasRejected = true;
            admission.rejections.reject(shed.reason(), shed.retryAfterSeconds());
        }
    }
}
