package dev.tandem.engine;

import dev.tandem.admission.DatabaseLane;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/// The databases that a server's exchanges use. Safe for use by any thread.
public final class Databases {
    /// Lanes of the databases that exchanges have used.
    private final Set<DatabaseLane> lanes = ConcurrentHashMap.newKeySet();

    /// Number of exchanges that wait for a connection with a thread, but without a worker permit.
    private final AtomicInteger waits = new AtomicInteger();

    /// Number of exchanges that run with a permit of a lane, and without a worker permit.
    private final AtomicInteger runs = new AtomicInteger();

    private final int waitsMax;

    /// @param waitsMax maximum number of exchanges that wait so at once
    Databases(int waitsMax) {
        this.waitsMax = waitsMax;
    }

    public Set<DatabaseLane> lanes() {
        return lanes;
    }

    public AtomicInteger waits() {
        return waits;
    }

    AtomicInteger runs() {
        return runs;
    }

    public int waitsMax() {
        return waitsMax;
    }
}
