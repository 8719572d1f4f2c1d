package dev.tandem.admission;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Decides which requests start, wait and are rejected; the package's page says how a server uses
/// it.
///
/// Any thread may call any method. One lock guards all state: it is held for some tens of
/// nanoseconds, nothing blocks or is allocated under it on the path of a request, and no code of
/// the caller's is called. Time is the caller's: nanoseconds of a monotonic clock, from any origin.
public final class Admission {
    /// Number of health probes that run at once; more is no health check, but requests as others.
    static final int PROBES_MAX = Tuning.count("Admission.PROBES_MAX", 16);

    /// Number of kinds of requests: the bits of an int.
    private static final int KINDS = Integer.SIZE;

    /// New sessions are held back only while less than a quarter of the workers is free.
    private static final int SPARE_PART = Tuning.count("Admission.SPARE_PART", 4);

    /// A session known by a cookie has ended after 30 s and 20 gaps without a request, some ten
    /// times the usual pause.
    private static final int GAPS_UNTIL_END = Tuning.count("Admission.GAPS_UNTIL_END", 20);

    static final long END_LEAST = NewSessionQuota.LASTS_MAX;

    private final Object lock = new Object();
    private final ElapsedClock clock = new ElapsedClock();
    private final RequestLanes lanes;
    private final RequestLane probes;
    private final ClientShares probeShares = new ClientShares();
    private final RequestLane quick;
    private final RequestLane lengthy;

    /// Requests that run and are not detached, in the order of their start.
    private final PermitQueue<Permit> runs = new PermitQueue<>();

    private final Routes routes = new Routes(true);
    private final WorkerReserve reserve = new WorkerReserve();
    private final WorkerSearch search;
    private final ComputeLimit computeLimit;
    final SessionAdmission sessionAdmission = new SessionAdmission();
    private final NewSessionQuota quota = new NewSessionQuota();
    private final Sessions sessions = new Sessions(Sessions.PART_MAX, this::endSession);
    private final AcceptGate gate = new AcceptGate();
    private final Rejections rejections = new Rejections();
    private final SessionCounts counts = new SessionCounts();
    private final Limits limits;
    private final DatabaseStage databases;
    private final PermitControl control = new Control();

    /// Number of detached runs.
    private int detached;

    /// Number of these that were detached because they do not return.
    private int overdue;

    /// Numbers of requests that wait, run or are detached, by the kind of their permits.
    private final int[] active = new int[KINDS];

    /// The kinds that there were, a bit each.
    private int kinds;

    /// Whether a worker was idle since the last tick and no request waited.
    private boolean wasIdle;

    /// Whether a worker was idle since the last tick, though requests may have waited for another
    /// limit.
    private boolean wasSpare;

    private final RejectingTime rejecting = new RejectingTime();

    /// Number of requests that wait, in all lanes; read without the lock by [#hasWaiting].
    private volatile int waiting;

    /// Cost of the requests that ended since the last tick.
    private double costInTick;

    /// Cost of the runs that were detached in this interval.
    private double detachedInTick;

    /// Intervals at full load, of all time.
    private int fullTicks;

    private long ticks;
    private long tickedAt;

