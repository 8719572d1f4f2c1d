package dev.tandem.database;

import dev.tandem.admission.AdmissionTask;
import dev.tandem.admission.DatabasePermit;
import dev.tandem.admission.DatabaseRoute;
import dev.tandem.admission.Decision;
import dev.tandem.admission.Reason;
import java.util.concurrent.CountDownLatch;

/// A thread's wait for a permit. Confined to the thread, except for the lane's decision.
final class PermitWait {
    private final DatabasePermit permit;
    private final CountDownLatch latch = new CountDownLatch(1);
    private volatile Decision decision = new Decision.Wait();

    PermitWait(DatabaseRoute route, DatabasePermit.Kind kind) {
        permit = new DatabasePermit(route, kind, AdmissionTask.of(this::onDecision));
    }

    DatabasePermit permit() {
        return permit;
    }

    Decision request() {
        return permit.request(System.nanoTime());
    }

    private void onDecision(Decision made) {
        decision = made;
        latch.countDown();
    }

    /// Waits until the lane decides, which it does within its time limit, or until this thread is
    /// interrupted.
    void await() {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            abandon();
            decision = new Decision.Wait();
        }
    }

    /// Gives up waiting.
    void abandon() {
        if (!permit.cancel()) {
            permit.releaseUnused(); // granted at this very moment
        }
    }

    Decision decision() {
        return decision;
    }

    String describe(Decision last) {
        return switch (last) {
            case Decision.Reject(Reason reason, int _) when reason == Reason.NO_DATABASE ->
                    "the database does not respond";
            case Decision.Reject _ -> "none was returned in time";
            case Decision.Wait _ -> "interrupted while waiting for one";
            case Decision.Run _ -> "it was returned already";
        };
    }
}
