package dev.tandem.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Method;

/// Checks that work which is done for each request allocates nothing. Uses reflection, because this
/// module does not read `java.management`, and should not do so for a test.
public final class AllocationMeter {
    private static final int WARM_UP = 20_000;
    private static final int REQUESTS = 50_000;

    /// The maximum allocation of the measurement itself, in bytes: far less than one per request.
    private static final long TOLERANCE = 16_384;

    private final Object threads;
    private final Method allocated;

    private AllocationMeter() throws ReflectiveOperationException {
        threads =
                Class.forName("java.lang.management.ManagementFactory")
                        .getMethod("getThreadMXBean")
                        .invoke(null);
        allocated =
                Class.forName("com.sun.management.ThreadMXBean")
                        .getMethod("getCurrentThreadAllocatedBytes");
    }

    /// Runs the work of a request many times.
    public static void assertAllocatesNothing(Runnable request)
            throws ReflectiveOperationException {
        var meter = new AllocationMeter();
        repeat(request, WARM_UP);
        long before = meter.allocatedBytes();
        repeat(request, REQUESTS);
        long allocated = meter.allocatedBytes() - before;
        assertEquals(
                0, allocated / TOLERANCE, () -> allocated + " bytes in " + REQUESTS + " requests");
    }

    private static void repeat(Runnable request, int times) {
        for (int i = 0; i < times; i++) {
            request.run();
        }
    }

    private long allocatedBytes() throws ReflectiveOperationException {
        return (long) allocated.invoke(threads);
    }
}
