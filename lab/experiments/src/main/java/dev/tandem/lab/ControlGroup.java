package dev.tandem.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Control groups that give a server little memory and a slow disk. They are created within the
/// groups of this process, so that the limits of this process apply to the server, too; of version
/// 1 or 2, depending on which has the controllers here. Needs root. Removed when closed, after the
/// server has ended.
final class ControlGroup implements AutoCloseable {
    private static final Path GROUPS = Path.of("/sys/fs/cgroup");
    private static final String NAME = "tandem-lab-" + ProcessHandle.current().pid();
    private static final int REMOVALS_MAX = 50;

    private final Path memory;
    private final Path disk;
    private final String device;
    private final boolean isSecond;

    private ControlGroup(Path memory, Path disk, String device, boolean isSecond) {
        this.memory = memory;
        this.disk = disk;
        this.device = device;
        this.isSecond = isSecond;
    }

    /// @param files whose disk is made slow
    /// @throws LabException if this machine does not allow it; says why
    static ControlGroup make(Path files) throws LabException {
        String device = device(files);
        try {
            Path memory = own("memory");
            Path disk = own("blkio");
            if (memory != null && disk != null) {
                Path first = Files.createDirectories(memory.resolve(NAME));
                return new ControlGroup(
                        first, Files.createDirectories(disk.resolve(NAME)), device, false);
            }
            Path both = own("");
            if (both == null
                    || !Files.readString(both.resolve("cgroup.controllers")).contains("io")) {
                throw new LabException("needs control groups for memory and for disks");
            }
            Files.writeString(both.resolve("cgroup.subtree_control"), "+memory +io");
            Path group = Files.createDirectories(both.resolve(NAME));
            return new ControlGroup(group, group, device, true);
        } catch (IOException e) {
            throw new LabException(
                    "cannot make control groups, which needs root: " + e.getMessage());
        }
    }

    /// Returns this process's group of a controller; null if there is none.
    static @Nullable Path own(String controller) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/cgroup"))) {
            String[] parts = line.split(":", 3);
            if (List.of(parts[1].split(",")).contains(controller)) {
                Path group = GROUPS.resolve(controller).resolve("." + parts[2]).normalize();
                return Files.isDirectory(group) ? group : null;
            }
        }
        return null;
    }

    /// Returns the device of a file's file system, by the longest mount point above the file.
    private static String device(Path files) throws LabException {
        String found = "";
        int length = -1;
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/mountinfo"))) {
                String[] parts = line.split(" ");
                if (files.startsWith(Path.of(parts[4])) && parts[4].length() > length) {
                    found = parts[2];
                    length = parts[4].length();
                }
            }
        } catch (IOException e) {
            throw new LabException("cannot read /proc/self/mountinfo: " + e.getMessage());
        }
        if (found.isEmpty() || found.startsWith("0:")) {
            throw new LabException("the temporary folder is on no disk: set -Djava.io.tmpdir");
        }
        return found;
    }

    String version() {
        return isSecond ? "2" : "1";
    }

    /// @param bytes maximum memory, including the kernel's page cache
    void limitMemory(long bytes) throws LabException {
        write(memory.resolve(isSecond ? "memory.max" : "memory.limit_in_bytes"), "" + bytes);
    }

    /// @param bytesPerSecond of reads; 0 for no limit
    void limitDisk(long bytesPerSecond) throws LabException {
        if (isSecond) {
            String rate = bytesPerSecond == 0 ? "max" : "" + bytesPerSecond;
            write(disk.resolve("io.max"), device + " rbps=" + rate);
        } else {
            write(disk.resolve("blkio.throttle.read_bps_device"), device + " " + bytesPerSecond);
        }
    }

    /// Returns the beginning of a command that runs the rest of it in this group.
    List<String> prefix() {
        String enter = "echo $$ > %s/cgroup.procs && echo $$ > %s/cgroup.procs && exec \"$@\"";
        return List.of("sh", "-c", enter.formatted(memory, disk), "sh");
    }

    void add(long pid) throws LabException {
        write(memory.resolve("cgroup.procs"), "" + pid);
        write(disk.resolve("cgroup.procs"), "" + pid);
    }

    /// Returns the bytes that the group read from the disk.
    long diskBytes() throws LabException {
        String name = isSecond ? "io.stat" : "blkio.throttle.io_service_bytes";
        String pattern = isSecond ? " .*rbytes=(\\d+)" : " Read (\\d+)";
        try {
            Matcher read =
                    Pattern.compile("(?m)^" + device + pattern)
                            .matcher(Files.readString(disk.resolve(name)));
            return read.find() ? Long.parseLong(read.group(1)) : 0;
        } catch (IOException e) {
            throw new LabException("cannot read " + name + ": " + e.getMessage());
        }
    }

    /// Returns the group's memory in bytes, including the kernel's page cache.
    long memoryBytes() throws LabException {
        Path file = memory.resolve(isSecond ? "memory.current" : "memory.usage_in_bytes");
        try {
            return Long.parseLong(Files.readString(file).strip());
        } catch (IOException e) {
            throw new LabException("cannot read " + file.getFileName() + ": " + e.getMessage());
        }
    }

    private static void write(Path file, String text) throws LabException {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new LabException("cannot set " + file.getFileName() + ": " + e.getMessage());
        }
    }

    @Override
    public void close() {
        for (int i = 0; i < REMOVALS_MAX; i++) {
            boolean isGone = remove(memory);
            if (remove(disk) && isGone) {
                return;
            }
            try {
                Thread.sleep(20); // its last process is on its way out
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private static boolean remove(Path group) {
        try {
            Files.deleteIfExists(group);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
