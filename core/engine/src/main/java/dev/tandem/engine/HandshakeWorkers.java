package dev.tandem.engine;

import dev.tandem.admission.HandshakeAdmission;
import dev.tandem.admission.HandshakeCounters;
import dev.tandem.admission.HandshakeLane;
import dev.tandem.admission.HandshakePermit;
import dev.tandem.admission.HandshakeResult;
import dev.tandem.admission.HandshakeStep;
import dev.tandem.admission.RequestLoad;
import dev.tandem.net.NanoClock;
import java.util.concurrent.Executor;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/// The workers that do the key work of TLS handshakes, as [HandshakeAdmission] decides. Safe for
/// use by any thread.
public final class HandshakeWorkers {
    /// Handshakes that a worker does before it queues itself again behind other tasks.
    private static final int RUNS = 32;

    private final HandshakeAdmission admission;
    private final Means means;

    /// Functions that the workers need.
    ///
    /// @param workers run a task soon
    /// @param pause lets the calling thread sleep for some nanoseconds
    /// @param requests returns what the engine has done so far
    record Means(
            Executor workers,
            NanoClock clock,
            LongConsumer pause,
            Supplier<RequestLoad> requests) {}

    HandshakeWorkers(HandshakeAdmission admission, Means means) {
        this.admission = admission;
        this.means = means;
    }

    /// Has a handshake run or rejected, now or later. The caller must not touch its connection
    /// afterwards.
    public void submit(HandshakePermit permit) {
        long now = means.clock.nanos();
        if (admission.isLoadDue(now)) {
            admission.reportLoad(means.requests.get(), now);
        }
        HandshakeLane lane = admission.enqueue(permit, now);
        if (lane != null) {
            means.workers.execute(() -> work(lane));
        }
    }

    /// Continues a handshake for which key work was done before.
    public void resume(HandshakePermit permit) {
        means.workers.execute(
                () -> {
                    permit.task().run();
                    admission.charge(permit, means.clock.nanos());
                });
    }

    /// Runs handshakes of a lane as long as some are queued.
    private void work(HandshakeLane lane) {
        for (int i = 0; i < RUNS; i++) {
            HandshakeStep step = admission.next(lane, means.clock.nanos());
            if (step instanceof HandshakeStep.Run run) {
                run(lane, run);
            } else if (step instanceof HandshakeStep.Pause(long nanos)) {
                means.pause.accept(nanos);
            } else {
                return;
            }
        }
        means.workers.execute(() -> work(lane));
    }

    private void run(HandshakeLane lane, HandshakeStep.Run run) {
        HandshakePermit permit = run.permit();
        if (run.isCheckDue() && permit.task().isDisconnected()) {
            admission.cancelled(lane, permit, means.clock.nanos());
            return;
        }
        try {
            permit.task().run();
        } finally {
            admission.completed(lane, permit, means.clock.nanos());
        }
    }

    public void learn(HandshakeResult result) {
        admission.learn(result, means.clock.nanos());
    }

    public HandshakeCounters counters() {
        return admission.counters(means.clock.nanos());
    }

    /// Closes the handshakes that wait, and from now on all that are submitted.
    public void stop() {
        admission.stop();
    }
}
