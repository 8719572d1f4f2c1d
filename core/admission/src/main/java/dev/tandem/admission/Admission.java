package dev.tandem.admission;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Decides what starts, what waits and what is rejected; the package's page says how a server uses
/// it.
///
/// Any thread may call any method. One lock guards all state: it is held for some tens of
/// nanoseconds, nothing blocks or is allocated under it on the path of a request, and no code of
/// the caller's is called. Time is the caller's: nanoseconds of a monotonic clock, from any origin.
public final class Admission {
    private static final int TICKS_A_SECOND =
            (int) Math.max(1, TimeUnit.SECONDS.toNanos(1) / Math.max(ElapsedClock.TICK_NANOS, 1));

    /// Health probes that run at once; more is no health check.
    static final int PROBES_MAX = Tuning.count("Admission.PROBES_MAX", 16);

    /// New sessions are held back only while less than a quarter of the workers is free.
    private static final int SPARE_PART = Tuning.count("Admission.SPARE_PART", 4);

    /// A session by cookie is over after 30 s and 20 gaps without a request, some ten times the
    /// usual pause.
    private static final int GAPS_UNTIL_END = Tuning.count("Admission.GAPS_UNTIL_END", 20);

    private static final long END_LEAST = NewSessionDebt.LASTS_MAX;

    final Object lock = new Object();

    final ElapsedClock clock = new ElapsedClock();
    private final RequestLanes lanes;
    private final RequestLane probes;
    private final RequestLane quick;
    private final RequestLane lengthy;
    private final PermitQueue<Permit> runs = new PermitQueue<>();
    private final Routes routes = new Routes(true);
    private final WorkerReserve reserve = new WorkerReserve();
    private final WorkerSearch search;
    private final ComputeLimit computing;
    final SessionAdmission newSessions = new SessionAdmission();
    private final NewSessionDebt debt = new NewSessionDebt();
    private final Sessions sessions = new Sessions(Sessions.PART_MAX, this::sessionEnded);
    private final AcceptGate gate = new AcceptGate();
    final Rejections rejections = new Rejections();
    final SessionCounts counts = new SessionCounts();
    private final Limits limits;
    private final PermitControl control = new Control();

    private int apart;

    /// Whether a worker had nothing to do since the last tick, for want of requests.
    private boolean wasIdle;

    /// Whether a worker was free since the last tick, though perhaps others waited: for a limit of
    /// their own.
    private boolean wasSpare;

    /// How many wait, in both lanes; read without the lock by [#next].
    private volatile int waiting;

    /// What requests cost that ended since the last tick.
    private double costInTick;

    /// Intervals at full load, of all time.
    private int fullTicks;

    private long ticks;
    private long tickedAt;

    public Admission(Limits limits) {
        this.limits = limits;
        lanes = new RequestLanes(limits.workersMax());
        probes = lanes.probes;
        quick = lanes.quick;
        lengthy = lanes.lengthy;
        int first = limits.workersFirst();
        search = new WorkerSearch(limits.processors(), first, limits.workersMax());
        computing = new ComputeLimit(limits.processors());
        probes.limit = PROBES_MAX;
        setLimits();
    }

    // ---- What a server keeps.

    /// Returns what is known of a route; to be called once and kept where the route is matched.
    ///
    /// @param id the matched pattern with its method; never a path that a client made up
    public RouteLoad route(String id) {
        synchronized (lock) {
            return routes.find(id, false);
        }
    }

    /// Returns a route that reports the server's health: never starved, never counted.
    public RouteLoad probe(String id) {
        synchronized (lock) {
            return routes.find(id, true);
        }
    }

    /// Returns what all requests share that match no route.
    public RouteLoad otherRoutes() {
        return routes.other();
    }

    /// Returns a permit for the requests of one connection or stream, one after another.
    ///
    /// @param task called when a request that waited is decided
    public Permit newPermit(AdmissionTask task) {
        return new Permit(control, task);
    }

    /// Returns the session that a cookie names, or null if it is not known: then the claim counts
    /// for nothing.
    ///
    /// @param key of the cookie's value, 64 bits that cannot be guessed; see [SessionSeal]
    public @Nullable Session session(long key) {
        synchronized (lock) {
            return sessions.find(key);
        }
    }

