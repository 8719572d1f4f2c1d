package dev.tandem.engine;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The processor time that this process has used, and the processors that it may use: those of its
/// affinity, or fewer if a control group has a quota. A quota may be a part of a processor, and may
/// change at any time; the JVM rounds it up to whole ones. Confined to one thread at a time.
///
/// Linux only (`proc_pid_stat(5)`, docs.kernel.org/admin-guide/cgroup-v2.html and version 1);
/// elsewhere there is no quota, and the time is not known.
final class ProcessProcessors {
    /// The kernel counts processor time for users in hundredths of a second.
    private static final long TICK_NANOS = 10_000_000;

    /// More than 52 numbers.
    private static final int LINE_MAX = 1024;

    /// The fields of `stat` after the name: the state, ten others, then user and system time.
    private static final int USER_FIELD = 11;

    private final Path stat;
    private final Path groups;
    private final Path own;
    private final byte[] line = new byte[LINE_MAX];

    ProcessProcessors() {
        this(Path.of("/proc/self/stat"), Path.of("/sys/fs/cgroup"), Path.of("/proc/self/cgroup"));
    }

    ProcessProcessors(Path stat, Path groups, Path own) {
        this.stat = stat;
        this.groups = groups;
        this.own = own;
    }

    /// Returns the time in nanoseconds since the start of the process; -1 if it is not known.
    long usedNanos() {
        try (var file = new FileInputStream(stat.toFile())) {
            int length = Math.max(0, file.read(line));
            var text = new String(line, 0, length, StandardCharsets.ISO_8859_1);
            String[] fields = text.substring(text.lastIndexOf(')') + 1).strip().split(" ");
            return TICK_NANOS
                    * (Long.parseLong(fields[USER_FIELD]) + Long.parseLong(fields[USER_FIELD + 1]));
        } catch (IOException | NumberFormatException | IndexOutOfBoundsException e) {
            return -1;
        }
    }

    /// Returns the number of processors, more than 0. Reads some small files.
    double count() {
        double least = Runtime.getRuntime().availableProcessors();
        try {
            for (String group : Files.readAllLines(own)) {
                least = Math.min(least, quota(group));
            }
        } catch (IOException e) {
            // There are no control groups.
        }
        return least;
    }

    /// @param group a line such as `0::/user.slice` or `4:cpu,cpuacct:/docker/id`
    private double quota(String group) {
        String[] parts = group.split(":", 3);
        if (parts.length < 3) {
            return Double.POSITIVE_INFINITY;
        }
        boolean isSecond = parts[1].isEmpty();
        if (!isSecond && !List.of(parts[1].split(",")).contains("cpu")) {
            return Double.POSITIVE_INFINITY;
        }
        Path root = isSecond ? groups : groups.resolve("cpu");
        Path folder = root.resolve(parts[2].substring(1)).normalize();
        double least = Double.POSITIVE_INFINITY;
        // In a container the file may be at the root, though the path names the host's group.
        for (Path each = folder; each != null && each.startsWith(root); each = each.getParent()) {
            least = Math.min(least, isSecond ? second(each) : first(each));
        }
        return least;
    }

    private static double second(Path folder) {
        String[] words = text(folder.resolve("cpu.max")).split(" ");
        return words.length < 2 ? Double.POSITIVE_INFINITY : part(words[0], words[1]);
    }

    private static double first(Path folder) {
        return part(
                text(folder.resolve("cpu.cfs_quota_us")),
                text(folder.resolve("cpu.cfs_period_us")));
    }

    private static double part(String quota, String period) {
        try {
            double part = Double.parseDouble(quota) / Double.parseDouble(period);
            return part > 0 ? part : Double.POSITIVE_INFINITY;
        } catch (NumberFormatException e) {
            return Double.POSITIVE_INFINITY; // max, or there is no such file
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            return "";
        }
    }
}
