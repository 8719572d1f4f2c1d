package dev.tandem.lab;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The threads of generators in this process, by their numbers in the kernel. Two loads that share
/// a processor are in each other's way: a thread that wakes waits for milliseconds until the other
/// has had its slice, and would take that for the server's time. So one may be told to give way.
record LoadThreads(Set<String> numbers) {
    private static final Path TASKS = Path.of("/proc/self/task");

    /// As room `load` names its threads.
    private static final String NAME = "load-";

    private static final int SECONDS_MAX = 10;

    /// Others have nine times the claim to the processor, and wake at once; but whatever else runs
    /// on the machine does not starve these.
    private static final String NICENESS = "10";

    /// Those that run now.
    static LoadThreads now() {
        var numbers = new HashSet<String>();
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
            for (Path task : tasks) {
                if (isLoad(task)) {
                    numbers.add(task.getFileName().toString());
                }
            }
        } catch (IOException e) {
            return new LoadThreads(Set.of());
        }
        return new LoadThreads(Set.copyOf(numbers));
    }

    private static boolean isLoad(Path task) {
        try {
            return Files.readString(task.resolve("comm")).startsWith(NAME);
        } catch (IOException e) {
            return false; // it has ended meanwhile
        }
    }

    /// Has those that have come since give way to all others.
    ///
    /// @throws LabException if the system has no renice
    void newOnesGiveWay() throws LabException, InterruptedException {
        var fresh = new ArrayList<>(now().numbers);
        fresh.removeAll(numbers);
        if (!fresh.isEmpty()) {
            var command = new ArrayList<>(List.of("renice", "-n", NICENESS, "-p"));
            command.addAll(fresh);
            Toolbox.output(SECONDS_MAX, command);
        }
    }
}
