package dev.tandem.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The limit on this process's file descriptors.
public final class Descriptors {
    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final String LINE = "Max open files";

    /// Assumed where the limit cannot be read: the usual limit of a server.
    private static final int UNKNOWN = 65_536;

    private Descriptors() {}

    /// Minimum reserve, but at most half: an idle server's JVM holds 18, each further loop 3, and
    /// each file that is sent one.
    private static final int KEPT_MIN = 64;

    /// Returns the limit minus a reserve for files, pools and pipes of the application: an eighth,
    /// at least 64, but at most half where there are few. Without it, worse than rejections would
    /// follow: the JVM never looks again for a class whose file it could not open.
    public static int connectionsMax() {
        return connectionsMax(limit());
    }

    public static int connectionsMax(long limit) {
        long kept = Math.max(limit / 8, Math.min(limit / 2, KEPT_MIN));
        return Math.clamp(limit - kept, 1, 1 << 20);
    }

    private static long limit() {
        try {
            for (String line : Files.readAllLines(LIMITS)) {
                if (line.startsWith(LINE)) {
                    String soft = line.substring(LINE.length()).strip().split("\\s+")[0];
                    return soft.equals("unlimited") ? UNKNOWN : Long.parseLong(soft);
                }
            }
        } catch (IOException | NumberFormatException e) {
            return UNKNOWN; // not Linux
        }
        return UNKNOWN;
    }
}
