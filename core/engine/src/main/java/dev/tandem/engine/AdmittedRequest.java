package dev.tandem.engine;

import dev.tandem.admission.DatabaseLane;
import dev.tandem.admission.DatabasePermit;
import org.jspecify.annotations.Nullable;

/// The permits that admission has granted to a running request. Confined to the thread that runs
/// it.
public interface AdmittedRequest {

    /// Notes that the request uses a database.
    void addDatabase(DatabaseLane lane);

    /// Returns the connection of a database's lane that the request was granted when it was
    /// admitted, in use from now on; null if there is none, or it was used already.
    ///
    /// @param now by [System#nanoTime()]
    @Nullable DatabasePermit useConnection(DatabaseLane lane, long now);

    /// Returns whether it has used a connection of this lane that it was granted when it was
    /// admitted.
    boolean hasUsedConnection(DatabaseLane lane);

    /// Runs a wait for a connection on the calling thread; other requests run meanwhile.
    void awaitConnection(Runnable wait);

    /// Releases its worker slot before its end: it waits for what needs no processor.
    void detach();
}
