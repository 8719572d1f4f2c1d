package dev.tandem.lab;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.function.Predicate;

/// Processor time of threads of this process, by their names. Without the JVM's own.
final class ThreadUse {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private ThreadUse() {}

    /// Returns the time that living threads have used, in nanoseconds.
    static long nanos(Predicate<String> names) {
        long sum = 0;
        for (long id : THREADS.getAllThreadIds()) {
            ThreadInfo thread = THREADS.getThreadInfo(id);
            if (thread != null && names.test(thread.getThreadName())) {
                sum += Math.max(0, THREADS.getThreadCpuTime(id));
            }
        }
        return sum;
    }
}
