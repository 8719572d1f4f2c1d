package dev.tandem.engine;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// What Linux reports of a thread (docs.kernel.org/scheduler/sched-stats.html,
/// `proc_thread-self(5)`). Returns nothing on other systems.
final class KernelThreads {
    private static final Path OWN = Path.of("/proc/thread-self");

    /// More than three numbers of 64 bits.
    private static final int LINE_MAX = 128;

    private KernelThreads() {}

    /// Processor times of a thread since it was started.
    ///
    /// @param running nanoseconds on a processor
    /// @param ready nanoseconds waiting for one
    record Times(long running, long ready) {}

    /// Returns the calling thread's number; -1 if the system does not report it.
    static long own() {
        try {
            return Long.parseLong(String.valueOf(Files.readSymbolicLink(OWN).getFileName()));
        } catch (IOException | NumberFormatException | UnsupportedOperationException e) {
            return -1;
        }
    }

    /// Returns a thread's times; takes some microseconds.
    ///
    /// @return null if there is no such thread, or the system does not count
    static @Nullable Times times(long thread) {
        var line = new byte[LINE_MAX];
        try (var file = new FileInputStream("/proc/self/task/" + thread + "/schedstat")) {
            int length = file.read(line);
            return length <= 0
                    ? null
                    : parse(new String(line, 0, length, StandardCharsets.US_ASCII));
        } catch (IOException | NumberFormatException e) {
            return null;
        }
    }

    private static @Nullable Times parse(String line) {
        String[] words = line.split(" ", 3);
        return words.length < 3
                ? null
                : new Times(Long.parseLong(words[0]), Long.parseLong(words[1]));
    }
}
