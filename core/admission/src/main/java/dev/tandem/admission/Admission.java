package dev.tandem.admission;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Decides what starts, what waits and what is refused; see the package's page for how a server
/// uses it.
///
/// Any thread may call any method. One lock guards all state: it is held for some tens of
/// nanoseconds, nothing blocks or is allocated under it on the way of a request, and no code of
/// the caller's is called. Time is the caller's: nanoseconds of a monotonic clock, from any
/// origin.
public final class Admission {
    /// 100 ms: CoDel's interval, and how often [#tick] does something.
    static final long TICK_NANOS =
            Tuning.nanos("Admission.TICK_NANOS", TimeUnit.MILLISECONDS.toNanos(100));

    private static final int TICKS_A_SECOND = Tuning.count("Admission.TICKS_A_SECOND", 10);

    /// Health probes that run at once; more is no health check.
    static final int PROBES_MAX = Tuning.count("Admission.PROBES_MAX", 16);

    /// Newcomers are held back only while less than a quarter of the workers is free.
    private static final int SPARE_PART = Tuning.count("Admission.SPARE_PART", 4);

    /// With so many times the workers, a new capacity must be measured.
    private static final double MANY_MORE = Tuning.number("Admission.MANY_MORE", 1.3);

    /// A session by cookie is over after 20 gaps without a request, some ten times the usual
    /// pause, at least 30 s.
    private static final int GAPS_UNTIL_END = Tuning.count("Admission.GAPS_UNTIL_END", 20);

    private static final long END_LEAST =
            Tuning.nanos("Admission.END_LEAST", TimeUnit.SECONDS.toNanos(30));

    final Object lock = new Object();

    final ElapsedClock elapsed = new ElapsedClock();
    private final RequestLanes lanes;
    private final RequestLane probes;
    private final RequestLane quick;
    private final RequestLane lengthy;
    private final PermitQueue<Permit> runs = new PermitQueue<>();
    private final Routes routes = new Routes(true);
    private final WorkerReserve reserve = new WorkerReserve();
    private final WorkerSearch climb;
    private final ComputeLimit computing;
    final SessionAdmission newcomers = new SessionAdmission();
    private final NewSessionDebt owed = new NewSessionDebt();
    private final Sessions sessions = new Sessions(Sessions.PART_MAX, this::sessionEnded);
    private final AcceptGate gate = new AcceptGate();
    final Rejections rejections = new Rejections();
    final SessionCounts counts = new SessionCounts();
    private final Limits limits;

    private int apart;

    /// Whether a worker had nothing to do since the last tick, for want of requests.
    private boolean wasIdle;

    /// Whether a worker was free since the last tick, though perhaps others waited: for a limit of
    /// their own.
    private boolean wasSpare;

