package dev.tandem.pagecache;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// The memory available to this process: the machine's, or less if a control group (v1 or v2)
/// limits it.
///
/// @param proc the folder `/proc`
/// @param groups the folder `/sys/fs/cgroup`
record MachineMemory(Path proc, Path groups) {

    /// Used where nothing is known, which is never on Linux.
    private static final long UNKNOWN = 1L << 30;

    private static final int MACHINE_SHARE = 4;
    private static final int GROUP_SHARE_MIN = 8;

    /// Measured with 24 workers and a small heap: 70 MB (decision 0023).
    private static final long OVERHEAD_BYTES = 96L << 20;

    static MachineMemory current() {
        return new MachineMemory(Path.of("/proc"), Path.of("/sys/fs/cgroup"));
    }

    /// Returns the maximum memory of this process, in bytes.
    long limit() {
        long limit = meminfo("MemTotal:");
        for (Path group : folders()) {
            limit = Math.min(limit, limitOf(group));
        }
        return limit == Long.MAX_VALUE ? UNKNOWN : limit;
    }

    /// Returns how much of it a page cache should take, in bytes.
    ///
    /// @param heapMax maximum heap size, in bytes
    long pageCacheBytes(long heapMax) {
        long limit = limit();
        if (limit >= meminfo("MemTotal:")) {
            return limit / MACHINE_SHARE; // other processes need memory, too
        }
        return Math.max(limit / GROUP_SHARE_MIN, (limit - heapMax - OVERHEAD_BYTES) / 4 * 3);
    }

    /// Returns the memory available now, in bytes; the kernel's page cache counts as free.
    long available() {
        long available = meminfo("MemAvailable:");
        for (Path group : folders()) {
            long limit = limitOf(group);
            if (limit < Long.MAX_VALUE) {
                long used = Math.max(number(group, "memory.current"), 0);
                used = Math.max(used, number(group, "memory.usage_in_bytes"));
                long files = Math.max(stat(group, "inactive_file "), 0);
                files = Math.max(files, stat(group, "total_inactive_file "));
                available = Math.min(available, Math.max(0, limit - used + files));
            }
        }
        return available == Long.MAX_VALUE ? UNKNOWN : available;
    }

    /// Returns the group's own folder and its ancestors, whose limits apply, too.
    private List<Path> folders() {
        return lines(proc.resolve("self/cgroup")).stream()
                .map(line -> line.split(":", 3))
                .filter(part -> part.length == 3)
                .filter(part -> part[1].isEmpty() || List.of(part[1].split(",")).contains("memory"))
                .flatMap(
                        part -> {
                            Path top = part[1].isEmpty() ? groups : groups.resolve("memory");
                            Path at = top.resolve("." + part[2]).normalize();
                            return Stream.iterate(
                                    at, p -> p != null && p.startsWith(top), Path::getParent);
                        })
                .toList();
    }

    private static long limitOf(Path group) {
        long v2 = number(group, "memory.max");
        long v1 = number(group, "memory.limit_in_bytes");
        return Math.min(v2 < 0 ? Long.MAX_VALUE : v2, v1 < 0 ? Long.MAX_VALUE : v1);
    }

    /// Returns the file's number, or -1 if there is none (including `max`).
    private static long number(Path group, String name) {
        List<String> lines = lines(group.resolve(name));
        if (lines.isEmpty() || !lines.getFirst().matches("[0-9]{1,18}")) {
            return -1;
        }
        return Long.parseLong(lines.getFirst());
    }

    private static long stat(Path group, String name) {
        return valueOf(lines(group.resolve("memory.stat")), name, 1);
    }

    private long meminfo(String name) {
        long kib = valueOf(lines(proc.resolve("meminfo")), name, 1024);
        return kib < 0 ? Long.MAX_VALUE : kib;
    }

    private static long valueOf(List<String> lines, String name, long unit) {
        for (String line : lines) {
            String value = line.startsWith(name) ? line.replaceAll("[^0-9]", "") : "";
            if (!value.isEmpty() && value.length() <= 15) {
                return Long.parseLong(value) * unit;
            }
        }
        return -1;
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException | SecurityException _) {
            return List.of();
        }
    }
}
