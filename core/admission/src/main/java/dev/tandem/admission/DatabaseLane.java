package dev.tandem.admission;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/// Decides which request takes one of a database's connections, and which waits. It admits no more
/// work than there are connections, so that no request waits for one with a thread or a worker's
/// place.
///
/// Quick and lengthy requests are distinguished by how long their routes were measured to hold a
/// connection. Of those that wait, quick ones go first, but for a quarter of the connections, which
/// lengthy ones have before them; of each, much shorter ones first. A request that had a connection
/// and needs another goes before those that had none. Others that wait with a thread have a
/// quarter, too, and jobs have ([ConnectionShare]); beyond it, they wait behind requests of users.
/// A connection that a request waits for is never idle, but for those that [ConnectionReserve]
/// keeps. While the database is down, requests that need it are rejected at once.
///
/// Pure: no thread, no clock. Any thread may call any method; one lock guards all state, and no
/// code of the caller's is called under it but `size`.
public final class DatabaseLane {
    private static final long SECOND = 1_000_000_000;

    /// 30 s, as pools have a job wait by themselves: longer than its kind may have to pay off what
    /// it had too much of.
    private static final long JOB_WAIT_NANOS =
            Tuning.nanos("DatabaseLane.JOB_WAIT_NANOS", TimeUnit.SECONDS.toNanos(30));

    private final String name;
    private final IntSupplier size;
    private final Runnable busy;

    /// `Retry-After` of rejections is spread over as many seconds.
    private static final int RETRY_SECONDS = 3;

    private final Object lock = new Object();
    private final Rejections rejections = new Rejections();
    private final ElapsedClock elapsed = new ElapsedClock();
    private final Routes routes = new Routes(false);
    private final Map<String, DatabaseRoute> known = new LinkedHashMap<>();
    private final DatabaseRoute otherRoutes = new DatabaseRoute(this, routes.other());
    private final ConnectionReserve reserve = new ConnectionReserve();
    private final DatabaseQueue quick;
    private final DatabaseQueue lengthy;

    /// The share of lengthy requests of users.
    private final ConnectionShare lengthyShare = new ConnectionShare();

    private final ThreadQueue urgentOnes;
    private final ThreadQueue againOnes;
    private final ThreadQueue runningOnes;
    private final ThreadQueue jobs;

    /// What this thread reports. A task may release its permit at once: the next decisions are then
    /// reported after it, not in it, or each of thousands would be reported in the other's call.
    private final ThreadLocal<@Nullable Queue<Decided>> reporting = new ThreadLocal<>();

    private boolean isDown;
    private long left;
    private long secondAt;

    /// @param name of the pool, as shown with its numbers
    /// @param size how many connections there may be; asked for each request, so that a change is
    ///     followed at once
    /// @param busy called without any lock when something begins to wait: from then on [#tick] is
    ///     needed
    public DatabaseLane(String name, IntSupplier size, Runnable busy) {
        this(name, size, busy, DatabaseWaits.DEFAULT);
    }

    /// The same, with other limits than the default ones.
    public DatabaseLane(String name, IntSupplier size, Runnable busy, DatabaseWaits waits) {
        this.name = name;
        this.size = size;
        this.busy = busy;
        this.quick = new DatabaseQueue(waits);
        this.lengthy = new DatabaseQueue(waits);
        this.urgentOnes = new ThreadQueue(waits.liveNanos());
        this.againOnes = new ThreadQueue(waits.liveNanos());
        this.runningOnes = new ThreadQueue(waits.liveNanos());
        this.jobs = new ThreadQueue(Math.max(JOB_WAIT_NANOS, waits.liveNanos()));
    }

    public String name() {
        return name;
    }

