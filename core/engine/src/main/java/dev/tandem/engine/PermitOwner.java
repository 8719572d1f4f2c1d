package dev.tandem.engine;

import dev.tandem.admission.DatabaseLane;
import dev.tandem.admission.DatabasePermit;
import dev.tandem.admission.Permit;
import org.jspecify.annotations.Nullable;

/// What has a permit of admission, if it was asked: a request, or a message of a session. Belongs
/// to the thread that has the request or the session's input.
abstract class PermitOwner implements AdmittedRequest {
    final Dispatcher dispatcher;
    @Nullable Permit permit;

    PermitOwner(Dispatcher dispatcher) {
        this.dispatcher = dispatcher;
    }

    @Override
    public final void addDatabase(DatabaseLane lane) {
        dispatcher.admission().addDatabase(lane);
    }

    @Override
    public final @Nullable DatabasePermit useConnection(DatabaseLane lane, long now) {
        Permit held = permit;
        return held == null ? null : held.useConnection(lane, now);
    }

    @Override
    public final boolean hasUsedConnection(DatabaseLane lane) {
        Permit held = permit;
        return held != null && held.hasUsedConnection(lane);
    }

    @Override
    public final void awaitConnection(Runnable wait) {
        Permit held = permit;
        if (held == null) {
            wait.run();
        } else {
            held.awaitConnection(wait, dispatcher.nanos());
        }
    }

    @Override
    public final void detach() {
        Permit held = permit;
        if (held != null) {
            dispatcher.detach(held);
        }
    }
}
