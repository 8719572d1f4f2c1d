package dev.tandem.engine;

import dev.tandem.admission.HandshakeAdmission;
import dev.tandem.admission.HandshakeCounters;
import dev.tandem.admission.HandshakeLane;
import dev.tandem.admission.HandshakePermit;
import dev.tandem.admission.HandshakeResult;
import dev.tandem.admission.HandshakeStep;
import dev.tandem.admission.HandshakeTask;
import dev.tandem.admission.RequestLoad;
import dev.tandem.net.Loop;
import dev.tandem.net.NanoClock;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The threads that do the key work of TLS handshakes, as [HandshakeAdmission] decides. Safe for
/// use by any thread.
///
/// Where no processor is to spare, that is the thread that has the connection's loop: it does one
/// handshake, then all that its sockets report, then the next. So a request waits for one handshake
/// at most, no thread is woken, and no processor is idle while a handshake waits. A handshake that
/// turns out to be long loses its thread the loop, as a handler does. Otherwise it is a worker.
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
    /// @param mayUseLoop whether the thread that has a loop may do key work now
    /// @param isIdle whether nothing runs or waits but what loops do themselves
    record Means(
            Executor workers,
            NanoClock clock,
            LongConsumer pause,
            Supplier<RequestLoad> requests,
            Predicate<Loop> mayUseLoop,
            BooleanSupplier isIdle) {}

    HandshakeWorkers(HandshakeAdmission admission, Means means) {
        this.admission = admission;
        this.means = means;
    }

    /// Has a handshake run or rejected, now or later. The caller, which has the loop, must not
    /// touch its connection afterwards, unless this fails: then the handshake is not queued.
    ///
    /// @param loop the connection's
    public void submit(HandshakePermit permit, Loop loop) {
        long now = means.clock.nanos();
        if (admission.isLoadDue(now)) {
            admission.reportLoad(means.requests.get(), now);
        }
        boolean isOnLoop = means.mayUseLoop.test(loop);
        HandshakeLane lane = admission.enqueue(permit, isOnLoop, now);
        if (lane == null) {
            return;
        }
        try {
            begin(lane, isOnLoop ? loop : null);
        } catch (Throwable e) {
            if (admission.withdraw(lane, permit)) {
                throw e;
            }
            // Another worker has taken it: its connection is no longer the caller's.
            Log.failure("a worker for handshakes was not started", e);
        }
    }

    // Whatever ends a worker of a lane, such as a lack of memory, the lane has to know: it counts
    // its workers, and would have none any more.

    /// @param loop whose thread is the worker; null for none
    private void begin(HandshakeLane lane, @Nullable Loop loop) {
        try {
            if (loop != null) {
                continueOnLoop(lane, loop);
            } else {
                means.workers.execute(() -> work(lane));
            }
        } catch (Throwable e) {
            admission.workerLost(lane);
            throw e;
        }
    }

    private void continueOnLoop(HandshakeLane lane, Loop loop) {
        if (admission.isShort(lane)) {
            loop.execute(() -> workOnLoop(lane, loop));
        } else {
            means.workers.execute(() -> work(lane));
        }
    }

    /// Runs one handshake of a lane. The next one follows when the loop has done all that its
    /// sockets report.
    private void workOnLoop(HandshakeLane lane, Loop loop) {
        try {
            boolean isIdle = means.isIdle.getAsBoolean();
            var inline = new InlineRun(lane); // before it is taken out: nothing must fail then
            HandshakeStep step = admission.next(lane, isIdle, means.clock.nanos());
            // Not a switch over types, which is linked at the first handshake.
            if (step instanceof HandshakeStep.Run run) {
                inline.step = run;
                loop.runInline(inline);
                continueOnLoop(lane, loop); // by another thread, if this one has lost the loop
            } else if (step instanceof HandshakeStep.Pause pause) {
                means.workers.execute(() -> continueLater(lane, loop, pause.nanos()));
            }
        } catch (Throwable e) {
            admission.workerLost(lane);
            throw e;
        }
    }

    private void continueLater(HandshakeLane lane, Loop loop, long nanos) {
        try {
            means.pause.accept(nanos);
            continueOnLoop(lane, loop);
        } catch (Throwable e) {
            admission.workerLost(lane);
            throw e;
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
        try {
            for (int i = 0; i < RUNS; i++) {
                HandshakeStep step = admission.next(lane, false, means.clock.nanos());
                if (step instanceof HandshakeStep.Run run) {
                    run(lane, run);
                } else if (step instanceof HandshakeStep.Pause(long nanos)) {
                    means.pause.accept(nanos);
                } else {
                    return;
                }
            }
            means.workers.execute(() -> work(lane));
        } catch (Throwable e) {
            admission.workerLost(lane);
            throw e;
        }
    }

    /// A handshake that the thread of a loop runs.
    private final class InlineRun implements Runnable {
        private final HandshakeLane lane;
        private HandshakeStep.@Nullable Run step;

        InlineRun(HandshakeLane lane) {
            this.lane = lane;
        }

        @Override
        public void run() {
            HandshakeStep.Run taken = step;
            if (taken != null) {
                HandshakeWorkers.this.run(lane, taken);
            }
        }
    }

    /// Runs a handshake, whose failure must not cost its lane a worker.
    private void run(HandshakeLane lane, HandshakeStep.Run run) {
        HandshakePermit permit = run.permit();
        if (run.isCheckDue() && isDisconnected(permit.task())) {
            admission.cancelled(lane, permit, means.clock.nanos());
            return;
        }
        try {
            permit.task().run();
        } catch (Throwable e) {
            Log.failure("a handshake failed", e);
        } finally {
            admission.completed(lane, permit, means.clock.nanos());
        }
    }

    private static boolean isDisconnected(HandshakeTask task) {
        try {
            return task.isDisconnected();
        } catch (Throwable e) {
            Log.failure("a handshake failed", e);
            return true;
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