    public Admission(Limits limits) {
        this.limits = limits;
        databases = new DatabaseStage(limits);
        lanes = new RequestLanes(limits.workersMax());
        probes = lanes.probes;
        quick = lanes.quick;
        lengthy = lanes.lengthy;
        int first = limits.workersFirst();
        search = new WorkerSearch(limits.processors(), first, limits.workersMax());
        computeLimit = new ComputeLimit(limits.processors());
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

    /// Returns a route that reports the server's health: never starved, never counted as load.
    public RouteLoad probe(String id) {
        synchronized (lock) {
            return routes.find(id, true);
        }
    }

    /// Returns the route that stands for all requests that match none.
    public RouteLoad otherRoutes() {
        return routes.other();
    }

    /// Returns a permit for the requests of one connection or stream, one after another.
    ///
    /// @param task called when a request that waited is decided
    public Permit newPermit(AdmissionTask task) {
        return new Permit(control, databases, task);
    }

    /// Returns the session that a cookie names, or null if it is not known: then the cookie gives
    /// no advantage.
    ///
    /// @param key of the cookie's value, 64 bits that cannot be guessed; see [SessionSeal]
    public @Nullable Session session(long key) {
        synchronized (lock) {
            return sessions.find(key);
        }
    }

    /// Remembers a session by a cookie: one that a response sets, or that an admitted request had.
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

    /// Ends the session of a connection that has closed, unless it is remembered by a cookie.
    public void closeSession(Session session) {
        synchronized (lock) {
            if (!session.isRemembered) {
                if (session.requests > 0) {
                    sessionAdmission.disconnected(session, tickedAt);
                }
                endSession(session);
            }
        }
    }

    /// Notes that requests use a database.
    public void addDatabase(DatabaseLane lane) {
        databases.lanes().add(lane);
    }

    /// Returns the lanes of the databases that requests were seen to use.
    public Set<DatabaseLane> databases() {
        return Set.copyOf(databases.lanes());
    }

    // ---- The path of a request.

    /// Returns whether requests wait for a worker, at this moment. Takes no lock.
    public boolean hasWaiting() {
        return waiting > 0;
    }

    /// Returns how many requests wait for a worker, at this moment. Takes no lock.
    public int waitingCount() {
        return waiting;
    }

    /// Returns whether a request would be rejected now: to be called before its body is read, so
    /// that no client sends one for nothing. Counts nothing and promises nothing.
    ///
    /// @param database as [Permit#decide] gets it
    public boolean wouldReject(
            RouteLoad route, @Nullable DatabaseRoute database, Session session, long now) {
        if (database != null && database.isLikely()) {
            return database.lane().isDown();
        }
        synchronized (lock) {
            if (route.lane() == Lane.PROBE) {
                return false;
            }
            long time = clock.at(now);
            boolean isLive = session.isLive(time);
            boolean hasPriority = isLive && (waiting == 0 || session.hasShare(time));
            boolean isInQuota = !isLive && quota.isDue(sessionAdmission, time);
            RequestLane lane = lanes.lane(route.lane());
            boolean mayStart = lane.waiting() == 0 && lanes.mayStart(lane);
            return rejection(session, route, hasPriority, isInQuota, mayStart) != null;
        }
    }

    /// Starts the queued requests for which there is a worker slot, and rejects those that have
    /// waited for too long, by their tasks and on the calling thread: to be called whenever a
    /// permit was closed or detached, and after a [#tick]. Takes no lock while none waits; a caller
    /// that calls [#hasWaiting] first need not read a clock either.
    public void startQueued(long now) {
        for (Permit permit = next(now); permit != null; permit = next(now)) {
            permit.report(permit.decision());
        }
    }

    /// Closes all queued requests: the server has stopped.
    public void stop() {
        for (Permit permit = takeAny(); permit != null; permit = takeAny()) {
            permit.stop();
        }
    }

    private @Nullable Permit takeAny() {
        synchronized (lock) {
            for (RequestLane lane : List.of(quick, lengthy)) {
                Permit first = lane.priority.first();
                Permit any = first == null ? lane.others.first() : first;
                if (any != null) {
                    takeOut(any);
                    free(any);
                    return any;
                }
            }
            return null;
        }
    }

    /// Returns a permit that is to run or to be rejected now, as its [Permit#decision] says; null
    /// if there is none.
    @Nullable Permit next(long now) {
        // A request queued before a slot was released is counted; a later one finds the slot.
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
            Permit next = lanes.nextToStart(time);
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

    /// Returns whether to accept connections now; to be called before accepting, and at each tick.
    /// False while new clients would only be rejected; but true while accepting is behind, since a
    /// rejection is better than a longer wait in the backlog.
    ///
    /// @param isBehind whether more connections waited than were accepted at once, or so many come
    ///     that they would not wait for the end of a pause
    public boolean mayAccept(boolean isBehind, long now) {
        synchronized (lock) {
            boolean isSaturated = !isBehind && lanes.isSaturated(reserve.size(lanes.workers));
            return gate.update(isSaturated, clock.at(now));
        }
    }

    /// Returns whether some requests are rejected now.
    public boolean isRejecting() {
        synchronized (lock) {
            return lanes.isRejecting(reserve.size(lanes.workers));
        }
    }

    /// Adapts the limits, if a tenth of a second has passed since the last time; to be called at
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
            if (time - tickedAt >= ElapsedClock.JUMP_NANOS) {
                routes.clearRecent(); // there are no ticks while there are no requests
            }
            adapt(time);
            tickedAt = time;
            ticks++;
            if (ticks % ElapsedClock.TICKS_A_SECOND == 0) {
                routes.second();
                reserve.second(routes.quickWorkers(), lengthy.running > lanes.lengthyLeast());
                detachOverdue(time);
            }
            long gap = (long) (GAPS_UNTIL_END * sessionAdmission.gapSeconds() * 1e9);
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
    /// @param runningNanos how long they have had a processor in total, since any origin
    /// @param readyNanos how long they have waited for one
    public void reportProcessorTimes(long runningNanos, long readyNanos, long now) {
        synchronized (lock) {
            search.pressure().report(runningNanos, readyNanos, clock.at(now));
        }
    }

    /// Reports how many processors the server may use, such as a control group's quota; it may be
    /// a part of one, and may change. More than [Limits] have are not counted.
    ///
    /// @param count over 0
    public void reportProcessors(double count) {
        synchronized (lock) {
            search.pressure().processors(Math.min(count, limits.processors()));
        }
    }

    // ---- What can be read.

    /// Returns each number that it acts on, with its reason.
    public List<Explanation> explain() {
        synchronized (lock) {
            return new ExplanationText(limits, reserve.size(lanes.workers), search, computeLimit)
                    .lanes(lanes, detached)
                    .sessions(sessionAdmission, sessions)
                    .rejections(gate, rejections, counts)
                    .routes(routes)
                    .all();
        }
    }

    /// Returns the part of the last seconds' requests, 0 to 1, that were for routes whose times are
    /// learned; 0 if there were none. A server that has just started begins at 0.
    public double learnedShare() {
        synchronized (lock) {
            return routes.learnedShare();
        }
    }

    /// Returns the routes with runs that do not return. Costs nothing while no run is detached.
    public List<OverdueRoute> overdue() {
        synchronized (lock) {
            return overdue == 0 ? List.of() : routes.overdue();
        }
    }

    /// Returns whether something runs that counts as load, or a probe: then a [#tick] is needed,
    /// even if there are no new requests.
    public boolean isRunning() {
        synchronized (lock) {
            return runs.first() != null;
        }
    }

    /// Returns how many requests run without a worker slot since they were granted a database
    /// connection.
    public int databaseRuns() {
        return databases.runs();
    }

    /// Returns how many requests wait, run or are detached, by the kinds of their permits; kinds
    /// that there never were are left out.
    public Map<Integer, Integer> activeByKind() {
        var counts = new TreeMap<Integer, Integer>();
        synchronized (lock) {
            for (int kind = 0; kind < KINDS; kind++) {
                if ((kinds & 1 << kind) != 0) {
                    counts.put(kind, active[kind]);
                }
            }
        }
        return counts;
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
                    detached,
                    rejections.byReason(),
                    counts.cancelled,
                    counts.started,
                    counts.finished,
                    counts.abandoned,
                    sessions.size(),
                    gate.pauses(),
                    gate.closedNanos());
        }
    }

