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

/// Who may take one of a database's connections, and who waits. It admits no more work than there
/// are connections, so that nobody waits for one with a thread or a place at a worker.
///
/// Quick and lengthy requests are told apart by how long their routes were measured to hold a
/// connection. Who waits is served quick ones first, but for a quarter of the connections, which
/// lengthy ones have before them; of each, much shorter ones first. A visitor's request that had a
/// connection and needs another goes before those that had none. Who else waits with a thread has a
/// quarter, too, and jobs have ([ConnectionShare]); beyond it, they wait behind visitors. A
/// connection that somebody waits for is never idle, but for those that [ConnectionReserve] keeps.
/// While the database is down, who needs it is refused at once.
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

    /// Of the connections, that of lengthy visitors.
    private final ConnectionShare lengthyShare = new ConnectionShare();

    private final ThreadQueue urgentOnes;
    private final ThreadQueue againOnes;
    private final ThreadQueue runningOnes;
    private final ThreadQueue jobs;

    /// What this thread is telling. Who is told may give a place back at once: whoever has that is
    /// told after it, not in it, or as many as wait would be told each in the other's call.
    private final ThreadLocal<@Nullable Queue<Told>> telling = new ThreadLocal<>();

    private boolean isDown;
    private long left;
    private long secondAt;

    /// @param name of the pool, for those who read its numbers
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

    /// How many there are, at this moment. Takes no lock.
    public int places() {
        return limit();
    }

    /// What is known of a route; to be asked for once and kept.
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

    /// What connections are taken for that no request of a known route needs.
    public DatabaseRoute otherRoutes() {
        return otherRoutes;
    }

    /// The database does not answer, or does so again. Those who wait are refused at once.
    public void down(boolean isDown) {
        var told = new ArrayDeque<Told>();
        synchronized (lock) {
            this.isDown = isDown;
            if (isDown) {
                refuseAll(told);
            } else {
                startNext(told);
            }
        }
        tell(told);
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

    /// Refuses who has waited for too long; each second, sorts the routes and adapts the reserve.
    /// To be called each tenth of a second while there is work.
    public void tick(long now) {
        var told = new ArrayDeque<Told>();
        synchronized (lock) {
            long time = at(now);
            expire(quick, time, told);
            expire(lengthy, time, told);
            for (ThreadQueue each : List.of(urgentOnes, againOnes, runningOnes, jobs)) {
                expire(each, time, told);
            }
            if (time - secondAt >= SECOND) {
                routes.second();
                reserve.second(limit(), time - secondAt);
                secondAt = time;
            }
            startNext(told);
        }
        tell(told);
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
        var told = new ArrayDeque<Told>();
        synchronized (lock) {
            long time = at(now);
            if (place.state == DatabasePermit.State.USED) {
                long counted = place.route().ran(time - place.since);
                // Jobs tell nothing of how long visitors are to wait, nor does who is not known.
                if (counted > 0 && place.route() != otherRoutes) {
                    place.queue.ran(counted);
                }
            }
            giveBack(place, told);
        }
        tell(told);
    }

    void closeUnused(DatabasePermit place, long now) {
        var told = new ArrayDeque<Told>();
        synchronized (lock) {
            at(now);
            if (place.state == DatabasePermit.State.RESERVED) {
                place.route().ended(false);
                giveBack(place, told);
            }
        }
        tell(told);
    }

    // ---- What can be read.

    /// Everything counted, at one moment.
    ///
    /// @param limit how many connections there may be
    /// @param reserve how many of them lengthy requests may not take
    /// @param taken places that requests have
    /// @param quickWaiting and `lengthyWaiting`: those who wait for one, without a thread
    /// @param runningWaiting those who wait with one
    /// @param againWaiting of these, visitors' that had a connection before
    /// @param started that had a place, since the beginning
    /// @param refused that had none, since the beginning
    /// @param left waiting requests whose visitor went away
    /// @param waitNanos what those who started had waited, together
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
                                    ? "the database does not answer: who needs it is refused"
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

    /// What to tell whom, without the lock.
    private record Told(DatabasePermit place, Decision decision) {}

    /// Tells all of them, whatever one does about it. Who cannot be told gives its place back.
    private void tell(Queue<Told> told) {
        if (told.isEmpty()) {
            return;
        }
        Queue<Told> under = telling.get();
        if (under != null) {
            under.addAll(told);
            return;
        }
        telling.set(told);
        try {
            tellAll(told);
        } finally {
            telling.remove();
        }
    }

    private void tellAll(Queue<Told> told) {
        @Nullable Throwable failure = null;
        for (Told each = told.poll(); each != null; each = told.poll()) {
            try {
                each.place.report(each.decision);
            } catch (RuntimeException | Error e) {
                failure = failure == null ? e : failure;
                synchronized (lock) {
                    giveBack(each.place, told);
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
        if (isVisitor(place) && place.queue.isFull(isFirst, limit())) {
            return reject(place, Reason.QUEUE_FULL);
        }
        place.state = DatabasePermit.State.WAITING;
        line(place).add(place);
        return Decision.Wait.WAIT;
    }

    private static boolean isVisitor(DatabasePermit place) {
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

    /// Whether one that has just come need not wait: there is a free connection, and nobody before
    /// it who would have it.
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

    /// A visitor's may, by right, also if jobs have what is not kept.
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
        if (queue == quick && isVisitor(place)) {
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

    private void giveBack(DatabasePermit place, Queue<Told> told) {
        if (place.state == DatabasePermit.State.USED
                || place.state == DatabasePermit.State.RESERVED) {
            place.state = DatabasePermit.State.FREE;
            place.queue.taken--;
            ConnectionShare share = share(place);
            if (share != null) {
                share.taken--;
            }
            startNext(told);
        }
    }

    private void startNext(Queue<Told> told) {
        if (isDown) {
            return;
        }
        DatabasePermit next = next();
        while (next != null) {
            takeOut(next);
            start(next, elapsed.last());
            told.add(new Told(next, Decision.Run.RUN));
            next = next();
        }
    }

    /// First those with a right, then who has begun, then quick ones, then whoever waits.
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

    private void expire(DatabaseQueue queue, long time, Queue<Told> told) {
        DatabasePermit place = queue.expired(time);
        while (place != null) {
            takeOut(place);
            told.add(new Told(place, reject(place, Reason.EXPIRED)));
            place = queue.expired(time);
        }
    }

    private void expire(ThreadQueue threads, long time, Queue<Told> told) {
        DatabasePermit place = threads.expired(time);
        while (place != null) {
            takeOut(place);
            told.add(new Told(place, reject(place, Reason.EXPIRED)));
            place = threads.expired(time);
        }
    }

    private void refuseAll(Queue<Told> told) {
        for (PermitQueue<DatabasePermit> queue : queues()) {
            for (DatabasePermit next = queue.first(); next != null; next = queue.first()) {
                takeOut(next);
                told.add(new Told(next, reject(next, Reason.NO_DATABASE)));
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
