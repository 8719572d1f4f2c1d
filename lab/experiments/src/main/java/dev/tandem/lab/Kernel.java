package dev.tandem.lab;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The kernel's counters of processes and of the machine, as described in proc(5).
final class Kernel {
    /// The kernel's unit of time for programs (`USER_HZ`): 100 wherever a JVM runs.
    static final double TICKS_PER_SECOND = 100;

    private static final Path PROC = Path.of("/proc");

    private static final Pattern LIMIT =
            Pattern.compile("(?m)^Max open files\\s+(\\d+|unlimited)\\s+(\\d+|unlimited)");

    private Kernel() {}

    /// @throws LabException if there is no /proc
    static void need() throws LabException {
        if (!Files.isReadable(PROC.resolve("self/stat"))) {
            throw new LabException("needs Linux: it reads what /proc says of CPU and memory");
        }
    }

    /// Returns the CPU time of a process and of its running descendants.
    static long cpuTicks(ProcessHandle process) throws LabException {
        long ticks = processTicks(process.pid(), 0);
        for (ProcessHandle child : process.descendants().toList()) {
            ticks += processTicks(child.pid(), 0);
        }
        return ticks;
    }

    /// Returns the CPU time of a process, its descendants, and those of them that have ended and
    /// that their parents have waited for. CGI programs start and end while it is read.
    static long familyTicks(ProcessHandle process) throws LabException {
        long ticks = processTicks(process.pid(), 2);
        for (ProcessHandle child : process.descendants().toList()) {
            try {
                ticks += processTicks(child.pid(), 2);
            } catch (LabException e) {
                // The process has ended since the list was made: its parent has counted it, or soon
                // will.
            }
        }
        return ticks;
    }

    /// Returns the memory of a process and its descendants that is in RAM, in bytes: shared pages
    /// are counted by shares.
    static long familyBytes(ProcessHandle process) throws LabException {
        long bytes = proportionalBytes(process.pid());
        for (ProcessHandle child : process.descendants().toList()) {
            bytes += proportionalBytes(child.pid());
        }
        return bytes;
    }

    private static long proportionalBytes(long pid) throws LabException {
        Matcher size = Pattern.compile("Pss:\\s+(\\d+) kB").matcher(read(pid + "/smaps_rollup"));
        return size.find() ? 1024 * Long.parseLong(size.group(1)) : 0;
    }

    /// Returns whether this process runs as root, whose servers change to another user.
    static boolean isRoot() {
        try {
            return Files.getAttribute(PROC.resolve("self"), "unix:uid").equals(0);
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    /// Returns the CPU time of this process and of its ended children.
    static long ownCpuTicks() throws LabException {
        return processTicks(ProcessHandle.current().pid(), 2);
    }

    /// @param ended 2 to count ended children, else 0
    private static long processTicks(long pid, int ended) throws LabException {
        return ticks(read(pid + "/stat"), 2 + ended);
    }

    /// Returns the same of this process.
    static long familyTicks() throws LabException {
        return familyTicks(ProcessHandle.current());
    }

    /// Sums the first `count` of utime, stime, cutime and cstime, fields 14 to 17 of a process's
    /// `stat`. Its second field, the name, may have spaces and brackets.
    static long ticks(String stat, int count) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        long sum = 0;
        for (int i = 0; i < count; i++) {
            sum += Long.parseLong(fields[11 + i]);
        }
        return sum;
    }

    /// Activity of the machine's processors.
    ///
    /// @param busyTicks all but waiting and stolen time
    /// @param stolenTicks that the host gave to other guests
    record Activity(long busyTicks, long stolenTicks) {

        /// @param stat the text of `/proc/stat`
        static Activity of(String stat) {
            String[] fields = stat.lines().findFirst().orElse("").split("\\s+");
            var ticks = new long[9];
            for (int i = 1; i < ticks.length && i < fields.length; i++) {
                ticks[i] = Long.parseLong(fields[i]);
            }
            // user, nice, system; 4 and 5 are idle and waiting for disks; irq, softirq; steal.
            return new Activity(ticks[1] + ticks[2] + ticks[3] + ticks[6] + ticks[7], ticks[8]);
        }
    }

    static Activity activity() throws LabException {
        return Activity.of(read("stat"));
    }

    /// Returns the memory of a process that is in RAM, in bytes.
    static long residentBytes(long pid) throws LabException {
        Matcher size = Pattern.compile("VmRSS:\\s+(\\d+) kB").matcher(read(pid + "/status"));
        if (!size.find()) {
            throw new LabException("process " + pid + " has ended");
        }
        return 1024 * Long.parseLong(size.group(1));
    }

    /// Returns the number of open descriptors of a process.
    static int descriptorCount(long pid) throws LabException {
        try (var names = Files.list(PROC.resolve(pid + "/fd"))) {
            return (int) names.count();
        } catch (IOException e) {
            throw new LabException("process " + pid + " has ended");
        }
    }

    /// Returns the number of areas in a process's address space.
    static long mappingCount(long pid) throws LabException {
        return read(pid + "/maps").lines().count();
    }

    /// Returns the number of threads of a process.
    static int threadCount(long pid) throws LabException {
        Matcher count = Pattern.compile("Threads:\\s+(\\d+)").matcher(read(pid + "/status"));
        return count.find() ? Integer.parseInt(count.group(1)) : 0;
    }

    /// Returns the number of a process's threads whose names begin so, and the CPU time that they
    /// have used, in seconds.
    ///
    /// @param beginning the kernel keeps 15 characters of a name
    static Threads threads(long pid, String beginning) throws LabException {
        int count = 0;
        long nanos = 0;
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(PROC.resolve(pid + "/task"))) {
            for (Path task : tasks) {
                if (textOf(task, "comm").startsWith(beginning)) {
                    count++;
                    nanos += Long.parseLong("0" + textOf(task, "schedstat").split(" ")[0]);
                }
            }
            return new Threads(count, nanos / 1e9);
        } catch (IOException e) {
            throw new LabException("process " + pid + " has ended");
        }
    }