    /// A response sets a session cookie, or an admitted request brought one.
    ///
    /// @param session the connection's; other connections with this cookie will share it
    public void remember(long key, Session session) {
        synchronized (lock) {
            if (session.requests > 0) {
                session.isRemembered = true;
                sessions.put(key, session);
            }
        }
    }

    /// The connection has closed. Its session is over, unless a cookie carries it on.
    public void end(Session session) {
        synchronized (lock) {
            if (!session.isRemembered) {
                if (session.requests > 0) {
                    newSessions.left(session, tickedAt);
                }
                sessionEnded(session);
            }
        }
    }

    // ---- The path of a request.

    /// Decides about a request whose head was read.
    ///
    /// @param permit free; it runs, is queued or is free again, as the decision says
    /// @throws IllegalStateException if the permit is in use
    public Decision decide(Permit permit, RouteLoad route, Session session, long now) {
        synchronized (lock) {
            long time = clock.at(now);
            permit.take(route, session, lanes.lane(route.lane()), time);
            route.recent++;
            if (permit.lane() == probes) {
                return decideProbe(permit, time);
            }
            permit.isLive = session.isLive(time);
            permit.isAhead =
                    permit.isLive && (waiting == 0 || newSessions.takesShare(session, route, time));
            return decide(permit, route, time);
        }
    }

    private Decision decide(Permit permit, RouteLoad route, long time) {
        RequestLane lane = permit.lane();
        boolean isOwed = !permit.isLive && debt.isDue(newSessions, time);
        boolean mayStart = lane.waiting() == 0 && lanes.mayStart(lane);
        Reason reason = rejection(permit.session(), route, permit.isAhead, isOwed, mayStart);
        if (reason != null) {
            if (reason == Reason.HELD_BACK) {
                newSessions.rejected();
            }
            return reject(permit, reason);
        }
        if (isOwed) {
            debt.paid();
            permit.isAhead = true;
        }
        if (mayStart) {
            start(permit, time);
            return Decision.Run.RUN;
        }
        lane.add(permit, isOwed);
        countWaiting();
        wasSpare |= lanes.running < lanes.workers;
        return Decision.Wait.WAIT;
    }

    /// Returns why a request is rejected at once; null if it is not.
    private @Nullable Reason rejection(
            Session session, RouteLoad route, boolean isAhead, boolean isOwed, boolean mayStart) {
        RequestLane lane = lanes.lane(route.lane());
        if (route.isStuck(lane.limit)) {
            return Reason.ROUTE_STUCK;
        }
        if (!isAhead && !isOwed && isHeldBack(session)) {
            return Reason.HELD_BACK;
        }
        return !mayStart && !isOwed && lane.isFull(isAhead, route) ? Reason.QUEUE_FULL : null;
    }

    /// Returns whether requests wait, at this moment. Takes no lock.
    public boolean isPressed() {
        return waiting > 0;
    }

    /// Returns how many requests wait, at this moment. Takes no lock.
    public int waitingCount() {
        return waiting;
    }

    /// Returns whether a request would be rejected now: to be asked before its body is read, so
    /// that no client sends one in vain. Counts nothing and promises nothing.
    public boolean wouldRefuse(RouteLoad route, Session session, long now) {
        synchronized (lock) {
            if (route.lane() == Lane.PROBE) {
                return false;
            }
            long time = clock.at(now);
            boolean isLive = session.isLive(time);
            boolean isAhead = isLive && (waiting == 0 || session.hasShare(time));
            boolean isOwed = !isLive && debt.isDue(newSessions, time);
            RequestLane lane = lanes.lane(route.lane());
            boolean mayStart = lane.waiting() == 0 && lanes.mayStart(lane);
            return rejection(session, route, isAhead, isOwed, mayStart) != null;
        }
    }

    /// Starts the queued requests for which there is a place, and rejects those that have waited
    /// for too long, by their tasks and on the calling thread: to be called whenever a permit was
    /// closed or detached, and after a [#tick]. Takes no lock while none waits; a caller that asks
    /// [#isPressed] first needs to read no clock either.
    public void startQueued(long now) {
        for (Permit permit = next(now); permit != null; permit = next(now)) {
            switch (permit.decision()) {
                case Decision.Run _ -> permit.task().run();
                case Decision.Reject rejection -> permit.task().reject(rejection);
                case Decision.Wait _ -> throw new IllegalStateException("no request waits twice");
            }
        }
    }

