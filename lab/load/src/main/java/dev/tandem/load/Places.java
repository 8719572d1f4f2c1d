package dev.tandem.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The connections that a run may have at once. Safe for use by any thread.
final class Places {
    /// Descriptors that are not connections: the JVM's own files, jars and pollers.
    private static final int OTHERS = 64;

    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final Pattern LIMIT = Pattern.compile("Max open files\\s+(\\S+)");

    private final int most;
    private final AtomicInteger taken = new AtomicInteger();
    private final AtomicInteger takenMost = new AtomicInteger();

    Places(int most) {
        this.most = most;
    }

    /// As many as the process's limit on descriptors allows; without bound where that is
    /// unknown.
    static int allowed() {
        try {
            return allowed(Files.readString(LIMITS));
        } catch (IOException e) {
            return Integer.MAX_VALUE; // not Linux
        }
    }

    /// @param limits the text of `/proc/PID/limits`
    static int allowed(String limits) {
        Matcher limit = LIMIT.matcher(limits);
        if (!limit.find() || limit.group(1).equals("unlimited")) {
            return Integer.MAX_VALUE;
        }
        long descriptors = Math.min(Integer.MAX_VALUE, Long.parseLong(limit.group(1)));
        return (int) Math.max(1, descriptors - OTHERS);
    }

    /// @return false if all are taken
    boolean take() {
        int now = taken.incrementAndGet();
        if (now > most) {
            taken.decrementAndGet();
            return false;
        }
        if (now > takenMost.get()) {
            takenMost.accumulateAndGet(now, Math::max);
        }
        return true;
    }

    void giveBack() {
        taken.decrementAndGet();
    }

    /// Most that were taken at once.
    int takenMost() {
        return takenMost.get();
    }
}
