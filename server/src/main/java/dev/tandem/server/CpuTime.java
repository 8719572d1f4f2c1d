package dev.tandem.server;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/// CPU time in nanoseconds, as the kernel counts it. Loaded with the first handshake, since the
/// JDK's management takes ten milliseconds to begin. Where a system does not tell, a thread's CPU
/// time is the time that passes, and the process' stands still.
final class CpuTime {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final boolean IS_TOLD = THREADS.isCurrentThreadCpuTimeSupported();
    private static final OperatingSystemMXBean PROCESS =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private CpuTime() {}

    /// Of the calling thread; about a quarter of a microsecond.
    static long ofThread() {
        return IS_TOLD ? THREADS.getCurrentThreadCpuTime() : System.nanoTime();
    }

    static long ofProcess() {
        return Math.max(0, PROCESS.getProcessCpuTime());
    }
}
