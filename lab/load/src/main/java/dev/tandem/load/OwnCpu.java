package dev.tandem.load;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/// CPU time that this process has used, in steps of 10 ms.
///
/// @param user seconds; all of the time if the two cannot be distinguished
/// @param system seconds in the kernel
record OwnCpu(double user, double system) {
    private static final Path STAT = Path.of("/proc/self/stat");

    /// `USER_HZ`, which Linux gives the same value on all architectures that Java runs on.
    private static final double TICKS = 100;

    static OwnCpu now() {
        try {
            return of(Files.readString(STAT, StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            Duration all = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
            return new OwnCpu(all.toNanos() / 1e9, 0);
        }
    }

    /// @param stat the text of `/proc/PID/stat`: utime and stime are fields 14 and 15, and the
    ///     second, the name, may have spaces and brackets
    static OwnCpu of(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return new OwnCpu(Long.parseLong(fields[11]) / TICKS, Long.parseLong(fields[12]) / TICKS);
    }

    OwnCpu minus(OwnCpu earlier) {
        return new OwnCpu(user - earlier.user, system - earlier.system);
    }
}