    // ---- Called by permits.

    private final class Control implements PermitControl {
        @Override
        public Decision decide(Permit permit, RouteLoad route, Session session, long now) {
            synchronized (lock) {
                return Admission.this.decide(permit, route, session, clock.at(now));
            }
        }

        @Override
        public boolean beginConnecting(Permit permit, RouteLoad route, Session session, long now) {
            synchronized (lock) {
                long time = clock.at(now);
                permit.begin(route, session, lanes.lane(route.lane()), time);
                permit.state = Permit.State.CONNECTING;
                permit.isLive = permit.isLive(session, time);
                return permit.isLive;
            }
        }

        @Override
        public Decision decideConnected(Permit permit, long now) {
            synchronized (lock) {
                free(permit);
                RouteLoad route = permit.route();
                return Admission.this.decide(permit, route, permit.session(), clock.at(now));
            }
        }

        @Override
        public void startConnected(Permit permit, long now) {
            synchronized (lock) {
                long time = clock.at(now);
                permit.since = time;
                permit.isLive = permit.isLive(permit.session(), time);
                permit.route().recent++;
                start(permit, time);
                Admission.this.detach(permit);
            }
        }

        @Override
        public void rejectConnecting(Permit permit, Decision.Reject rejection) {
            synchronized (lock) {
                free(permit);
                permit.session().wasRejected = true;
                rejections.count(rejection.reason());
            }
        }

