package dev.tandem.engine;

import dev.tandem.admission.DatabaseLane;
import dev.tandem.admission.DatabasePermit;
import org.jspecify.annotations.Nullable;

/// What admission has granted to a request that runs. Confined to the thread that runs it.
public interface AdmittedRequest {

    /// Returns its place in use of a database's lane, if it was admitted with one of this lane that
    /// was not used yet; else null.
    ///
    /// @param now by [System#nanoTime()]
    @Nullable DatabasePermit use(DatabaseLane lane, long now);

    /// Whether it has used a place of this lane that it was admitted with.
    boolean hasUsed(DatabaseLane lane);

    /// Gives its place to others before its end: it waits for what needs no processor.
    void detach();

    /// Returns what the server knows of its databases.
    Databases databases();
}
