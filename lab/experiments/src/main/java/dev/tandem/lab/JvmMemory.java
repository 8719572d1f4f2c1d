package dev.tandem.lab;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Memory of a server after a full collection.
///
/// @param heapBytes of all reachable objects
/// @param classBytes of these, by the names of their classes
/// @param areaBytes what the JVM has committed for each of its purposes, such as compiled code, by
///     their names; empty if it does not count them
/// @param residentBytes of the whole process in RAM
/// @param descriptors open
/// @param threads running
record JvmMemory(
        long heapBytes,
        Map<String, Long> classBytes,
        Map<String, Long> areaBytes,
        long residentBytes,
        int descriptors,
        int threads) {

    static final long UNKNOWN = -1;

    /// The flag that makes a JVM count its allocations outside of the heap. It costs some speed.
    static final String COUNT_NATIVE = "-XX:NativeMemoryTracking=summary";

    private static final int JCMD_SECONDS_MAX = 60;

    /// Rank, instances, bytes, class, and its module if it has a name.
    private static final Pattern CLASS =
            Pattern.compile("(?m)^\\s*\\d+:\\s+\\d+\\s+(\\d+)\\s+(\\S+)");

    private static final Pattern TOTAL = Pattern.compile("(?m)^Total\\s+\\d+\\s+(\\d+)");

    private static final Pattern AREA =
            Pattern.compile("-\\s+(\\w[\\w ]*) \\(reserved=\\d+, committed=(\\d+)");

    /// The JVM's name for allocations by Java code.
    private static final String OTHER = "Other";

    /// Runs a collection, then reads the memory.
    ///
    /// @throws LabException if the server has ended or is not a JVM
    static JvmMemory of(Child server) throws LabException, InterruptedException {
        jcmd(server, "GC.run");
        long resident = Kernel.residentBytes(server.pid());
        String histogram = jcmd(server, "GC.class_histogram");
        String tracked = jcmd(server, "VM.native_memory", "summary", "scale=1");
        return new JvmMemory(
                total(histogram),
                classes(histogram),
                areas(tracked),
                resident,
                Kernel.descriptorCount(server.pid()),
                Kernel.threadCount(server.pid()));
    }

    /// Runs a collection, and returns the bytes of all reachable objects.
    ///
    /// @throws LabException if the server has ended or is not a JVM
    static long heapBytes(Child server) throws LabException, InterruptedException {
        return total(jcmd(server, "GC.class_histogram"));
    }

    private static String jcmd(Child server, String... words)
            throws LabException, InterruptedException {
        server.needsLife();
        Path program = Toolbox.jcmd();
        var command = new ArrayList<String>();
        command.addAll(List.of(program.toString(), Long.toString(server.pid())));
        command.addAll(List.of(words));
        return Toolbox.output(JCMD_SECONDS_MAX, command);
    }

    /// @param histogram as `jcmd PID GC.class_histogram` prints it
    static long total(String histogram) throws LabException {
        Matcher total = TOTAL.matcher(histogram);
        if (!total.find()) {
            String said = histogram.lines().findFirst().orElse("nothing");
            throw new LabException("jcmd does not print the heap's content: " + said);
        }
        return Long.parseLong(total.group(1));
    }

    static Map<String, Long> classes(String histogram) {
        var bytes = new HashMap<String, Long>();
        Matcher row = CLASS.matcher(histogram);
        while (row.find()) {
            bytes.merge(row.group(2), Long.parseLong(row.group(1)), Long::sum);
        }
        return bytes;
    }

    /// @param tracked as `jcmd PID VM.native_memory summary scale=1` prints it
    static Map<String, Long> areas(String tracked) {
        var bytes = new HashMap<String, Long>();
        Matcher row = AREA.matcher(tracked);
        while (row.find()) {
            bytes.put(row.group(1), Long.parseLong(row.group(2)));
        }
        return bytes;
    }

    /// Returns what Java code allocated outside of the heap (direct buffers, memory segments), in
    /// bytes; [#UNKNOWN] if the JVM does not count it.
    long nativeBytes() {
        return areaBytes.getOrDefault(OTHER, UNKNOWN);
    }

    /// The classes that grew most since, at most `count`, with their growth in bytes.
    List<Map.Entry<String, Long>> growth(JvmMemory before, int count) {
        return growth(before.classBytes, classBytes, count);
    }

    /// The areas that grew since, with their growth in bytes.
    List<Map.Entry<String, Long>> areaGrowth(JvmMemory before) {
        return growth(before.areaBytes, areaBytes, areaBytes.size());
    }

    private static List<Map.Entry<String, Long>> growth(
            Map<String, Long> before, Map<String, Long> after, int count) {
        var growth = new HashMap<String, Long>();
        after.forEach((name, bytes) -> growth.put(name, bytes - before.getOrDefault(name, 0L)));
        return growth.entrySet().stream()
                .filter(entry -> entry.getValue() > 0)
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .limit(count)
                .toList();
    }

    Map<String, Object> asMap() {
        return Map.of(
                "heapBytes", heapBytes,
                "nativeBytes", nativeBytes(),
                "residentBytes", residentBytes,
                "descriptors", descriptors,
                "threads", threads);
    }
}