        @Override
        public boolean cancel(Permit permit, boolean isConnecting) {
            synchronized (lock) {
                boolean isWaiting = permit.state == Permit.State.WAITING;
                if (!isWaiting && !isConnecting) {
                    return false;
                }
                if (isWaiting) {
                    takeOut(permit);
                }
                free(permit);
                permit.session().wasRejected = true;
                counts.cancelled++;
                return true;
            }
        }

        @Override
        public boolean isProcessorTimeWanted(Permit permit) {
            // Its own thread has set the state.
            boolean isRunning = permit.state == Permit.State.RUNNING;
            return isRunning && permit.lane() == lengthy && hasWaiting();
        }

        @Override
        public boolean detach(Permit permit) {
            synchronized (lock) {
                if (permit.state == Permit.State.RUNNING) {
                    Admission.this.detach(permit);
                    permit.session().hasCompleted = true;
                }
                return permit.state == Permit.State.DETACHED;
            }
        }

        @Override
        public void startQueued(long now) {
            Admission.this.startQueued(now);
        }

        @Override
        public void complete(Permit permit, long now) {
            synchronized (lock) {
                Admission.this.complete(permit, now);
            }
        }

        @Override
        public boolean completeAndRepeat(Permit permit, long now) {
            synchronized (lock) {
                Admission.this.complete(permit, now);
                return repeat(permit, clock.at(now));
            }
        }

        @Override
        public void close(Permit permit) {
            synchronized (lock) {
                Admission.this.close(permit);
            }
        }
    }

    // ---- Under the lock.

    private Decision decide(Permit permit, RouteLoad asked, Session session, long time) {
        RouteLoad route = asked.lane() == Lane.PROBE && !mayProbe(permit) ? routes.other() : asked;
        permit.begin(route, session, lanes.lane(route.lane()), time);
        route.recent++;
        if (permit.lane() == probes) {
            start(permit, time);
            return Decision.Run.RUN;
        }
        permit.isLive = permit.isLive(session, time);
        permit.hasTakenShare =
                permit.isLive && waiting > 0 && sessionAdmission.takeShare(session, route, time);
        permit.hasPriority = permit.isLive && (waiting == 0 || permit.hasTakenShare);
        return decide(permit, route, time);
    }

    /// Whether a probe runs as one. A client that has its share of them, as one may that found a
    /// slow health check, leaves some to the balancer whose check must not fail.
    private boolean mayProbe(Permit permit) {
        return probeShares.hasRoom(permit.client(), PROBES_MAX - probes.running);
    }

    private Decision decide(Permit permit, RouteLoad route, long time) {
        RequestLane lane = permit.lane();
        boolean isInQuota = !permit.isLive && quota.isDue(sessionAdmission, time);
        boolean mayStart = lane.waiting() == 0 && lanes.mayStart(lane);
        Reason reason = rejection(permit.session(), route, permit.hasPriority, isInQuota, mayStart);
        if (reason != null) {
            if (reason == Reason.HELD_BACK && !permit.isContinued()) {
                sessionAdmission.rejected();
            }
            return reject(permit, reason);
        }
        if (isInQuota) {
            quota.use();
            permit.hasPriority = true;
        }
        if (mayStart) {
            start(permit, time);
            return Decision.Run.RUN;
        }
        permit.isInQuota = isInQuota;
        lane.add(permit, isInQuota);
        countActive(permit);
        countWaiting();
        wasSpare |= lanes.running < lanes.workers;
        return Decision.Wait.WAIT;
    }

