package dev.tandem.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The limit on this process's file descriptors.
public final class Descriptors {
    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final String LINE = "Max open files";

    /// Assumed where there is no limit, or it cannot be read: the usual limit of a server.
    private static final int ASSUMED = 65_536;

    private static final long NONE = Long.MAX_VALUE;

    /// Read once: a server's start asks twice.
    private static final class Known {
        static final long LIMIT = limit();
    }

    private Descriptors() {}

    /// Minimum reserve, but at most half: an idle server's JVM holds 18, each further loop 3, and
    /// each file that is sent one.
    private static final int KEPT_MIN = 64;

    /// Returns the limit minus a reserve for files, pools and pipes of the application: an eighth,
    /// at least 64, but at most half where there are few. Without it, worse than rejections would
    /// follow: the JVM never looks again for a class whose file it could not open.
    public static int connectionsMax() {
        return connectionsMax(Known.LIMIT == NONE ? ASSUMED : Known.LIMIT);
    }

    public static int connectionsMax(long limit) {
        long kept = Math.max(limit / 8, Math.min(limit / 2, KEPT_MIN));
        return Math.clamp(limit - kept, 1, 1 << 20);
    }

    /// Returns what is wrong with a limit on connections that this process cannot have; null if it
    /// can.
    public static @Nullable String problem(int connectionsMax) {
        return problem(connectionsMax, Known.LIMIT);
    }

    static @Nullable String problem(int connectionsMax, long limit) {
        return connectionsMax < limit
                ? null
                : "connectionsMax is "
                        + connectionsMax
                        + ", but this process may have "
                        + limit
                        + " files and connections open; allow more where that limit was set, such"
                        + " as by ulimit -n, or set connectionsMax to "
                        + connectionsMax(limit)
                        + " or less";
    }

    /// Returns the limit; [#NONE] if there is none, or it cannot be read.
    private static long limit() {
        try {
            for (String line : Files.readAllLines(LIMITS)) {
                if (line.startsWith(LINE)) {
                    String soft = line.substring(LINE.length()).strip().split("\\s+")[0];
                    return soft.equals("unlimited") ? NONE : Long.parseLong(soft);
                }
            }
        } catch (IOException | NumberFormatException e) {
            return NONE; // not Linux
        }
        return NONE;
    }
}
