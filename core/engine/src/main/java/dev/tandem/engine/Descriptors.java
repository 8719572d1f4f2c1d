package dev.tandem.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// How many file descriptors this process may have.
public final class Descriptors {
    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final String LINE = "Max open files";

    /// Where the limit cannot be read: as many as most systems allow for a server.
    private static final int UNKNOWN = 65_536;

    private Descriptors() {}

    /// What is kept back at least, if that is not more than half: a JVM with a server holds 18 at
    /// rest, each further loop 3, and each file that is sent one.
    private static final int KEPT_MIN = 64;

    /// The limit less what is for files, pools and pipes of the application: an eighth, at least
    /// 64, but at most half where there are few. Without it, worse than refusals would follow: the
    /// JVM never again looks for a class whose file it could not open.
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