    /// How many wait, of both lanes; read without the lock by [#next].
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
        climb = new WorkerSearch(limits.processors(), first, limits.workersMax());
        computing = new ComputeLimit(limits.processors());
        probes.limit = PROBES_MAX;
        setLimits();
    }

    // ---- What a server keeps.

    /// What is known of a route; to be asked for once and kept where the route is matched.
    ///
    /// @param id the matched pattern with its method; never a path that a visitor made up
    public RouteLoad route(String id) {
        synchronized (lock) {
            return routes.find(id, false);
        }
    }

    /// A route that tells whether the server is well: never starved, never counted.
    public RouteLoad probe(String id) {
        synchronized (lock) {
            return routes.find(id, true);
        }
    }

    /// What all requests share that match no route.
    public RouteLoad otherRoutes() {
        return routes.other();
    }

    /// The session that a cookie names, or null if it is not known: then the claim counts for
    /// nothing.
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
                    newcomers.left(session, tickedAt);
                }
                sessionEnded(session);
            }
        }
    }

    // ---- The way of a request.

    /// A request's head was read.
    ///
    /// @param permit free; run, kept waiting or freed again, as the decision says
    /// @throws IllegalStateException if the permit is in use
    public Decision decide(Permit permit, RouteLoad route, Session session, long now) {
        synchronized (lock) {
            long time = elapsed.at(now);
            permit.take(route, session, time);
            route.recent++;
            if (permit.lane == Lane.PROBE) {
                return probe(permit, time);
            }
            permit.isLive = session.isLive(time, newcomers.length());
            permit.isAhead =
                    permit.isLive && (waiting == 0 || newcomers.takesShare(session, route, time));
            RequestLane line = lanes.line(permit.lane);
            if (route.isStuck(line.limit)) {
                return refuse(permit, Reason.ROUTE_STUCK);
            }
            boolean isOwed = !permit.isLive && owed.isDue(newcomers, time);
            if (!permit.isAhead && !isOwed && isHeldBack(session)) {
                newcomers.refused();
                return refuse(permit, Reason.HELD_BACK);
            }
            boolean mayStart = line.waiting() == 0 && lanes.mayStart(line);
            if (!mayStart && !isOwed && line.isFull(permit.isAhead, route)) {
                return refuse(permit, Reason.QUEUE_FULL);
            }
            if (isOwed) {
                owed.paid();
                permit.isAhead = true;
            }
            if (mayStart) {
                start(permit, time);
                return Decision.Run.RUN;
            }
            line.add(permit, isOwed);
            countWaiting();
            wasSpare |= lanes.running < lanes.workers;
            return Decision.Wait.WAIT;
        }
    }

    /// Whether requests wait, at this moment. Takes no lock.
    public boolean isPressed() {
        return waiting > 0;
    }

    /// How many requests wait, at this moment. Takes no lock.
    public int waitingCount() {
        return waiting;
    }

    /// Whether a request would be refused now: to be asked before its body is read, so that nobody
    /// sends one in vain. Counts nothing and promises nothing.
    public boolean wouldRefuse(RouteLoad route, Session session, long now) {
        synchronized (lock) {
            if (route.lane() == Lane.PROBE) {
                return false;
            }
            long time = elapsed.at(now);
            boolean isLive = session.isLive(time, newcomers.length());
            boolean isAhead = isLive && (waiting == 0 || session.hasShare(time));
            boolean isOwed = !isLive && owed.isDue(newcomers, time);
            RequestLane line = lanes.line(route.lane());
            boolean canStart = line.waiting() == 0 && lanes.mayStart(line);
            return route.isStuck(line.limit)
                    || !isAhead && !isOwed && isHeldBack(session)
                    || !canStart && !isOwed && line.isFull(isAhead, route);
        }
    }

    /// What is to be done next, if anything: to be asked for whenever a permit was closed or set
    /// apart, and after a [#tick] until there is nothing.
    ///
    /// @return a permit whose [Permit#decision] is to run it or to refuse it
    public @Nullable Permit next(long now) {
        // Whoever began to wait before a place was freed is counted; whoever comes later finds it.
        if (waiting == 0) {
            return null;
        }
        synchronized (lock) {
            long time = elapsed.at(now);
            Permit expired = expired(time);
            if (expired != null) {
                expired.decided(refuse(expired, Reason.EXPIRED));
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

    /// The visitor of a request has gone. Free, then, if it was waiting; one that runs goes on.
    ///
    /// @return whether it was waiting
    public boolean leave(Permit permit) {
        synchronized (lock) {
            if (permit.state != Permit.State.WAITING) {
                return false;
            }
            takeOut(permit);
            permit.state = Permit.State.FREE;
            permit.session().wasRefused = true;
            counts.left++;
            return true;
        }
    }

    /// Whether to accept connections now; to be asked before accepting, and at each tick. Not
    /// while newcomers would only be refused; but always while accepting is behind: who waits in
    /// the backlog for longer than here is better off refused.
    ///
    /// @param isBehind whether more waited at the door than were accepted at once
    public boolean mayAccept(boolean isBehind, long now) {
        synchronized (lock) {
            boolean isCrowded = !isBehind && lanes.isCrowded(reserve.size(lanes.workers));
            return gate.isOpen(isCrowded, elapsed.at(now));
        }
    }

    /// Whether some of those who come now are refused.
    public boolean isRefusing() {
        synchronized (lock) {
            return lanes.isRefusing(reserve.size(lanes.workers));
        }
    }

    /// Adapts the limits, if a tenth of a second has passed since it last did; to be called at
    /// least so often, by any thread or several.
    ///
    /// @return whether it did; then there may be something [#next], as often as there was room
    ///     made
    public boolean tick(long now) {
        synchronized (lock) {
            long time = elapsed.at(now);
            if (time - tickedAt < TICK_NANOS) {
                return false;
            }
            noteIdle();
            if (time - tickedAt >= ElapsedClock.LEAP) {
                routes.rested(); // no heart beats while nobody asks
            }
            adapt(time);
            tickedAt = time;
            ticks++;
            if (ticks % TICKS_A_SECOND == 0) {
                routes.second();
                reserve.second(quick.serviceNanos() / 1e9, lengthy.running > lanes.lengthyLeast());
                lookAtRuns(time);
            }
            long gap = (long) (GAPS_UNTIL_END * newcomers.gapSeconds() * 1e9);
            sessions.sweep(time - Math.max(END_LEAST, gap));
            setLimits();
            wasIdle = false;
            wasSpare = false;
            noteIdle();
            return true;
        }
    }

    /// What the kernel counts of the workers' threads; to be said before each [#tick] while workers
    /// are busy. Where it is not, the number of workers is found by trials alone.
    ///
    /// @param runningNanos how long they have had a processor, all together, since any origin
    /// @param readyNanos how long they have waited for one
    public void processorTimes(long runningNanos, long readyNanos, long now) {
        synchronized (lock) {
            climb.crowding().told(runningNanos, readyNanos, elapsed.at(now));
        }
    }

    // ---- What can be read.

    /// Each number that it acts on, with its reason.
    public List<Explanation> explain() {
        synchronized (lock) {
            return new ExplanationText(limits, reserve.size(lanes.workers), climb, computing)
                    .lanes(quick, lengthy, lanes.running, apart)
                    .newcomers(newcomers, sessions)
                    .door(gate, rejections, counts)
                    .routes(routes)
                    .all();
        }
    }

    /// The routes some of whose runs do not return, to be told by name. Costs nothing while no run
    /// is set apart.
    public List<OverdueRoute> overdue() {
        synchronized (lock) {
            return apart == 0 ? List.of() : routes.overdue();
        }
    }

    /// Whether something runs that counts as load, or a probe: then it is worth a [#tick], though
    /// no request comes.
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

    void close(Permit permit, @Nullable Outcome outcome, long endNanos) {
        synchronized (lock) {
            long time = outcome == null ? 0 : elapsed.at(endNanos);
            switch (permit.state) {
                case RUNNING -> {
                    runs.remove(permit);
                    release(permit);
                    if (outcome == Outcome.ANSWERED) {
                        learn(permit, time - permit.since, time);
                    }
                }
                case APART -> returned(permit);
                case FREE, WAITING ->
                        throw new IllegalStateException(
                                "permit closed while " + permit.state + ": it has no place");
            }
            permit.state = Permit.State.FREE;
            if (outcome == Outcome.ANSWERED) {
                permit.session().hasCompleted = true;
            }
        }
    }

    void setApart(Permit permit) {
        synchronized (lock) {
            if (permit.state == Permit.State.RUNNING) {
                takeApart(permit);
                permit.session().hasCompleted = true;
            }
        }
    }

    // ---- Under the lock.

    private Decision probe(Permit permit, long time) {
        if (probes.running >= PROBES_MAX) {
            return refuse(permit, Reason.QUEUE_FULL);
        }
        start(permit, time);
        return Decision.Run.RUN;
    }

    private boolean isHeldBack(Session session) {
        boolean isFirst = session.requests == 0 || session.hasCompleted;
        boolean isPressed =
                waiting > 0 || SPARE_PART * (lanes.workers - lanes.running) < lanes.workers;
        return isFirst && isPressed && newcomers.isPromisedAll(climb.isSettled());
    }

    private @Nullable Permit expired(long time) {
        Permit expired = lanes.expired(time);
        if (expired != null) {
            takeOut(expired);
        }
        return expired;
    }

    private void takeOut(Permit permit) {
        lanes.line(permit.lane).queue(permit.isAhead).remove(permit);
        countWaiting();
    }

    private void countWaiting() {
        waiting = lanes.waiting();
    }

    void start(Permit permit, long time) {
        long waited = time - permit.since;
        permit.state = Permit.State.RUNNING;
        permit.since = time;
        permit.route().running++;
        permit.route().begins(fullTicks);
        runs.add(permit);
        RequestLane line = lanes.line(permit.lane);
        line.running++;
        line.begins(waited);
        if (line == probes) {
            return;
        }
        if (line == quick) {
            reserve.quickBegan(waited > 0.75 * quick.serviceNanos(), time);
        }
        lanes.running++;
        owed.started(!permit.isLive && !permit.isAhead, time);
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
        double cost = newcomers.costOf(permit.route());
        newcomers.seen(session, cost, time);
        session.requests++;
        session.cost += cost;
        session.lastAt = time;
        newcomers.admitted(isFirst, cost);
    }

    private Decision.Reject refuse(Permit permit, Reason reason) {
        lanes.line(permit.lane).refused++;
        permit.state = Permit.State.FREE;
        permit.session().wasRefused = true;
        return rejections.reject(reason, newcomers.secondsUntilLetIn());
    }

    private void release(Permit permit) {
        permit.route().running--;
        RequestLane line = lanes.line(permit.lane);
        line.running--;
        if (line != probes) {
            lanes.running--;
            costInTick += newcomers.costOf(permit.route());
            if (waiting == 0) {
                noteIdle();
            }
        }
    }

    private void learn(Permit permit, long nanos, long time) {
        RouteLoad route = permit.route();
        if (elapsed.hasLeaptSince(time - nanos)) {
            return; // it tells of a machine that stood still, and not of the route
        }
        route.ran(nanos);
        RequestLane line = lanes.line(permit.lane);
        line.ran(nanos);
        if (line != probes) {
            reserve.ended(time);
            climb.ran(route.weight(climb.era()), nanos, time);
            computing.ran(permit.computedNanos(), nanos);
        }
    }

    void takeApart(Permit permit) {
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

    /// To be said when nobody can start who waits.
    private void noteIdle() {
        if (lanes.running < lanes.workers) {
            wasSpare = true;
            wasIdle |= waiting == 0;
        }
    }

    private void adapt(long time) {
        boolean isFull = !wasIdle;
        double seconds = (time - tickedAt) / 1e9;
        climb.longest(lengthy.running > 0 ? lengthy.serviceNanos() : quick.serviceNanos());
        climb.tick(time, isFull, lanes.running);
        computing.tick(climb.crowding(), isFull, seconds);
        boolean isWarm = fullTicks >= RouteLoad.COLD_TICKS;
        boolean isTeaching = isFull && isWarm && (!wasSpare || climb.crowding().areAllUsed());
        newcomers.tick(seconds, isTeaching ? costInTick : -1);
        if (climb.limit() > MANY_MORE * lanes.workers) {
            newcomers.doubtCapacity((double) climb.limit() / lanes.workers);
        }
        costInTick = 0;
        fullTicks += isFull ? 1 : 0;
        quick.tick(time);
        lengthy.tick(time);
    }

    private void setLimits() {
        lanes.workers = climb.limit();
        quick.limit = lanes.workers;
        quick.fullTicks = fullTicks;
        lengthy.fullTicks = fullTicks;
        lengthy.limit =
                reserve.isForAnybody()
                        ? Math.min(lanes.workers - reserve.size(lanes.workers), computing.limit())
                        : lanes.workers;
    }

    /// Runs that do not return are set apart, so that their workers are replaced. The list is
    /// in the order of beginning.
    private void lookAtRuns(long time) {
        Permit permit = runs.first();
        while (permit != null && time - permit.since > RouteLoad.SUSPECT_NANOS) {
            Permit after = permit.next;
            RouteLoad route = permit.route();
            long age = time - permit.since;
            route.runsFor(age);
            if (age > route.overdueFrom() && apart < limits.workersMax()) {
                permit.isOverdue = true;
                route.overdue++;
                takeApart(permit);
            }
            permit = after;
        }
    }

    private void sessionEnded(Session session) {
        if (session.requests == 0) {
            return;
        }
        newcomers.ended(session);
        if (session.wasRefused) {
            counts.sessionsAbandoned++;
        } else {
            counts.sessionsFinished++;
            newcomers.finished(session.requests);
        }
        session.begin(session.lastAt);
    }
}