    /// Closes all queued requests: the server has stopped.
    public void stop() {
        for (Permit permit = takeAny(); permit != null; permit = takeAny()) {
            permit.task().close();
        }
    }

    private @Nullable Permit takeAny() {
        synchronized (lock) {
            for (RequestLane lane : List.of(quick, lengthy)) {
                Permit live = lane.live.first();
                Permit any = live == null ? lane.fresh.first() : live;
                if (any != null) {
                    takeOut(any);
                    any.state = Permit.State.FREE;
                    return any;
                }
            }
            return null;
        }
    }

    /// Returns what is to be done next, if anything.
    ///
    /// @return a permit whose [Permit#decision] is to run it or to reject it
    @Nullable Permit next(long now) {
        // What began to wait before a place was freed is counted; what comes later finds the place.
        if (waiting == 0) {
            return null;
        }
        synchronized (lock) {
            long time = clock.at(now);
            Permit expired = lanes.expired(time);
            if (expired != null) {
                takeOut(expired);
                expired.decided(reject(expired, Reason.EXPIRED));
                return expired;
            }
            Permit next = lanes.nextToStart();
            if (next == null) {
                noteIdle();
                return null;
            }
            takeOut(next);
            next.decided(Decision.Run.RUN);
            start(next, time);
            return next;
        }
    }

    /// The client of a request has disconnected. Frees its permit if it was waiting; one that runs
    /// goes on.
    ///
    /// @return whether it was waiting
    public boolean leave(Permit permit) {
        synchronized (lock) {
            if (permit.state != Permit.State.WAITING) {
                return false;
            }
            takeOut(permit);
            permit.state = Permit.State.FREE;
            permit.session().wasRejected = true;
            counts.left++;
            return true;
        }
    }

    /// Returns whether to accept connections now; to be asked before accepting, and at each tick.
    /// Not while new clients would only be rejected; but always while accepting is behind: a
    /// rejection is better than a longer wait in the backlog.
    ///
    /// @param isBehind whether more waited to be accepted than were accepted at once
    public boolean mayAccept(boolean isBehind, long now) {
        synchronized (lock) {
            boolean isCrowded = !isBehind && lanes.isCrowded(reserve.size(lanes.workers));
            return gate.isOpen(isCrowded, clock.at(now));
        }
    }

    /// Returns whether some requests are rejected now.
    public boolean isRefusing() {
        synchronized (lock) {
            return lanes.isRejecting(reserve.size(lanes.workers));
        }
    }

    /// Adapts the limits, if a tenth of a second has passed since it last did; to be called at
    /// least so often, by any thread or several.
    ///
    /// @return whether it did; then there may be something to start: [#startQueued]
    public boolean tick(long now) {
        synchronized (lock) {
            long time = clock.at(now);
            if (time - tickedAt < ElapsedClock.TICK_NANOS) {
                return false;
            }
            noteIdle();
            if (time - tickedAt >= ElapsedClock.LEAP) {
                routes.rested(); // there is no heartbeat while no request comes
            }
            adapt(time);
            tickedAt = time;
            ticks++;
            if (ticks % TICKS_A_SECOND == 0) {
                routes.second();
                reserve.second(quick.serviceNanos() / 1e9, lengthy.running > lanes.lengthyLeast());
                detachOverdue(time);
            }
            long gap = (long) (GAPS_UNTIL_END * newSessions.gapSeconds() * 1e9);
            sessions.sweep(time - Math.max(END_LEAST, gap));
            setLimits();
            wasIdle = false;
            wasSpare = false;
            noteIdle();
            return true;
        }
    }

    /// Reports what the kernel counts of the workers' threads; before each [#tick] while workers
    /// are busy. Where it is not reported, the number of workers is found by trials alone.
    ///
    /// @param runningNanos how long they have had a processor, all together, since any origin
    /// @param readyNanos how long they have waited for one
    public void processorTimes(long runningNanos, long readyNanos, long now) {
        synchronized (lock) {
            search.pressure().report(runningNanos, readyNanos, clock.at(now));
        }
    }

