package dev.tandem.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The connections that a run may have at once. Safe for use by any thread.
final class ConnectionSlots {
    /// Descriptors that are not connections: the JVM's own files, jars and pollers.
    private static final int RESERVED = 64;

    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final Pattern LIMIT = Pattern.compile("Max open files\\s+(\\S+)");

    private final int most;
    private final AtomicInteger used = new AtomicInteger();
    private final AtomicInteger usedMax = new AtomicInteger();

    ConnectionSlots(int most) {
        this.most = most;
    }

    /// Returns as many as the process's limit on descriptors allows; without bound if that is
    /// unknown.
    static int descriptorLimit() {
        try {
            return descriptorLimit(Files.readString(LIMITS));
        } catch (IOException e) {
            return Integer.MAX_VALUE; // not Linux
        }
    }

    /// @param limits the text of `/proc/PID/limits`
    static int descriptorLimit(String limits) {
        Matcher limit = LIMIT.matcher(limits);
        if (!limit.find() || limit.group(1).equals("unlimited")) {
            return Integer.MAX_VALUE;
        }
        long descriptors = Math.min(Integer.MAX_VALUE, Long.parseLong(limit.group(1)));
        return (int) Math.max(1, descriptors - RESERVED);
    }

    /// @return false if all are taken
    boolean tryAcquire() {
        int now = used.incrementAndGet();
        if (now > most) {
            used.decrementAndGet();
            return false;
        }
        if (now > usedMax.get()) {
            usedMax.accumulateAndGet(now, Math::max);
        }
        return true;
    }

    void release() {
        used.decrementAndGet();
    }

    /// The maximum number that was taken at once.
    int usedMax() {
        return usedMax.get();
    }
}
