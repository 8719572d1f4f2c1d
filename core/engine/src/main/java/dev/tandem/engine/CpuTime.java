package dev.tandem.engine;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Collection;

/// CPU time in nanoseconds, as the kernel counts it. Loaded with the first TLS listener, or when
/// lengthy requests first wait, since the JDK's management takes ten milliseconds to start. Where a
/// system does not report it, or a thread is virtual, a thread's own time is elapsed time, and that
/// of others stands still.
public final class CpuTime {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final boolean IS_REPORTED = THREADS.isCurrentThreadCpuTimeSupported();

    private CpuTime() {}

    /// Returns the calling thread's; takes about a quarter of a microsecond.
    public static long ofThread() {
        boolean isReported = IS_REPORTED && !Thread.currentThread().isVirtual();
        return isReported ? THREADS.getCurrentThreadCpuTime() : System.nanoTime();
    }

    /// Returns the sum of these threads', each as far as it is known.
    static long of(Collection<? extends Thread> threads) {
        long sum = 0;
        for (Thread thread : threads) {
            sum += Math.max(0, IS_REPORTED ? THREADS.getThreadCpuTime(thread.threadId()) : 0);
        }
        return sum;
    }
}
