package dev.tandem.admission;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/// The stage of a request in which it needs a database connection: which databases a server's
/// requests use, and how many requests hold no worker slot since a connection is their limit.
/// Any thread may call any method; none takes a lock.
final class DatabaseStage {
    private final Set<DatabaseLane> lanes = ConcurrentHashMap.newKeySet();

    /// Requests that run because they were granted a connection, and hold no worker slot.
    private final AtomicInteger runs = new AtomicInteger();

    /// Running requests whose thread waits for a connection, without a worker slot.
    private final AtomicInteger waits = new AtomicInteger();

    private final Limits limits;

    DatabaseStage(Limits limits) {
        this.limits = limits;
    }

    Set<DatabaseLane> lanes() {
        return lanes;
    }

    /// Counts a request that was granted a connection. It needs no worker slot in addition: it
    /// would keep its connection from others while it waits for one. But where many have released
    /// their connections and still run, as while they render pages, processors are the limit.
    ///
    /// @return false if as many run as there are connections, and as many more as workers that a
    ///     server starts with: then it needs a worker slot as well, and is not counted
    boolean beginRun(DatabaseLane lane) {
        if (runs.incrementAndGet() > lane.connections() + limits.workersFirst()) {
            runs.decrementAndGet();
            return false;
        }
        return true;
    }

    void endRun() {
        runs.decrementAndGet();
    }

    /// Returns how many requests run with a connection, or had one, and without a worker slot.
    int runs() {
        return runs.get();
    }

    /// Counts a running request whose thread begins to wait for a connection.
    ///
    /// @return whether it releases its worker slot meanwhile: at most as many do as may run
    boolean beginWait() {
        return waits.incrementAndGet() <= limits.workersMax();
    }

    void endWait() {
        waits.decrementAndGet();
    }
}
