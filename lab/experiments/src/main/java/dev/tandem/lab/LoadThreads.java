package dev.tandem.lab;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The generators' threads in this process, by their numbers in the kernel. Two loads that share a
/// processor disturb each other: a thread that wakes waits for milliseconds until the other has
/// used its slice, and would count that as the server's time. So one load can get a lower priority.
record LoadThreads(Set<String> numbers) {
    private static final Path TASKS = Path.of("/proc/self/task");

    /// Prefix of the thread names of the module `load`.
    private static final String NAME = "load-";

    private static final int SECONDS_MAX = 10;

    /// Other threads have nine times the weight on the processor, and wake immediately; but other
    /// programs on the machine do not starve these threads.
    private static final String NICENESS = "10";

    /// Returns the threads that run now.
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

    /// Lowers the priority of the threads that were started since.
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
