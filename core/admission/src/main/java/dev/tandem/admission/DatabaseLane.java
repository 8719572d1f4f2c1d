package dev.tandem.admission;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/// Decides which request is granted one of a database's connections, and which waits. It admits no
/// more requests than there are connections, so that none waits for one with a thread or a worker
/// slot.
///
/// Quick and lengthy requests are distinguished by how long their routes were measured to hold a
/// connection. A free connection is granted in this order:
///
/// 1. permits of kind `URGENT`;
/// 2. running requests that wait with a thread, lengthy requests, jobs: each up to a quarter of the
///    connections ([ConnectionShare]);
/// 3. requests that had a connection and need another;
/// 4. quick requests, then lengthy ones, much shorter ones first in each;
/// 5. other running requests, then jobs.
///
/// A connection that a request waits for is never idle, except for those that [ConnectionReserve]
/// keeps. While the database is down, requests that need it are rejected at once.
///
/// Pure: no thread, no clock. Any thread may call any method; one lock guards all state, and of the
/// caller's code only `size` is called under it.
public final class DatabaseLane {
    private static final String SECTION = "Database";

    private static final long SECOND = 1_000_000_000;

    /// 30 s, as connection pools let threads wait by default: longer than its kind may have to pay
    /// off its debt ([ConnectionShare]).
    private static final long JOB_WAIT_NANOS =
            Tuning.nanos("DatabaseLane.JOB_WAIT_NANOS", TimeUnit.SECONDS.toNanos(30));

    /// `Retry-After` of rejections is spread over so many seconds.
    private static final int RETRY_SECONDS = 3;

    private final String name;
    private final IntSupplier size;
    private final Runnable busy;
    private final Object lock = new Object();
    private final Rejections rejections = new Rejections();
    private final ElapsedClock clock = new ElapsedClock();
    private final Routes routes = new Routes(false);
    private final Map<String, DatabaseRoute> known = new LinkedHashMap<>();
    private final DatabaseRoute otherRoutes = new DatabaseRoute(this, routes.other());
    private final ConnectionReserve reserve = new ConnectionReserve();
    private final DatabaseQueue quick;
    private final DatabaseQueue lengthy;

    /// The share of clients' lengthy requests.
    private final ConnectionShare lengthyShare = new ConnectionShare();

    private final ThreadQueue urgent;
    private final ThreadQueue repeated;
    private final ThreadQueue running;
    private final ThreadQueue jobs;
    private final DecisionReporter reporter = new DecisionReporter(this::releaseFailed);

    private boolean isDown;
    private long cancelled;
    private long secondAt;

    /// @param name of the pool, as shown with its numbers
    /// @param size number of connections; called for each request, so that a change has effect at
    ///     once
    /// @param busy called without any lock when something begins to wait: from then on [#tick] is
    ///     needed
    public DatabaseLane(String name, IntSupplier size, Runnable busy) {
        this(name, size, busy, DatabaseWaits.DEFAULT);
    }

    /// Creates a lane with other waits than the default ones.
    public DatabaseLane(String name, IntSupplier size, Runnable busy, DatabaseWaits waits) {
        this.name = name;
        this.size = size;
        this.busy = busy;
        this.quick = new DatabaseQueue(waits);
        this.lengthy = new DatabaseQueue(waits);
        this.urgent = new ThreadQueue(waits.liveNanos());
        this.repeated = new ThreadQueue(waits.liveNanos());
        this.running = new ThreadQueue(waits.liveNanos());
        this.jobs = new ThreadQueue(Math.max(JOB_WAIT_NANOS, waits.liveNanos()));
    }

    public String name() {
        return name;
    }

    /// Returns how many connections there are, at this moment; at least 1. Takes no lock.
    public int connections() {
        return Math.max(1, size.getAsInt());
    }

    /// Returns what is known of a route; to be called once and kept.
    ///
    /// @param id the matched pattern with its method
    public DatabaseRoute route(String id) {
        synchronized (lock) {
            RouteLoad load = routes.find(id, false);
            return load == routes.other()
                    ? otherRoutes
                    : known.computeIfAbsent(id, _ -> new DatabaseRoute(this, load));
        }
    }

    /// Returns the route that stands for jobs, health checks and routes beyond the limit.
    public DatabaseRoute otherRoutes() {
        return otherRoutes;
    }

    /// Notes whether the database responds. While it is down, permits that wait are rejected.
    public void setDown(boolean isDown) {
        var batch = new DecisionReporter.Batch();
        synchronized (lock) {
            this.isDown = isDown;
            if (isDown) {
                rejectAll(batch);
            } else {
                startNext(batch);
            }
        }
        reporter.report(batch);
    }

