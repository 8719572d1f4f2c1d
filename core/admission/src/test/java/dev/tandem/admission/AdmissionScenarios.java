package dev.tandem.admission;

import dev.tandem.testkit.interleave.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Threads that decide about requests, run them and release their slots, in every order.
final class AdmissionScenarios {
    private AdmissionScenarios() {}

    /// Requests for one slot, as the engine runs them: the thread that ends a run starts the next.
    abstract static class OneSlot implements Scenario {
        private final Admission admission = new Admission(new Limits(1, 1));
        private final AtomicInteger running = new AtomicInteger();
        final AtomicInteger completed = new AtomicInteger();
        final AtomicInteger cancelled = new AtomicInteger();

        final Permit request() {
            return admission.newPermit(AdmissionTask.of(_ -> {}));
        }

        final void decideAndRun(Permit permit) {
            Decision decision = permit.decide(admission.otherRoutes(), null, new Session(), 0);
            if (decision instanceof Decision.Run) {
                run(permit);
            }
        }

        private void run(Permit first) {
            for (Permit permit = first; permit != null; permit = nextAfter(permit)) {
                if (running.incrementAndGet() != 1) {
                    throw new AssertionError("two run in one slot");
                }
                completed.incrementAndGet();
                running.decrementAndGet();
            }
        }

        private @Nullable Permit nextAfter(Permit permit) {
            permit.close();
            return admission.next(1);
        }

        @Override
        public void check() {
            if (completed.get() + cancelled.get() != requests()
                    || admission.counters().running() != 0
                    || admission.waitingCount() != 0) {
                throw new AssertionError(completed + " ran, " + admission.waitingCount() + " wait");
            }
        }

        abstract int requests();
    }

    /// Three requests at once: each runs, and never two at the same time.
    static final class ThreeRequests extends OneSlot {
        @Override
        public List<Runnable> actors() {
            var actors = new ArrayList<Runnable>();
            for (int i = 0; i < requests(); i++) {
                Permit permit = request();
                actors.add(() -> decideAndRun(permit));
            }
            return actors;
        }

        @Override
        int requests() {
            return 3;
        }
    }

    /// One of two requests that wait is cancelled meanwhile: it runs, or is cancelled.
    static final class CancelledRequest extends OneSlot {
        private final Permit first = request();
        private final Permit second = request();

        private void decideAndCancel() {
            decideAndRun(second);
            if (second.cancel()) {
                cancelled.incrementAndGet();
            }
        }

        @Override
        public List<Runnable> actors() {
            return List.of(() -> decideAndRun(first), this::decideAndCancel);
        }

        @Override
        int requests() {
            return 2;
        }
    }
}
