package dev.tandem.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// How many file descriptors this process may have.
final class Descriptors {
    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final String LINE = "Max open files";

    /// Where the limit cannot be read: as many as most systems allow for a server.
    private static final int UNKNOWN = 65_536;

    private Descriptors() {}

    /// The limit less an eighth (at least 64), which is for files, pools and pipes of the
    /// application.
    static int connectionsMax() {
        long limit = limit();
        return Math.clamp(limit - Math.max(64, limit / 8), 1, 1 << 20);
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