    // ---- What can be read.

    /// Returns each number that it acts on, with its reason.
    public List<Explanation> explain() {
        synchronized (lock) {
            return new ExplanationText(limits, reserve.size(lanes.workers), search, computing)
                    .lanes(lanes, apart)
                    .newSessions(newSessions, sessions)
                    .door(gate, rejections, counts)
                    .routes(routes)
                    .all();
        }
    }

    /// Returns the routes some of whose runs do not return. Costs nothing while no run is detached.
    public List<OverdueRoute> overdue() {
        synchronized (lock) {
            return apart == 0 ? List.of() : routes.overdue();
        }
    }

    /// Returns whether something runs that counts as load, or a probe: then it is worth a [#tick],
    /// though no request comes.
    public boolean isRunning() {
        synchronized (lock) {
            return runs.first() != null;
        }
    }

    public Counters counters() {
        synchronized (lock) {
            return new Counters(
                    List.of(
                            probes.counters(Lane.PROBE),
                            quick.counters(Lane.QUICK),
                            lengthy.counters(Lane.LENGTHY)),
                    lanes.workers,
                    lanes.running,
                    apart,
                    rejections.byReason(),
                    counts.left,
                    counts.sessionsBegun,
                    counts.sessionsFinished,
                    counts.sessionsAbandoned,
                    sessions.size(),
                    gate.shuts(),
                    gate.shutNanos());
        }
    }

    // ---- Called by permits.

    private final class Control implements PermitControl {
        @Override
        public boolean isMeasured(Permit permit) {
            return isPressed() && permit.lane() == lengthy;
        }

        @Override
        public void detach(Permit permit) {
            synchronized (lock) {
                if (permit.state == Permit.State.RUNNING) {
                    detachRun(permit);
                    permit.session().hasCompleted = true;
                }
            }
        }

        @Override
        public void close(Permit permit, @Nullable Outcome outcome, long endNanos) {
            synchronized (lock) {
                Admission.this.close(permit, outcome, endNanos);
            }
        }
    }

    // ---- Under the lock.

    private void close(Permit permit, @Nullable Outcome outcome, long endNanos) {
        boolean isAnswered = outcome == Outcome.ANSWERED;
        switch (permit.state) {
            case RUNNING -> {
                runs.remove(permit);
                release(permit);
                if (isAnswered) {
                    long time = clock.at(endNanos);
                    learn(permit, time - permit.since, time);
                }
            }
            case APART -> returned(permit);
            case FREE, WAITING ->
                    throw new IllegalStateException(
                            "permit closed while " + permit.state + ": it has no place");
        }
        permit.state = Permit.State.FREE;
        if (isAnswered) {
            permit.session().hasCompleted = true;
        }
    }

    RequestLane laneOf(RouteLoad route) {
        return lanes.lane(route.lane());
    }

    private Decision decideProbe(Permit permit, long time) {
        if (probes.running >= PROBES_MAX) {
            return reject(permit, Reason.QUEUE_FULL);
        }
        start(permit, time);
        return Decision.Run.RUN;
    }

    private boolean isHeldBack(Session session) {
        boolean isFirst = session.requests == 0 || session.hasCompleted;
        boolean isPressed =
                waiting > 0 || SPARE_PART * (lanes.workers - lanes.running) < lanes.workers;
        return isFirst && isPressed && newSessions.isAllPromised();
    }

    private void takeOut(Permit permit) {
        permit.lane().queue(permit.isAhead).remove(permit);
        countWaiting();
    }

    private void countWaiting() {
        waiting = lanes.waiting();
    }

    void start(Permit permit, long time) {
        long waited = time - permit.since;
        permit.state = Permit.State.RUNNING;
        permit.since = time;
        permit.route().started(fullTicks);
        runs.add(permit);
        RequestLane lane = permit.lane();
        lane.running++;
        lane.started(waited);
        if (lane == probes) {
            return;
        }
        if (lane == quick) {
            reserve.quickBegan(waited > 0.75 * quick.serviceNanos(), time);
        }
        lanes.running++;
        debt.started(!permit.isLive && !permit.isAhead, time);
        enter(permit, time);
    }

