package dev.tandem.engine;

import dev.tandem.admission.DatabaseLane;
import dev.tandem.admission.DatabasePermit;
import org.jspecify.annotations.Nullable;

/// The permits that admission has granted to a running request. Confined to the thread that runs
/// it.
public interface AdmittedRequest {

    /// Returns its permit of a database's lane, which is in use from then on; null if it was not
    /// admitted with one of this lane, or has used it.
    ///
    /// @param now by [System#nanoTime()]
    @Nullable DatabasePermit use(DatabaseLane lane, long now);

    /// Whether it has used its permit of this lane.
    boolean hasUsed(DatabaseLane lane);

    /// Releases its worker permit before its end: it waits without using a processor.
    void detach();

    /// Returns the databases that the server knows.
    Databases databases();
}
