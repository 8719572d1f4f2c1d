package dev.tandem.engine.manage;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/// Reads what Linux counts of each thread: `/proc/self/task/N/schedstat`
/// (docs.kernel.org/scheduler/sched-stats.html). Elsewhere it reads nothing. Confined to a thread.
final class ThreadTimes {
    private static final String NAMES = "tandem-";

    private final Path tasks;

    /// The threads at the last reading, and whether they are the server's.
    private final Map<String, Boolean> known = new HashMap<>();

    /// @param tasks `/proc/self/task`, or a folder of the same structure
    ThreadTimes(Path tasks) {
        this.tasks = tasks;
    }

    /// Receives the times of a thread.
    @FunctionalInterface
    interface Receiver {
        /// @param running nanoseconds on a processor since it was started
        /// @param ready nanoseconds waiting for one
        void receive(long osThread, long running, long ready);
    }

    void read(Receiver receiver) {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(tasks)) {
            for (Path task : all) {
                String number = String.valueOf(task.getFileName());
                if (known.computeIfAbsent(number, _ -> isOurs(task))) {
                    read(task, number, receiver);
                }
            }
        } catch (IOException e) {
            // Not Linux: the trace shows running and ready as one.
        }
    }

    private static boolean isOurs(Path task) {
        try {
            return Files.readString(task.resolve("comm")).startsWith(NAMES);
        } catch (IOException e) {
            return false; // it has ended
        }
    }

    private void read(Path task, String number, Receiver receiver) {
        try {
            byte[] line = Files.readAllBytes(task.resolve("schedstat"));
            String[] words = new String(line, StandardCharsets.US_ASCII).split(" ");
            if (words.length > 1) {
                receiver.receive(
                        Long.parseLong(number), Long.parseLong(words[0]), Long.parseLong(words[1]));
            }
        } catch (IOException | NumberFormatException e) {
            known.remove(number); // it has ended, and its number may be reused
        }
    }
}
