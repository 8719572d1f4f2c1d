package dev.tandem.engine;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/// Threads that become idle while there is work for them. Compiled and run by `WakeRacesTest`.
final class WakeRaces {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final long LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    private WakeRaces() {}

    private static int count(AtomicInteger ran, int wanted) {
        long begin = System.nanoTime();
        while (ran.get() < wanted && System.nanoTime() - begin < PATIENCE_NANOS) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return ran.get();
    }

    /// The heartbeat's thread becomes idle while it is called: it does not sleep, or is woken.
    @JCStressTest
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "called before it lay down")
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "woken, but it saw the call")
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "asleep, and woken")
    @Outcome(expect = Expect.FORBIDDEN, desc = "sleeps, and is not woken")
    @State
    public static class CallAndRest {
        final IdleSleep sleep = new IdleSleep();

        @Actor
        public void calls(II_Result r) {
            r.r1 = sleep.call() ? 1 : 0;
        }

        @Actor
        public void rests(II_Result r) {
            sleep.begin();
            r.r2 = sleep.lasts() ? 1 : 0;
        }
    }

    /// Two threads submit tasks while the only worker becomes idle, or has none to wake yet.
    @JCStressTest
    @Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "both ran")
    @Outcome(expect = Expect.FORBIDDEN, desc = "one was lost or ran twice")
    @State
    public static class SubmitAndSubmit {
        private static final WorkerPool WORKERS =
                new WorkerPool(1, () -> IoContext.ofWorker(IoContext.WORKER_BUFFER));

        final AtomicInteger ran = new AtomicInteger();

        @Actor
        public void one() {
            WORKERS.submit(_ -> ran.incrementAndGet());
        }

        @Actor
        public void other() {
            WORKERS.submit(_ -> ran.incrementAndGet());
        }

        @Arbiter
        public void look(I_Result r) {
            r.r1 = count(ran, 2);
        }
    }

    /// A worker keeps a task for itself while others wake and become idle.
    @JCStressTest
    @Outcome(id = "4", expect = Expect.ACCEPTABLE, desc = "all ran")
    @Outcome(expect = Expect.FORBIDDEN, desc = "one was lost or ran twice")
    @State
    public static class SubmitAtEndAndSubmit {
        private static final WorkerPool WORKERS =
                new WorkerPool(2, () -> IoContext.ofWorker(IoContext.WORKER_BUFFER));

        final AtomicInteger ran = new AtomicInteger();

        private void last() {
            WORKERS.submitAtEnd(_ -> ran.incrementAndGet());
            ran.incrementAndGet();
        }

        @Actor
        public void one() {
            WORKERS.submit(_ -> last());
        }

        @Actor
        public void other() {
            WORKERS.submit(_ -> last());
        }

        @Arbiter
        public void look(I_Result r) {
            r.r1 = count(ran, 4);
        }
    }
}