    /// Returns why a request is rejected at once; null if it is not.
    private @Nullable Reason rejection(
            Session session,
            RouteLoad route,
            boolean hasPriority,
            boolean isInQuota,
            boolean mayStart) {
        RequestLane lane = lanes.lane(route.lane());
        if (route.isStuck(lane.limit)) {
            return Reason.ROUTE_STUCK;
        }
        if (!hasPriority && !isInQuota && isHeldBack(session)) {
            return Reason.HELD_BACK;
        }
        return !mayStart && !isInQuota && lane.isFull(hasPriority, route)
                ? Reason.QUEUE_FULL
                : null;
    }

    private boolean isHeldBack(Session session) {
        boolean isFirst = session.requests == 0 || session.hasCompleted;
        boolean isBusy =
                waiting > 0 || SPARE_PART * (lanes.workers - lanes.running) < lanes.workers;
        return isFirst && isBusy && sessionAdmission.isHoldingBack();
    }

    private Decision.Reject reject(Permit permit, Reason reason) {
        permit.lane().rejected();
        if (permit.isContinued() && permit.hasTakenShare) {
            // A message asks again and again, and would use the share up.
            sessionAdmission.giveShareBack(permit.session(), permit.route());
        }
        free(permit);
        permit.session().wasRejected = true;
        return rejections.reject(reason, sessionAdmission.secondsUntilAdmitted());
    }

    private void takeOut(Permit permit) {
        permit.lane().queue(permit.hasPriority).remove(permit);
        countWaiting();
    }

    private void countWaiting() {
        waiting = lanes.waiting();
        sessionAdmission.waiting(lanes.priority());
    }

    private void start(Permit permit, long time) {
        long waited = time - permit.since;
        permit.state = Permit.State.RUNNING;
        permit.isInQuota = false;
        permit.since = time;
        countActive(permit);
        permit.route().started(fullTicks);
        runs.add(permit);
        RequestLane lane = permit.lane();
        lane.running++;
        lane.started(waited);
        if (lane == probes) {
            probeShares.add(permit.client());
            return;
        }
        if (lane == quick) {
            reserve.quickStarted(waited > 0.75 * quick.serviceNanos(), time);
        }
        lanes.running++;
        quota.started(!permit.isLive && !permit.hasPriority, time);
        countRequest(permit, time);
    }

    /// Counts a request that starts for its session; starts the session if it is new.
    private void countRequest(Permit permit, long time) {
        Session session = permit.session();
        boolean isFirst = !permit.isLive && (session.requests == 0 || session.hasCompleted);
        if (isFirst || session.requests == 0) {
            endSession(session);
            session.start(time);
            counts.started++;
        }
        // The first one here of a session that another server began brings others, too.
        boolean isFirstHere = isFirst || session.isShared() && session.requests == 0;
        double cost = sessionAdmission.admittedCost(permit.route());
        sessionAdmission.countSession(session, cost, time);
        session.requests++;
        session.cost += cost;
        session.lastAt = time;
        sessionAdmission.admitted(isFirstHere, cost);
    }

    private void endSession(Session session) {
        if (session.requests == 0) {
            return;
        }
        sessionAdmission.sessionEnded(session);
        if (session.wasRejected) {
            counts.abandoned++;
        } else {
            counts.finished++;
            if (!session.isShared() || !rejecting.has(session.lastAt)) {
                sessionAdmission.sessionFinished(session.requests);
            }
        }
        session.start(session.lastAt);
    }

    private void complete(Permit permit, long now) {
        boolean hasPlace = permit.state == Permit.State.RUNNING;
        close(permit);
        if (hasPlace) {
            long time = clock.at(now);
            learn(permit, time - permit.since, time);
        }
        permit.session().hasCompleted = true;
    }

