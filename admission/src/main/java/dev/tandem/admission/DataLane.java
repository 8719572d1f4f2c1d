package dev.tandem.admission;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/// Who may take one of a database's connections, and who waits. It admits no more work than there
/// are connections, so that nobody waits for one with a thread or a place at a worker.
///
/// Quick and lengthy requests are told apart by how long their routes were measured to hold a
/// connection. Who waits is served quick ones first, but for a quarter of the connections, which
/// lengthy ones have before anybody else; of each, much shorter ones first. A connection that
/// somebody waits for is never idle, but for those that [DataReserve] keeps. While the database is
/// down, who needs it is refused at once.
///
/// Pure: no thread, no clock. Any thread may call any method; one lock guards all state, and no
/// code of the caller's is called under it but `size`.
public final class DataLane {
    private static final long SECOND = 1_000_000_000;

    private final String name;
    private final IntSupplier size;
    private final Runnable busy;

    private final Object lock = new Object();
    private final Elapsed elapsed = new Elapsed();
    private final Routes routes = new Routes(false);
    private final Map<String, DataRoute> known = new LinkedHashMap<>();
    private final DataRoute otherRoutes = new DataRoute(this, routes.other());
    private final DataReserve reserve = new DataReserve();
    private final DataWaits waits;
    private final DataQueue quick;
    private final DataQueue lengthy;

    /// Those that hold a thread and wait; they go first.
    private final ArrayDeque<DataPlace> runningOnes = new ArrayDeque<>();

    private boolean isDown;
    private long left;
    private long secondAt;

    /// @param name of the pool, for those who read its numbers
    /// @param size how many connections there may be; asked for each request, so that a change is
    ///     followed at once
    /// @param busy called without any lock when something begins to wait: from then on [#tick] is
    ///     needed
    public DataLane(String name, IntSupplier size, Runnable busy) {
        this(name, size, busy, DataWaits.DEFAULT);
    }

