package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class KernelTest {
    /// As proc(5) describes it; utime 14, stime 15, cutime 16, cstime 17.
    private static final String STAT =
            "42 (a (b) c) S 1 42 42 0 -1 4194304 10 20 0 0 700 80 9 1 20 0 2 0 3 4 5\n";

    @Test
    void ticksAreThoseOfUserAndKernel() {
        assertEquals(780, Kernel.ticks(STAT, 2));
    }

    @Test
    void ticksOfEndedChildrenAreCountedOnDemand() {
        assertEquals(790, Kernel.ticks(STAT, 4));
    }

    /// CGI programs end between a list of processes and the reading of each.
    @Test
    void familyIsCountedWhileItsProcessesStartAndEnd() throws Exception {
        Process family =
                new ProcessBuilder(
                                "sh",
                                "-c",
                                "i=0; while [ $i -lt 500 ]; do /bin/true; i=$((i+1)); done")
                        .start();
        try {
            long before = 0;
            for (int look = 0; look < 200 && family.isAlive(); look++) {
                long ticks = Kernel.familyTicks(ProcessHandle.current());
                assertTrue(ticks > 0, "look " + look);
                before = Math.max(before, ticks);
            }
            assertTrue(Kernel.familyTicks() >= before - 10);
        } finally {
            family.destroyForcibly().waitFor();
        }
    }

    @Test
    void threadsAreCountedByTheirNames() throws Exception {
        var hasWorked = new CountDownLatch(1);
        var isOver = new CountDownLatch(1);
        Thread worker =
                Thread.ofPlatform()
                        .name("kernel-test-1")
                        .start(
                                () -> {
                                    work();
                                    hasWorked.countDown();
                                    await(isOver);
                                });
        try {
            await(hasWorked);
            Kernel.Threads named = Kernel.threads(ProcessHandle.current().pid(), "kernel-test-");
            assertEquals(1, named.count());
            assertTrue(named.cpuSeconds() >= 0.02, named.toString());
        } finally {
            isOver.countDown();
            worker.join();
        }
    }

    /// Uses 30 ms of the processor.
    private static void work() {
        var threads = ManagementFactory.getThreadMXBean();
        while (threads.getCurrentThreadCpuTime() < 30_000_000) {
            Thread.onSpinWait();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void busyTimeExcludesIdleWaitingAndStolenTime() {
        var activity = Kernel.Activity.of("cpu  1 2 4 1000 2000 8 16 32 0 0\ncpu0 1 2 3\n");
        assertEquals(new Kernel.Activity(31, 32), activity);
    }

    @Test
    void processorsAreCountedInRanges() {
        assertEquals(List.of(0, 1, 2, 3, 7), Kernel.processors("0-3,7"));
    }

    @Test
    void softLimitOfDescriptorsIsRead() {
        String limits =
                "Limit  Soft  Hard  Units\nMax open files            1024    20000  files\n";
        assertEquals(1_024, Kernel.descriptorsMax(limits));
    }

    @Test
    void unlimitedDescriptorsAreParsed() {
        assertEquals(
                Integer.MAX_VALUE,
                Kernel.descriptorsMax("Max open files   unlimited   unlimited   files\n"));
    }
}
