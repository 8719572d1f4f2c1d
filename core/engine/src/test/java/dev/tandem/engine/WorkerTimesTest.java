package dev.tandem.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.admission.Admission;
import dev.tandem.admission.AdmissionTask;
import dev.tandem.admission.Decision;
import dev.tandem.admission.Limits;
import dev.tandem.admission.Session;
import dev.tandem.engine.KernelThreads.Times;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class WorkerTimesTest {
    private static final long COMPUTED = TimeUnit.MILLISECONDS.toNanos(30);

    private final Admission admission = new Admission(new Limits(1, 1));
    private final List<Long> read = new ArrayList<>();

    @Test
    void nothingIsReadWhileNoRequestWaits() {
        var times = new WorkerTimes(() -> List.of(1L), this::read);
        times.sample(admission, 0);
        assertEquals(0, read.size());
        press();
        times.sample(admission, 1);
        assertEquals(List.of(1L), read);
    }

    @Test
    void manyWorkersAreReadAtFewerBeatsEach() {
        var times = new WorkerTimes(() -> LongStream.range(0, 96).boxed().toList(), this::read);
        press();
        for (int beat = 0; beat < 40; beat++) {
            times.sample(admission, beat);
        }
        assertEquals(960, read.size());
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void kernelReportsProcessorTimes() throws InterruptedException {
        var workers = new WorkerPool(1, () -> IoContext.ofWorker(IoContext.WORKER_BUFFER));
        assertEquals(List.of(), workers.kernelThreads());
        var isDone = new CountDownLatch(1);
        var found = new ArrayList<Times>();
        workers.submit(
                _ -> {
                    long self = workers.kernelThreads().getFirst();
                    found.add(KernelThreads.times(self));
                    long until = CpuTime.ofThread() + COMPUTED;
                    while (CpuTime.ofThread() - until < 0) {
                        Thread.onSpinWait();
                    }
                    found.add(KernelThreads.times(self));
                    isDone.countDown();
                });
        assertTrue(isDone.await(20, TimeUnit.SECONDS));
        workers.stop();
        long reported = found.getLast().running() - found.getFirst().running();
        assertTrue(
                reported >= COMPUTED * 2 / 3, "only " + reported + " ns reported of " + COMPUTED);
        assertTrue(found.getLast().ready() >= found.getFirst().ready());
        assertNotNull(KernelThreads.times(KernelThreads.own()));
        assertNull(KernelThreads.times(-1));
    }

    private Times read(long thread) {
        read.add(thread);
        return new Times(1, 1);
    }

    /// One runs, and one waits.
    private void press() {
        var route = admission.route("GET /");
        for (int i = 0; i < 2; i++) {
            Decision decision =
                    admission
                            .newPermit(AdmissionTask.of(_ -> {}))
                            .decide(route, null, new Session(), 0);
            assertEquals(i == 0 ? new Decision.Run() : new Decision.Wait(), decision);
        }
    }
}