    public boolean isDown() {
        synchronized (lock) {
            return isDown;
        }
    }

    /// Returns whether there is something that [#tick] may have to act on.
    public boolean isBusy() {
        synchronized (lock) {
            return granted() > 0 || waiting() > 0;
        }
    }

    /// Rejects what has waited for too long; each second, sorts the routes and adapts the reserve.
    /// To be called each tenth of a second while [#isBusy].
    public void tick(long now) {
        var batch = new DecisionReporter.Batch();
        synchronized (lock) {
            long time = at(now);
            expire(quick, time, batch);
            expire(lengthy, time, batch);
            for (ThreadQueue each : List.of(urgent, repeated, running, jobs)) {
                expire(each, time, batch);
            }
            if (time - secondAt >= SECOND) {
                routes.second();
                reserve.second(connections(), time - secondAt);
                secondAt = time;
            }
            startNext(batch);
        }
        reporter.report(batch);
    }

    // ---- Called by permits.

    /// Returns the queue of a permit that was not requested yet.
    DatabaseQueue unsorted() {
        return lengthy;
    }

    Decision request(DatabasePermit permit, long now) {
        Decision decision;
        synchronized (lock) {
            decision = decide(permit, at(now));
        }
        if (decision instanceof Decision.Wait) {
            busy.run();
        }
        return decision;
    }

    boolean cancel(DatabasePermit permit) {
        synchronized (lock) {
            if (permit.state != DatabasePermit.State.WAITING) {
                return false;
            }
            takeOut(permit);
            cancelled++;
            return true;
        }
    }

    boolean use(DatabasePermit permit, long now) {
        synchronized (lock) {
            if (permit.state != DatabasePermit.State.GRANTED) {
                return false;
            }
            permit.state = DatabasePermit.State.USED;
            permit.since = at(now);
            permit.route().ended(true);
            return true;
        }
    }

    void close(DatabasePermit permit, long now) {
        var batch = new DecisionReporter.Batch();
        synchronized (lock) {
            long time = at(now);
            if (permit.state == DatabasePermit.State.USED) {
                long counted = permit.route().held(time - permit.since);
                // Jobs and unknown routes say nothing of how long clients' requests should wait.
                if (counted > 0 && permit.route() != otherRoutes) {
                    permit.queue.held(counted);
                }
            }
            release(permit, batch);
        }
        reporter.report(batch);
    }

    void releaseUnused(DatabasePermit permit) {
        var batch = new DecisionReporter.Batch();
        synchronized (lock) {
            if (permit.state == DatabasePermit.State.GRANTED) {
                permit.route().ended(false);
                release(permit, batch);
            }
        }
        reporter.report(batch);
    }

    private void releaseFailed(DecisionReporter.Failure failure) {
        synchronized (lock) {
            release(failure.permit(), failure.batch());
        }
    }

    // ---- What can be read.

    /// The counts of a lane, at one moment.
    ///
    /// @param connections how many there are
    /// @param reserve how many of them lengthy requests may not take
    /// @param granted how many are granted
    /// @param quickWaiting and `lengthyWaiting`: requests that wait for one, without a thread
    /// @param runningWaiting threads that wait for one
    /// @param repeatedWaiting of these, requests that had a connection before
    /// @param started number of permits that were granted one, since the start
    /// @param rejected number of permits that were rejected
    /// @param cancelled number of permits that waited and whose client disconnected
    /// @param waitNanos how long those that were granted one had waited in total
    public record Counts(
            int connections,
            int reserve,
            int granted,
            int quickWaiting,
            int lengthyWaiting,
            int runningWaiting,
            int repeatedWaiting,
            long started,
            long rejected,
            long cancelled,
            long waitNanos,
            boolean isDown) {}

    public Counts counts() {
        synchronized (lock) {
            int connections = connections();
            return new Counts(
                    connections,
                    reserve.size(connections),
                    granted(),
                    quick.waiting(),
                    lengthy.waiting(),
                    waitingThreads(),
                    repeated.waiting(),
                    quick.started + lengthy.started,
                    rejections.counted(),
                    cancelled,
                    quick.waitNanos + lengthy.waitNanos,
                    isDown);
        }
    }

