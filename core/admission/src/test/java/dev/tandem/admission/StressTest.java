package dev.tandem.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.RepeatedTest;

/// Several threads at once: none of those that wait is forgotten, and never do more run than
/// may.
class StressTest {
    private static final int THREADS = 4;
    private static final int REQUESTS = 20_000;
    private static final int WORKERS = 3;

    private final Admission admission = new Admission(new Limits(WORKERS, WORKERS));
    private final RouteLoad route = admission.route("GET /");
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger insideMost = new AtomicInteger();
    private final AtomicLong done = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong clock = new AtomicLong();

    /// What "workers" are to run: a queue as the server has one, so that permits change threads.
    private final ConcurrentLinkedQueue<Permit> toRun = new ConcurrentLinkedQueue<>();

    @RepeatedTest(5)
    void nobodyIsForgotten() throws InterruptedException {
        var end = new CountDownLatch(THREADS);
        for (int i = 0; i < THREADS; i++) {
            Thread.ofPlatform()
                    .start(
                            () -> {
                                ask();
                                end.countDown();
                            });
        }
        assertTrue(end.await(60, TimeUnit.SECONDS));
        while (work()) {}
        assertEquals((long) THREADS * REQUESTS, done.get() + refused.get());
        assertTrue(insideMost.get() <= WORKERS, insideMost + " ran at once");
        assertTrue(done.get() > REQUESTS, "most are done, not refused: " + done);
        assertEquals(0, admission.counters().running());
        assertEquals(0, admission.counters().lanes().stream().mapToInt(l -> l.waiting()).sum());
    }

    private void ask() {
        var session = new Session();
        for (int i = 0; i < REQUESTS; i++) {
            var permit = admission.newPermit(AdmissionTask.of(_ -> {}));
            switch (admission.decide(permit, route, session, clock.addAndGet(1000))) {
                case Decision.Run() -> begin(permit);
                case Decision.Wait() -> {}
                case Decision.Reject _ -> refused.incrementAndGet();
            }
            work();
        }
    }

    private void begin(Permit permit) {
        int now = inside.incrementAndGet();
        insideMost.accumulateAndGet(now, Math::max);
        toRun.add(permit);
    }

    /// Ends one run and begins what may follow.
    private boolean work() {
        Permit running = toRun.poll();
        if (running == null) {
            return false;
        }
        inside.decrementAndGet();
        try (running) {
            running.ended(Outcome.ANSWERED, clock.addAndGet(1000));
        }
        done.incrementAndGet();
        Permit next;
        while ((next = admission.next(clock.get())) != null) {
            if (next.decision() instanceof Decision.Run) {
                begin(next);
            } else {
                refused.incrementAndGet();
            }
        }
        return true;
    }
}