    /// The same, with other limits than the default ones.
    public DataLane(String name, IntSupplier size, Runnable busy, DataWaits waits) {
        this.name = name;
        this.size = size;
        this.busy = busy;
        this.waits = waits;
        this.quick = new DataQueue(waits);
        this.lengthy = new DataQueue(waits);
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
    public DataRoute route(String id) {
        synchronized (lock) {
            RouteLoad load = routes.find(id, false);
            return load == routes.other()
                    ? otherRoutes
                    : known.computeIfAbsent(id, _ -> new DataRoute(this, load));
        }
    }

    /// What connections are taken for that no request of a known route needs.
    public DataRoute otherRoutes() {
        return otherRoutes;
    }

    /// The database does not answer, or does so again. Those who wait are refused at once.
    public void down(boolean isDown) {
        var told = new ArrayList<Told>();
        synchronized (lock) {
            this.isDown = isDown;
            if (isDown) {
                refuseAll(told);
            } else {
                startNext(told);
            }
        }
        told.forEach(Told::tell);
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
        var told = new ArrayList<Told>();
        synchronized (lock) {
            long time = at(now);
            expire(quick, time, told);
            expire(lengthy, time, told);
            expireRunning(time, told);
            if (time - secondAt >= SECOND) {
                routes.second();
                reserve.second(limit(), time - secondAt);
                secondAt = time;
            }
            startNext(told);
        }
        told.forEach(Told::tell);
    }

    // ---- Called by places.

    /// Where a place belongs that has not been asked for yet.
    DataQueue unsorted() {
        return lengthy;
    }

    Decision ask(DataPlace place, long now) {
        Decision decision;
        synchronized (lock) {
            decision = decide(place, at(now));
        }
        if (decision instanceof Decision.Wait) {
            busy.run();
        }
        return decision;
    }

    boolean leave(DataPlace place) {
        synchronized (lock) {
            if (place.state != DataPlace.State.WAITING) {
                return false;
            }
            takeOut(place);
            left++;
            return true;
        }
    }

    boolean used(DataPlace place, long now) {
        synchronized (lock) {
            if (place.state != DataPlace.State.RESERVED) {
                return false;
            }
            place.state = DataPlace.State.USED;
            place.since = at(now);
            place.route().ended(true);
            return true;
        }
    }

    void close(DataPlace place, long now) {
        var told = new ArrayList<Told>();
        synchronized (lock) {
            long time = at(now);
            if (place.state == DataPlace.State.USED) {
                long nanos = time - place.since;
                place.route().load.ran(nanos);
                place.queue.ran(nanos);
            }
            giveBack(place, told);
        }
        told.forEach(Told::tell);
    }

    void closeUnused(DataPlace place, long now) {
        var told = new ArrayList<Told>();
        synchronized (lock) {
            at(now);
            if (place.state == DataPlace.State.RESERVED) {
                place.route().ended(false);
                giveBack(place, told);
            }
        }
        told.forEach(Told::tell);
    }

    // ---- What can be read.

    /// Everything counted, at one moment.
    ///
    /// @param limit how many connections there may be
    /// @param reserve how many of them lengthy requests may not take
    /// @param taken places that requests have
    /// @param quickWaiting and `lengthyWaiting`: those who wait for one, without a thread
    /// @param runningWaiting those who wait with one
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
                    runningOnes.size(),
                    quick.started + lengthy.started,
                    quick.refused + lengthy.refused,
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
            for (DataRoute route : known.values()) {
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
    private record Told(DataPlace place, Decision decision) {
        void tell() {
            place.tell(decision);
        }
    }

    /// The time since the first call; notes for how long connections were idle.
    private long at(long now) {
        long time = elapsed.at(now);
        boolean isWanted = lengthy.waiting() > 0;
        reserve.passed(time, isWanted ? Math.max(0, limit() - taken()) : 0);
        return time;
    }

    private int limit() {
        return Math.max(1, size.getAsInt());
    }

    private int taken() {
        return quick.taken + lengthy.taken;
    }

    private int waiting() {
        return quick.waiting() + lengthy.waiting() + runningOnes.size();
    }

    private Decision decide(DataPlace place, long time) {
        if (place.state != DataPlace.State.FREE) {
            throw new IllegalStateException(
                    "a place is used once, was asked for while " + place.state);
        }
        place.queue = place.route().load.lane() == Lane.QUICK ? quick : lengthy;
        place.route().load.recent++;
        place.since = time;
        if (isDown) {
            return refuse(place, Reason.NO_DATABASE);
        }
        if (place.kind() == DataPlace.Kind.RUNNING) {
            if (taken() < limit()) {
                start(place, time);
                return Decision.Run.RUN;
            }
            place.state = DataPlace.State.WAITING;
            runningOnes.add(place);
            return Decision.Wait.WAIT;
        }
        if (runningOnes.isEmpty() && place.queue.waiting() == 0 && mayStart(place.queue)) {
            start(place, time);
            return Decision.Run.RUN;
        }
        boolean isFirst = place.kind() == DataPlace.Kind.FIRST;
        if (place.queue.isFull(isFirst, limit())) {
            return refuse(place, Reason.QUEUE_FULL);
        }
        place.state = DataPlace.State.WAITING;
        place.queue.of(place).add(place);
        return Decision.Wait.WAIT;
    }

    private boolean mayStart(DataQueue queue) {
        int most = limit();
        return taken() < most && (queue == quick || lengthy.taken < most - reserve.size(most));
    }

    private void start(DataPlace place, long time) {
        long waited = time - place.since;
        DataQueue queue = place.queue;
        queue.taken++;
        queue.started++;
        queue.waitNanos += waited;
        place.state = DataPlace.State.RESERVED;
        place.since = time;
        if (queue == quick) {
            boolean isForLengthy = lengthy.taken >= DataReserve.lengthyLeast(limit());
            reserve.quickBegan(isForLengthy ? waited : 0);
        }
    }

    private Decision.Shed refuse(DataPlace place, Reason reason) {
        place.state = DataPlace.State.FREE;
        place.queue.refused++;
        return new Decision.Shed(reason, 1 + (int) (place.queue.refused % 3));
    }

    private void takeOut(DataPlace place) {
        if (place.kind() == DataPlace.Kind.RUNNING) {
            runningOnes.remove(place);
        } else {
            place.queue.of(place).remove(place);
        }
        place.state = DataPlace.State.FREE;
    }

    private void giveBack(DataPlace place, List<Told> told) {
        if (place.state == DataPlace.State.USED || place.state == DataPlace.State.RESERVED) {
            place.state = DataPlace.State.FREE;
            place.queue.taken--;
            startNext(told);
        }
    }

    private void startNext(List<Told> told) {
        if (isDown) {
            return;
        }
        DataPlace next = next();
        while (next != null) {
            takeOut(next);
            start(next, elapsed.last());
            told.add(new Told(next, Decision.Run.RUN));
            next = next();
        }
    }

    private @Nullable DataPlace next() {
        if (!runningOnes.isEmpty()) {
            return taken() < limit() ? runningOnes.getFirst() : null;
        }
        boolean isShort = lengthy.taken < DataReserve.lengthyLeast(limit());
        DataQueue first =
                isShort && lengthy.waiting() > 0 || quick.waiting() == 0 ? lengthy : quick;
        return mayStart(first) ? first.head(elapsed.last()) : null;
    }

    private void expire(DataQueue queue, long time, List<Told> told) {
        DataPlace place = queue.expired(time);
        while (place != null) {
            takeOut(place);
            told.add(new Told(place, refuse(place, Reason.EXPIRED)));
            place = queue.expired(time);
        }
    }

    private void expireRunning(long time, List<Told> told) {
        while (!runningOnes.isEmpty() && time - runningOnes.getFirst().since > waits.liveNanos()) {
            DataPlace place = runningOnes.getFirst();
            takeOut(place);
            told.add(new Told(place, refuse(place, Reason.EXPIRED)));
        }
    }

    private void refuseAll(List<Told> told) {
        var all = new ArrayList<>(runningOnes);
        for (DataQueue queue : List.of(quick, lengthy)) {
            all.addAll(queue.live);
            all.addAll(queue.first);
        }
        for (DataPlace place : all) {
            takeOut(place);
            told.add(new Told(place, refuse(place, Reason.NO_DATABASE)));
        }
    }
}