    /// Threads of a process.
    record Threads(int count, double cpuSeconds) {}

    /// Empty if the thread has ended.
    private static String textOf(Path task, String name) {
        try {
            return Files.readString(task.resolve(name), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }

    /// Returns the maximum number of descriptors of this process.
    static int descriptorsMax() throws LabException {
        return descriptorsMax(read("self/limits"));
    }

    /// Returns the soft limit: a JVM raises it to the hard one as it starts.
    ///
    /// @param limits the text of `/proc/PID/limits`
    static int descriptorsMax(String limits) {
        Matcher soft = LIMIT.matcher(limits);
        if (!soft.find() || soft.group(1).equals("unlimited")) {
            return Integer.MAX_VALUE;
        }
        return (int) Math.min(Integer.MAX_VALUE, Long.parseLong(soft.group(1)));
    }

    /// Returns the processors that this process may run on.
    static List<Integer> processors() throws LabException {
        Matcher list = Pattern.compile("Cpus_allowed_list:\\s+(\\S+)").matcher(read("self/status"));
        return list.find() ? processors(list.group(1)) : List.of();
    }

    /// @param list such as `0-3,7`
    static List<Integer> processors(String list) {
        var processors = new ArrayList<Integer>();
        for (String range : list.split(",")) {
            String[] ends = range.split("-");
            int last = Integer.parseInt(ends[ends.length - 1]);
            for (int i = Integer.parseInt(ends[0]); i <= last; i++) {
                processors.add(i);
            }
        }
        return processors;
    }

    static String processorName() throws LabException {
        Matcher name = Pattern.compile("model name\\s*:\\s*(.*)").matcher(read("cpuinfo"));
        return name.find() ? name.group(1).strip() : "unknown processor";
    }

    /// Returns the memory of the machine, in bytes.
    static long memoryBytes() throws LabException {
        Matcher size = Pattern.compile("MemTotal:\\s+(\\d+) kB").matcher(read("meminfo"));
        return size.find() ? 1024 * Long.parseLong(size.group(1)) : 0;
    }

    /// Returns the kernel's clock source: with another than `tsc` every reading of the clock is a
    /// system call.
    static String clockSource() {
        Path file = Path.of("/sys/devices/system/clocksource/clocksource0/current_clocksource");
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1).strip();
        } catch (IOException e) {
            return "unknown";
        }
    }

    /// @param name below `/proc`
    /// @throws LabException if it is not there, usually because its process has ended
    static String read(String name) throws LabException {
        try {
            return Files.readString(PROC.resolve(name), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new LabException("cannot read /proc/" + name + ": its process has ended");
        }
    }
}