    private void enter(Permit permit, long time) {
        Session session = permit.session();
        boolean isFirst = !permit.isLive && (session.requests == 0 || session.hasCompleted);
        if (isFirst || session.requests == 0) {
            sessionEnded(session);
            session.begin(time);
            counts.sessionsBegun++;
        }
        double cost = newSessions.costOf(permit.route());
        newSessions.seen(session, cost, time);
        session.requests++;
        session.cost += cost;
        session.lastAt = time;
        newSessions.admitted(isFirst, cost);
    }

    private Decision.Reject reject(Permit permit, Reason reason) {
        permit.lane().rejected();
        permit.state = Permit.State.FREE;
        permit.session().wasRejected = true;
        return rejections.reject(reason, newSessions.secondsUntilAdmitted());
    }

    private void release(Permit permit) {
        permit.route().running--;
        RequestLane lane = permit.lane();
        lane.running--;
        if (lane != probes) {
            lanes.running--;
            costInTick += newSessions.priceOf(permit.route());
            if (waiting == 0) {
                noteIdle();
            }
        }
    }

    private void learn(Permit permit, long nanos, long time) {
        if (clock.hasLeaptSince(time - nanos)) {
            return; // it says how long the machine stood still, and not what the route takes
        }
        RouteLoad route = permit.route();
        route.ran(nanos);
        RequestLane lane = permit.lane();
        lane.ran(nanos);
        if (lane != probes) {
            reserve.ended(time);
            search.ran(route.weight(search.era()), nanos, time);
            if (permit.computedNanos() >= 0) {
                computing.ran(permit.computedNanos(), nanos);
            }
        }
    }

    void detachRun(Permit permit) {
        runs.remove(permit);
        release(permit);
        permit.state = Permit.State.APART;
        apart++;
    }

    private void returned(Permit permit) {
        apart--;
        if (permit.isOverdue) {
            permit.isOverdue = false;
            permit.route().overdue--;
        }
    }

    /// To be called when no waiting request can start.
    private void noteIdle() {
        if (lanes.running < lanes.workers) {
            wasSpare = true;
            wasIdle |= waiting == 0;
        }
    }

    private void adapt(long time) {
        boolean isFull = !wasIdle;
        double seconds = (time - tickedAt) / 1e9;
        search.longest(lengthy.running > 0 ? lengthy.serviceNanos() : quick.serviceNanos());
        search.tick(time, isFull, lanes.running);
        computing.tick(search.pressure(), isFull, seconds);
        boolean isWarm = fullTicks >= RouteLoad.COLD_TICKS;
        boolean isMeasured = isFull && isWarm && (!wasSpare || search.pressure().areAllUsed());
        newSessions.tick(seconds, isMeasured ? costInTick : -1);
        if (search.limit() > WorkerSearch.LEAP * lanes.workers) {
            newSessions.remeasureCapacity((double) search.limit() / lanes.workers);
        }
        costInTick = 0;
        fullTicks += isFull ? 1 : 0;
        quick.tick(time);
        lengthy.tick(time);
    }

    private void setLimits() {
        lanes.workers = search.limit();
        quick.limit = lanes.workers;
        quick.fullTicks = fullTicks;
        lengthy.fullTicks = fullTicks;
        lengthy.limit =
                reserve.isNeeded()
                        ? Math.min(lanes.workers - reserve.size(lanes.workers), computing.limit())
                        : lanes.workers;
    }

    /// Detaches runs that do not return, so that their workers are replaced. The list is in the
    /// order of beginning.
    private void detachOverdue(long time) {
        Permit permit = runs.first();
        while (permit != null && time - permit.since > RouteLoad.SUSPECT_NANOS) {
            Permit after = permit.next;
            RouteLoad route = permit.route();
            long age = time - permit.since;
            route.runsFor(age);
            if (age > route.overdueFrom() && apart < limits.workersMax()) {
                permit.isOverdue = true;
                route.overdue++;
                detachRun(permit);
            }
            permit = after;
        }
    }

    private void sessionEnded(Session session) {
        if (session.requests == 0) {
            return;
        }
        newSessions.ended(session);
        if (session.wasRejected) {
            counts.sessionsAbandoned++;
        } else {
            counts.sessionsFinished++;
            newSessions.finished(session.requests);
        }
        session.begin(session.lastAt);
    }
}