    /// Begins the next run of a permit that is free, if nothing waits.
    private boolean repeat(Permit permit, long time) {
        RouteLoad route = permit.route();
        RequestLane next = lanes.lane(route.lane());
        if (waiting > 0 || !lanes.mayStart(next) || route.isStuck(next.limit)) {
            return false;
        }
        permit.begin(route, permit.session(), next, time);
        route.recent++;
        permit.isLive = permit.isLive(permit.session(), time);
        permit.hasPriority = permit.isLive;
        start(permit, time);
        return true;
    }

    private void close(Permit permit) {
        switch (permit.state) {
            case RUNNING -> {
                runs.remove(permit);
                costInTick += release(permit);
            }
            case DETACHED -> closeDetached(permit);
            case FREE, CONNECTING, WAITING ->
                    throw new IllegalStateException(
                            "permit closed while " + permit.state + ": its request does not run");
        }
        free(permit);
    }

    /// Counts a request that waits or runs from now on.
    private void countActive(Permit permit) {
        if (!permit.isActive) {
            permit.isActive = true;
            active[permit.kind()]++;
            kinds |= 1 << permit.kind();
        }
    }

    private void free(Permit permit) {
        permit.state = Permit.State.FREE;
        if (permit.isInQuota) {
            permit.isInQuota = false;
            quota.giveBack();
        }
        if (permit.isActive) {
            permit.isActive = false;
            active[permit.kind()]--;
        }
    }

    /// @return the cost of the run
    private double release(Permit permit) {
        permit.route().running--;
        RequestLane lane = permit.lane();
        lane.running--;
        if (lane == probes) {
            probeShares.remove(permit.client());
            return 0;
        }
        lanes.running--;
        if (waiting == 0) {
            noteIdle();
        }
        return sessionAdmission.costOf(permit.route());
    }

    private void learn(Permit permit, long nanos, long time) {
        if (clock.hasJumpedSince(time - nanos)) {
            return; // it says how long the machine stood still, and not what the route takes
        }
        RouteLoad route = permit.route();
        route.ran(nanos);
        RequestLane lane = permit.lane();
        lane.ran(nanos);
        if (lane != probes) {
            reserve.ended(time);
            search.ran(route.weight(search.era()), nanos, time);
            if (permit.processorNanos() >= 0) {
                computeLimit.ran(permit.processorNanos(), nanos);
            }
        }
    }

    private void detach(Permit permit) {
        runs.remove(permit);
        detachedInTick += release(permit);
        permit.state = Permit.State.DETACHED;
        detached++;
    }

    private void closeDetached(Permit permit) {
        detached--;
        if (permit.isOverdue) {
            permit.isOverdue = false;
            permit.route().overdue--;
            overdue--;
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
        computeLimit.tick(search.pressure(), isFull, seconds);
        boolean isWarm = fullTicks >= RouteLoad.COLD_TICKS;
        boolean isMeasured = isFull && isWarm && (!wasSpare || search.pressure().areAllUsed());
        sessionAdmission.tick(seconds, isMeasured ? costInTick : -1, detachedInTick);
        sessionAdmission.workers(search.limit());
        long risked = rejections.counted() - rejections.counted(Reason.HELD_BACK);
        rejecting.tick(risked, time, sessionAdmission.gapSeconds());
        costInTick = 0;
        detachedInTick = 0;
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
                        ? Math.min(
                                lanes.workers - reserve.size(lanes.workers), computeLimit.limit())
                        : lanes.workers;
    }

    /// Detaches runs that do not return, so that their workers are replaced. The list is in the
    /// order of their start.
    private void detachOverdue(long time) {
        Permit permit = runs.first();
        while (permit != null && time - permit.since > RouteLoad.SUSPECT_NANOS) {
            Permit after = permit.next;
            RouteLoad route = permit.route();
            long age = time - permit.since;
            route.runsFor(age);
            if (age > route.overdueFrom() && overdue < limits.workersMax()) {
                permit.isOverdue = true;
                route.overdue++;
                overdue++;
                detach(permit);
            }
            permit = after;
        }
    }
}
