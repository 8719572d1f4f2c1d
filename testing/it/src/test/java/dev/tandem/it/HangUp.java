package dev.tandem.it;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Whether processes that tests start can get SIGHUP.
final class HangUp {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String IGNORED = "SigIgn:";

    private HangUp() {}

    /// Skips a test where SIGHUP is ignored, as `nohup` has it: processes inherit that, and a JVM
    /// leaves it so.
    static void assumeNotIgnored() throws IOException {
        assumeFalse(isIgnored(), "needs SIGHUP, which is ignored here (nohup)");
    }

    private static boolean isIgnored() throws IOException {
        if (!Files.exists(STATUS)) {
            return false;
        }
        for (String line : Files.readAllLines(STATUS)) {
            if (line.startsWith(IGNORED)) {
                String mask = line.substring(IGNORED.length()).strip();
                return (Long.parseUnsignedLong(mask, 16) & 1) != 0;
            }
        }
        return false;
    }
}