    /// Returns each number that it acts on, with its reason.
    public List<Explanation> explain() {
        synchronized (lock) {
            var all = new ArrayList<Explanation>();
            int connections = connections();
            String prefix = "database " + name;
            all.add(
                    new Explanation(
                            SECTION,
                            prefix,
                            isDown ? "down" : granted() + " of " + connections,
                            isDown
                                    ? "the database does not respond: requests that need it are"
                                            + " rejected"
                                    : "connections granted to requests; the pool has "
                                            + connections));
            all.add(
                    new Explanation(
                            SECTION,
                            prefix + " reserve",
                            Integer.toString(reserve.size(connections)),
                            "connections that lengthy requests may not take: more if quick ones"
                                    + " have to wait for them"));
            all.add(
                    new Explanation(
                            SECTION,
                            prefix + " waiting",
                            quick.waiting() + " + " + lengthy.waiting(),
                            "quick and lengthy requests that wait for a connection, without a"
                                    + " thread"));
            known.values().forEach(route -> all.add(explain(prefix, route.load)));
            return all;
        }
    }

    private static Explanation explain(String prefix, RouteLoad load) {
        return new Explanation(
                SECTION,
                prefix + " " + load.id(),
                String.format(Locale.ROOT, "%.1f ms", load.meanNanos() / 1e6),
                load.lane() == Lane.QUICK
                        ? "mean time of holding a connection: quick"
                        : "mean time of holding a connection: lengthy, or not known yet");
    }

    // ---- Under the lock.

    /// Returns the time since the first call; charges it to those that had connections meanwhile.
    private long at(long now) {
        long before = clock.last();
        long time = clock.at(now);
        int connections = connections();
        boolean isWanted = lengthy.waiting() + waitingThreads() > 0;
        reserve.passed(time, isWanted ? Math.max(0, connections - granted()) : 0);
        int all = waiting();
        lengthyShare.passed(time - before, connections, all > lengthy.waiting());
        running.share.passed(time - before, connections, all > running.waiting());
        jobs.share.passed(time - before, connections, all > jobs.waiting());
        return time;
    }

    private int granted() {
        return quick.granted + lengthy.granted;
    }

    private int waiting() {
        return quick.waiting() + lengthy.waiting() + waitingThreads();
    }

    private int waitingThreads() {
        return urgent.waiting() + repeated.waiting() + running.waiting() + jobs.waiting();
    }

    private Decision decide(DatabasePermit permit, long time) {
        if (permit.state != DatabasePermit.State.FREE) {
            throw new IllegalStateException(
                    "a permit is requested once, was requested while " + permit.state);
        }
        permit.queue = permit.route().load.lane() == Lane.QUICK ? quick : lengthy;
        permit.route().load.recent++;
        permit.since = time;
        if (isDown) {
            return reject(permit, Reason.NO_DATABASE);
        }
        if (mayStart(permit)) {
            start(permit, time);
            return Decision.Run.RUN;
        }
        boolean isNewSession = permit.kind() == DatabasePermit.Kind.NEW_SESSION;
        if (permit.isClientRequest() && permit.queue.isFull(isNewSession, connections())) {
            return reject(permit, Reason.QUEUE_FULL);
        }
        permit.state = DatabasePermit.State.WAITING;
        queueOf(permit).add(permit);
        return Decision.Wait.WAIT;
    }

    private PermitQueue<DatabasePermit> queueOf(DatabasePermit permit) {
        return switch (permit.kind()) {
            case URGENT -> urgent.all;
            case REPEATED -> repeated.all;
            case RUNNING -> running.all;
            case JOB -> jobs.all;
            case LIVE_SESSION, NEW_SESSION -> permit.queue.queueOf(permit);
        };
    }

    /// Returns the share that its connection is charged to; null if none is.
    private @Nullable ConnectionShare shareOf(DatabasePermit permit) {
        return switch (permit.kind()) {
            case URGENT, REPEATED -> null;
            case RUNNING -> running.share;
            case JOB -> jobs.share;
            case LIVE_SESSION, NEW_SESSION -> permit.queue == lengthy ? lengthyShare : null;
        };
    }

    /// Returns whether a new permit need not wait: a connection is free, and no permit that waits
    /// would be granted it.
    private boolean mayStart(DatabasePermit permit) {
        int connections = connections();
        if (granted() >= connections || urgent.waiting() > 0) {
            return false;
        }
        return switch (permit.kind()) {
            case URGENT -> true;
            case REPEATED -> repeated.waiting() == 0;
            case RUNNING -> mayThreadStart(permit, running, connections);
            case JOB -> mayThreadStart(permit, jobs, connections);
            case LIVE_SESSION, NEW_SESSION ->
                    permit.queue.waiting() == 0
                            && !running.isDue(connections)
                            && (permit.queue == quick || mayLengthyStart(connections));
        };
    }

