package dev.tandem.engine.memory;

import dev.tandem.admission.DatabaseLane;
import dev.tandem.admission.DatabasePermit;
import dev.tandem.engine.AdmittedRequest;
import org.jspecify.annotations.Nullable;

/// A request that runs without admission: its thread is the caller's, and it waits there for
/// connections of databases.
enum Unadmitted implements AdmittedRequest {
    INSTANCE;

    @Override
    public void addDatabase(DatabaseLane lane) {
        // Nothing is learned.
    }

    @Override
    public @Nullable DatabasePermit useConnection(DatabaseLane lane, long now) {
        return null;
    }

    @Override
    public boolean hasUsedConnection(DatabaseLane lane) {
        return false;
    }

    @Override
    public void awaitConnection(Runnable wait) {
        wait.run();
    }

    @Override
    public void detach() {
        // There is no slot.
    }
}
