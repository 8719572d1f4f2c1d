package dev.tandem.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.RepeatedTest;

/// Several threads at once: no waiting request is lost, and no more run than may.
class StressTest {
    private static final int THREADS = 4;
    private static final int REQUESTS = 20_000;
    private static final int WORKERS = 3;

    private final Admission admission = new Admission(new Limits(WORKERS, WORKERS));
    private final RouteLoad route = admission.route("GET /");
    private final AtomicInteger concurrent = new AtomicInteger();
    private final AtomicInteger concurrentMost = new AtomicInteger();
    private final AtomicLong done = new AtomicLong();
    private final AtomicLong rejected = new AtomicLong();
    private final AtomicLong clock = new AtomicLong();

    /// Permits whose requests run: a queue like that of a worker pool, so that permits change
    /// threads.
    private final ConcurrentLinkedQueue<Permit> toRun = new ConcurrentLinkedQueue<>();

    @RepeatedTest(5)
    void noRequestIsLost() throws InterruptedException {
        var end = new CountDownLatch(THREADS);
        for (int i = 0; i < THREADS; i++) {
            Thread.ofPlatform()
                    .start(
                            () -> {
                                send();
                                end.countDown();
                            });
        }
        assertTrue(end.await(60, TimeUnit.SECONDS));
        while (work()) {}
        assertEquals((long) THREADS * REQUESTS, done.get() + rejected.get());
        assertTrue(concurrentMost.get() <= WORKERS, concurrentMost + " ran at once");
        assertTrue(done.get() > REQUESTS, "most are completed, not rejected: " + done);
        assertEquals(0, admission.counters().running());
        assertEquals(0, admission.counters().lanes().stream().mapToInt(l -> l.waiting()).sum());
    }

    private void send() {
        var session = new Session();
        for (int i = 0; i < REQUESTS; i++) {
            var permit = admission.newPermit(AdmissionTask.of(_ -> {}));
            switch (permit.decide(route, null, session, clock.addAndGet(1000))) {
                case Decision.Run() -> begin(permit);
                case Decision.Wait() -> {}
                case Decision.Reject _ -> rejected.incrementAndGet();
            }
            work();
        }
    }

    private void begin(Permit permit) {
        int now = concurrent.incrementAndGet();
        concurrentMost.accumulateAndGet(now, Math::max);
        toRun.add(permit);
    }

    /// Ends one run and starts what may follow.
    ///
    /// @return false if none runs
    private boolean work() {
        Permit running = toRun.poll();
        if (running == null) {
            return false;
        }
        concurrent.decrementAndGet();
        running.complete(clock.addAndGet(1000));
        done.incrementAndGet();
        Permit next;
        while ((next = admission.next(clock.get())) != null) {
            if (next.decision() instanceof Decision.Run) {
                begin(next);
            } else {
                rejected.incrementAndGet();
            }
        }
        return true;
    }
}