    /// Returns how many connections there are, at this moment. Takes no lock.
    public int places() {
        return limit();
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

    /// Returns what stands for uses by no request of a known route.
    public DatabaseRoute otherRoutes() {
        return otherRoutes;
    }

    /// The database does not respond, or does so again. Requests that wait are rejected at once.
    public void down(boolean isDown) {
        var decided = new ArrayDeque<Decided>();
        synchronized (lock) {
            this.isDown = isDown;
            if (isDown) {
                rejectAll(decided);
            } else {
                startNext(decided);
            }
        }
        report(decided);
    }

    public boolean isDown() {
        synchronized (lock) {
            return isDown;
        }
    }

    /// Whether there is something that [#tick] may have to act on.
    public boolean isBusy() {
        synchronized (lock) {
            return taken() > 0 || waiting() > 0;
        }
    }

    /// Rejects what has waited for too long; each second, sorts the routes and adapts the reserve.
    /// To be called each tenth of a second while there is work.
    public void tick(long now) {
        var decided = new ArrayDeque<Decided>();
        synchronized (lock) {
            long time = at(now);
            expire(quick, time, decided);
            expire(lengthy, time, decided);
            for (ThreadQueue each : List.of(urgentOnes, againOnes, runningOnes, jobs)) {
                expire(each, time, decided);
            }
            if (time - secondAt >= SECOND) {
                routes.second();
                reserve.second(limit(), time - secondAt);
                secondAt = time;
            }
            startNext(decided);
        }
        report(decided);
    }

    // ---- Called by places.

    /// Where a place belongs that has not been asked for yet.
    DatabaseQueue unsorted() {
        return lengthy;
    }

    Decision ask(DatabasePermit place, long now) {
        Decision decision;
        synchronized (lock) {
            decision = decide(place, at(now));
        }
        if (decision instanceof Decision.Wait) {
            busy.run();
        }
        return decision;
    }

    boolean leave(DatabasePermit place) {
        synchronized (lock) {
            if (place.state != DatabasePermit.State.WAITING) {
                return false;
            }
            takeOut(place);
            left++;
            return true;
        }
    }

    boolean used(DatabasePermit place, long now) {
        synchronized (lock) {
            if (place.state != DatabasePermit.State.RESERVED) {
                return false;
            }
            place.state = DatabasePermit.State.USED;
            place.since = at(now);
            place.route().ended(true);
            return true;
        }
    }

    void close(DatabasePermit place, long now) {
        var decided = new ArrayDeque<Decided>();
        synchronized (lock) {
            long time = at(now);
            if (place.state == DatabasePermit.State.USED) {
                long counted = place.route().ran(time - place.since);
                // Jobs say nothing of how long users' requests are to wait, nor do unknown routes.
                if (counted > 0 && place.route() != otherRoutes) {
                    place.queue.ran(counted);
                }
            }
            release(place, decided);
        }
        report(decided);
    }

    void closeUnused(DatabasePermit place, long now) {
        var decided = new ArrayDeque<Decided>();
        synchronized (lock) {
            at(now);
            if (place.state == DatabasePermit.State.RESERVED) {
                place.route().ended(false);
                release(place, decided);
            }
        }
        report(decided);
    }

    // ---- What can be read.

    /// Returns everything counted, at one moment.
    ///
    /// @param limit how many connections there may be
    /// @param reserve how many of them lengthy requests may not take
    /// @param taken places that requests have
    /// @param quickWaiting and `lengthyWaiting`: those that wait for one, without a thread
    /// @param runningWaiting those that wait with one
    /// @param againWaiting of these, requests that had a connection before
    /// @param started that had a place, since the beginning
    /// @param refused that had none, since the beginning
    /// @param left waiting requests whose client disconnected
    /// @param waitNanos what those that started had waited, together
    public record Counts(
            int limit,
            int reserve,
            int taken,
            int quickWaiting,
            int lengthyWaiting,
            int runningWaiting,
            int againWaiting,
            long started,
            long refused,
            long left,
            long waitNanos,
            boolean isDown) {}

    public Counts counts() {
        synchronized (lock) {
            int most = limit();
            return new Counts(
                    most,
                    reserve.size(most),
                    taken(),
                    quick.waiting(),
                    lengthy.waiting(),
                    withThreads(),
                    againOnes.waiting(),
                    quick.started + lengthy.started,
                    rejections.count(),
                    left,
                    quick.waitNanos + lengthy.waitNanos,
                    isDown);
        }
    }

    /// Each number that it acts on, with its reason.
    public List<Explanation> explain() {
        synchronized (lock) {
            var all = new ArrayList<Explanation>();
            int most = limit();
            String prefix = "data " + name;
            all.add(
                    new Explanation(
                            prefix,
                            isDown ? "down" : taken() + " of " + most,
                            isDown
                                    ? "the database does not respond: requests that need it are"
                                            + " rejected"
                                    : "places taken; the pool holds " + most + " connections"));
            all.add(
                    new Explanation(
                            prefix + " reserve",
                            Integer.toString(reserve.size(most)),
                            "connections that lengthy requests may not take: quick ones waited for"
                                    + " them, or none"));
            all.add(
                    new Explanation(
                            prefix + " waiting",
                            quick.waiting() + " + " + lengthy.waiting(),
                            "quick and lengthy requests that wait for a place, without a thread"));
            for (DatabaseRoute route : known.values()) {
                all.add(
                        new Explanation(
                                prefix + " " + route.load.id(),
                                String.format(Locale.ROOT, "%.1f ms", route.load.meanNanos() / 1e6),
                                route.load.lane() == Lane.QUICK
                                        ? "holds a connection for so long: quick"
                                        : "holds a connection for so long: lengthy, or not known"
                                                + " yet"));
            }
            return all;
        }
    }

    // ---- Under the lock.

    /// A decision to report without the lock.
    private record Decided(DatabasePermit place, Decision decision) {}

    /// Reports all of them, whatever one of the tasks does. One that throws loses its place.
    private void report(Queue<Decided> decided) {
        if (decided.isEmpty()) {
            return;
        }
        Queue<Decided> under = reporting.get();
        if (under != null) {
            under.addAll(decided);
            return;
        }
        reporting.set(decided);
        try {
            reportAll(decided);
        } finally {
            reporting.remove();
        }
    }

    private void reportAll(Queue<Decided> decided) {
        @Nullable Throwable failure = null;
        for (Decided each = decided.poll(); each != null; each = decided.poll()) {
            try {
                each.place.report(each.decision);
            } catch (RuntimeException | Error e) {
                failure = failure == null ? e : failure;
                synchronized (lock) {
                    release(each.place, decided);
                }
            }
        }
        if (failure instanceof Error e) {
            throw e;
        }
        if (failure != null) {
            throw (RuntimeException) failure;
        }
    }

    /// The time since the first call; notes what connections were idle or taken for meanwhile.
    private long at(long now) {
        long before = elapsed.last();
        long time = elapsed.at(now);
        int most = limit();
        boolean isWanted = lengthy.waiting() + withThreads() > 0;
        reserve.passed(time, isWanted ? Math.max(0, most - taken()) : 0);
        int all = waiting();
        lengthyShare.passed(time - before, most, all > lengthy.waiting());
        runningOnes.share.passed(time - before, most, all > runningOnes.waiting());
        jobs.share.passed(time - before, most, all > jobs.waiting());
        return time;
    }

    private int limit() {
        return Math.max(1, size.getAsInt());
    }

    private int taken() {
        return quick.taken + lengthy.taken;
    }

    private int waiting() {
        return quick.waiting() + lengthy.waiting() + withThreads();
    }

    private int withThreads() {
        return urgentOnes.waiting() + againOnes.waiting() + runningOnes.waiting() + jobs.waiting();
    }

    private Decision decide(DatabasePermit place, long time) {
        if (place.state != DatabasePermit.State.FREE) {
            throw new IllegalStateException(
                    "a place is used once, was asked for while " + place.state);
        }
        place.queue = place.route().load.lane() == Lane.QUICK ? quick : lengthy;
        place.route().load.recent++;
        place.since = time;
        if (isDown) {
            return reject(place, Reason.NO_DATABASE);
        }
        if (mayBegin(place)) {
            start(place, time);
            return Decision.Run.RUN;
        }
        boolean isFirst = place.kind() == DatabasePermit.Kind.FIRST;
        if (isUserRequest(place) && place.queue.isFull(isFirst, limit())) {
            return reject(place, Reason.QUEUE_FULL);
        }
        place.state = DatabasePermit.State.WAITING;
        line(place).add(place);
        return Decision.Wait.WAIT;
    }

    private static boolean isUserRequest(DatabasePermit place) {
        return place.kind() == DatabasePermit.Kind.LIVE
                || place.kind() == DatabasePermit.Kind.FIRST;
    }

    /// Where it waits.
    private PermitQueue<DatabasePermit> line(DatabasePermit place) {
        return switch (place.kind()) {
            case URGENT -> urgentOnes.all;
            case AGAIN -> againOnes.all;
            case RUNNING -> runningOnes.all;
            case JOB -> jobs.all;
            case LIVE, FIRST -> place.queue.of(place);
        };
    }

    /// Whose right to connections it uses up; null if it needs none.
    private @Nullable ConnectionShare share(DatabasePermit place) {
        return switch (place.kind()) {
            case URGENT, AGAIN -> null;
            case RUNNING -> runningOnes.share;
            case JOB -> jobs.share;
            case LIVE, FIRST -> place.queue == lengthy ? lengthyShare : null;
        };
    }

    /// Returns whether one that has just come need not wait: there is a free connection, and none
    /// before it that would have it.
    private boolean mayBegin(DatabasePermit place) {
        int most = limit();
        if (taken() >= most || urgentOnes.waiting() > 0) {
            return false;
        }
        return switch (place.kind()) {
            case URGENT -> true;
            case AGAIN -> againOnes.waiting() == 0;
            case RUNNING -> mayBegin(place, runningOnes, most);
            case JOB -> mayBegin(place, jobs, most);
            case LIVE, FIRST ->
                    place.queue.waiting() == 0
                            && !runningOnes.isDue(most)
                            && (place.queue == quick || mayLengthyStart(most));
        };
    }

    private boolean mayBegin(DatabasePermit place, ThreadQueue its, int most) {
        return its.waiting() == 0
                && (its.share.isDue(most)
                        || quick.waiting() == 0
                                && place.queue.waiting() == 0
                                && (place.queue == quick || isLengthyFree(most)));
    }

    /// Whether one more lengthy one leaves what is kept for quick ones.
    private boolean isLengthyFree(int most) {
        return lengthy.taken < most - reserve.size(most);
    }

    /// Returns whether a user's lengthy request may start: by right also if jobs have what is not
    /// kept.
    private boolean mayLengthyStart(int most) {
        return isLengthyFree(most) || lengthyShare.isDue(most);
    }

    private void start(DatabasePermit place, long time) {
        long waited = time - place.since;
        DatabaseQueue queue = place.queue;
        queue.taken++;
        queue.started++;
        queue.waitNanos += waited;
        place.state = DatabasePermit.State.RESERVED;
        place.since = time;
        ConnectionShare share = share(place);
        if (share != null) {
            share.taken++;
        }
        if (queue == quick && isUserRequest(place)) {
            boolean isForLengthy = lengthy.taken >= ConnectionShare.least(limit());
            reserve.quickBegan(isForLengthy ? waited : 0);
        }
    }

    private Decision.Reject reject(DatabasePermit place, Reason reason) {
        place.state = DatabasePermit.State.FREE;
        return rejections.reject(reason, RETRY_SECONDS);
    }

    private void takeOut(DatabasePermit place) {
        line(place).remove(place);
        place.state = DatabasePermit.State.FREE;
    }

    private void release(DatabasePermit place, Queue<Decided> decided) {
        if (place.state == DatabasePermit.State.USED
                || place.state == DatabasePermit.State.RESERVED) {
            place.state = DatabasePermit.State.FREE;
            place.queue.taken--;
            ConnectionShare share = share(place);
            if (share != null) {
                share.taken--;
            }
            startNext(decided);
        }
    }

    private void startNext(Queue<Decided> decided) {
        if (isDown) {
            return;
        }
        DatabasePermit next = next();
        while (next != null) {
            takeOut(next);
            start(next, elapsed.last());
            decided.add(new Decided(next, Decision.Run.RUN));
            next = next();
        }
    }

    /// Returns what starts next: those with a right, then those that had a connection, then quick
    /// ones, then all others.
    private @Nullable DatabasePermit next() {
        int most = limit();
        if (taken() >= most) {
            return null;
        }
        if (urgentOnes.waiting() > 0) {
            return urgentOnes.all.first();
        }
        if (runningOnes.isDue(most)) {
            return runningOnes.all.first();
        }
        if (lengthy.waiting() > 0 && lengthyShare.isDue(most)) {
            return lengthy.head(elapsed.last());
        }
        if (jobs.isDue(most)) {
            return jobs.all.first();
        }
        if (againOnes.waiting() > 0) {
            return againOnes.all.first();
        }
        if (quick.waiting() > 0) {
            return quick.head(elapsed.last());
        }
        boolean isLengthyFree = isLengthyFree(most);
        if (lengthy.waiting() > 0 && isLengthyFree) {
            return lengthy.head(elapsed.last());
        }
        DatabasePermit running = runningOnes.next(lengthy, isLengthyFree);
        return running == null ? jobs.next(lengthy, isLengthyFree) : running;
    }

    private void expire(DatabaseQueue queue, long time, Queue<Decided> decided) {
        DatabasePermit place = queue.expired(time);
        while (place != null) {
            takeOut(place);
            decided.add(new Decided(place, reject(place, Reason.EXPIRED)));
            place = queue.expired(time);
        }
    }

    private void expire(ThreadQueue threads, long time, Queue<Decided> decided) {
        DatabasePermit place = threads.expired(time);
        while (place != null) {
            takeOut(place);
            decided.add(new Decided(place, reject(place, Reason.EXPIRED)));
            place = threads.expired(time);
        }
    }

    private void rejectAll(Queue<Decided> decided) {
        for (PermitQueue<DatabasePermit> queue : queues()) {
            for (DatabasePermit next = queue.first(); next != null; next = queue.first()) {
                takeOut(next);
                decided.add(new Decided(next, reject(next, Reason.NO_DATABASE)));
            }
        }
    }

    private List<PermitQueue<DatabasePermit>> queues() {
        return List.of(
                urgentOnes.all,
                againOnes.all,
                runningOnes.all,
                jobs.all,
                quick.live,
                quick.fresh,
                lengthy.live,
                lengthy.fresh);
    }
}
