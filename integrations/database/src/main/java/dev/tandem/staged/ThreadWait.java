package dev.tandem.staged;

import dev.tandem.admission.DataPlace;
import dev.tandem.admission.DataRoute;
import dev.tandem.admission.Decision;
import dev.tandem.admission.Reason;
import java.util.concurrent.CountDownLatch;

/// A thread that waits for a place. Its own, but for what the lane decides.
final class ThreadWait {
    private final DataPlace place;
    private final CountDownLatch latch = new CountDownLatch(1);
    private volatile Decision decision = new Decision.Wait();

    ThreadWait(DataRoute route, DataPlace.Kind kind) {
        place = new DataPlace(route, kind, this::decided);
    }

    DataPlace place() {
        return place;
    }

    Decision ask() {
        return place.ask(System.nanoTime());
    }

    private void decided(Decision made) {
        decision = made;
        latch.countDown();
    }

    /// Until the lane decides, which it does in time; or this thread is interrupted.
    void await() {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            abandon();
            decision = new Decision.Wait();
        }
    }

    /// Nobody waits any more.
    void abandon() {
        if (!place.leave()) {
            place.closeUnused(System.nanoTime()); // it came at this very moment
        }
    }

    Decision decision() {
        return decision;
    }

    String why(Decision last) {
        return switch (last) {
            case Decision.Shed(Reason reason, int _) when reason == Reason.NO_DATABASE ->
                    "the database does not answer";
            case Decision.Shed _ -> "none was given back in time";
            case Decision.Wait _ -> "interrupted while waiting for one";
            case Decision.Run _ -> "it was given back already";
        };
    }
}
