package dev.tandem.engine;

import dev.tandem.admission.DatabaseLane;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/// What a server knows of the databases that its exchanges use. Safe for use by any thread.
public final class Databases {
    /// Of the databases that exchanges were seen to use.
    private final Set<DatabaseLane> lanes = ConcurrentHashMap.newKeySet();

    /// Exchanges that wait for a connection with a thread, but in no worker's place.
    private final AtomicInteger waits = new AtomicInteger();

    /// Exchanges that run in a lane's place, and in no worker's.
    private final AtomicInteger runs = new AtomicInteger();

    private final int waitsMax;

    /// @param waitsMax how many exchanges may wait so at once
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