    private boolean mayThreadStart(DatabasePermit permit, ThreadQueue threads, int connections) {
        return threads.waiting() == 0
                && (threads.share.isDue(connections)
                        || quick.waiting() == 0
                                && permit.queue.waiting() == 0
                                && (permit.queue == quick || isLengthyFree(connections)));
    }

    /// Returns whether one more lengthy request leaves what is reserved for quick ones.
    private boolean isLengthyFree(int connections) {
        return lengthy.granted < connections - reserve.size(connections);
    }

    /// Returns whether a client's lengthy request may start: by its share, even if jobs have all
    /// that is not reserved.
    private boolean mayLengthyStart(int connections) {
        return isLengthyFree(connections) || lengthyShare.isDue(connections);
    }

    private void start(DatabasePermit permit, long time) {
        long waited = time - permit.since;
        DatabaseQueue queue = permit.queue;
        queue.granted++;
        queue.started++;
        queue.waitNanos += waited;
        permit.state = DatabasePermit.State.GRANTED;
        permit.since = time;
        ConnectionShare share = shareOf(permit);
        if (share != null) {
            share.granted++;
        }
        if (queue == quick && permit.isClientRequest()) {
            boolean isForLengthy = lengthy.granted >= ConnectionShare.least(connections());
            reserve.quickStarted(isForLengthy ? waited : 0);
        }
    }

    private Decision.Reject reject(DatabasePermit permit, Reason reason) {
        permit.state = DatabasePermit.State.FREE;
        return rejections.reject(reason, RETRY_SECONDS);
    }

    private void takeOut(DatabasePermit permit) {
        queueOf(permit).remove(permit);
        permit.state = DatabasePermit.State.FREE;
    }

    private void release(DatabasePermit permit, DecisionReporter.Batch batch) {
        if (permit.state == DatabasePermit.State.USED
                || permit.state == DatabasePermit.State.GRANTED) {
            permit.state = DatabasePermit.State.FREE;
            permit.queue.granted--;
            ConnectionShare share = shareOf(permit);
            if (share != null) {
                share.granted--;
            }
            startNext(batch);
        }
    }

    private void startNext(DecisionReporter.Batch batch) {
        if (isDown) {
            return;
        }
        DatabasePermit next = next();
        while (next != null) {
            takeOut(next);
            start(next, clock.last());
            batch.add(next, Decision.Run.RUN, clock.lastRead());
            next = next();
        }
    }

    /// Returns the permit that is granted the next connection.
    private @Nullable DatabasePermit next() {
        int connections = connections();
        if (granted() >= connections) {
            return null;
        }
        if (urgent.waiting() > 0) {
            return urgent.all.first();
        }
        if (running.isDue(connections)) {
            return running.all.first();
        }
        if (lengthy.waiting() > 0 && lengthyShare.isDue(connections)) {
            return lengthy.head(clock.last());
        }
        if (jobs.isDue(connections)) {
            return jobs.all.first();
        }
        if (repeated.waiting() > 0) {
            return repeated.all.first();
        }
        if (quick.waiting() > 0) {
            return quick.head(clock.last());
        }
        boolean isLengthyFree = isLengthyFree(connections);
        if (lengthy.waiting() > 0 && isLengthyFree) {
            return lengthy.head(clock.last());
        }
        DatabasePermit other = running.next(lengthy, isLengthyFree);
        return other == null ? jobs.next(lengthy, isLengthyFree) : other;
    }

    private void expire(DatabaseQueue queue, long time, DecisionReporter.Batch batch) {
        DatabasePermit permit = queue.expired(time);
        while (permit != null) {
            reject(permit, Reason.EXPIRED, batch);
            permit = queue.expired(time);
        }
    }

    private void expire(ThreadQueue threads, long time, DecisionReporter.Batch batch) {
        DatabasePermit permit = threads.expired(time);
        while (permit != null) {
            reject(permit, Reason.EXPIRED, batch);
            permit = threads.expired(time);
        }
    }

    private void rejectAll(DecisionReporter.Batch batch) {
        for (PermitQueue<DatabasePermit> queue : queues()) {
            for (DatabasePermit next = queue.first(); next != null; next = queue.first()) {
                reject(next, Reason.NO_DATABASE, batch);
            }
        }
    }

    /// Rejects a permit that waits.
    private void reject(DatabasePermit permit, Reason reason, DecisionReporter.Batch batch) {
        takeOut(permit);
        batch.add(permit, reject(permit, reason), clock.lastRead());
    }

    private List<PermitQueue<DatabasePermit>> queues() {
        return List.of(
                urgent.all,
                repeated.all,
                running.all,
                jobs.all,
                quick.liveSessions,
                quick.newSessions,
                lengthy.liveSessions,
                lengthy.newSessions);
    }
}
