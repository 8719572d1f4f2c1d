package dev.tandem.net.epoll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tandem.net.NioNetwork;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ThreadPriorityTest {
    private static final Path FIRST = Path.of("/proc/" + ProcessHandle.current().pid() + "/stat");

    private final EpollNetwork network = new EpollNetwork();

    /// Of the process's first thread: tests may run at a low priority.
    private int first;

    @BeforeEach
    void readFirst() {
        assumeTrue(network.isUsable(), "needs epoll");
        first = nice(FIRST);
    }

    /// The nineteenth number after the name, which ends with a parenthesis (`proc_pid_stat(5)`).
    private static int nice(Path stat) {
        try {
            String line = Files.readString(stat);
            return Integer.parseInt(line.substring(line.lastIndexOf(')') + 2).split(" ")[16]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int own() {
        return nice(Path.of("/proc/thread-self/stat"));
    }

    private static <T> T onThread(Callable<T> task) throws Exception {
        var future = new FutureTask<T>(task);
        Thread.ofPlatform().start(future);
        return future.get();
    }

    @Test
    void onlyTheCallingThreadIsLowered() throws Exception {
        int before = own();
        int lowered = onThread(() -> network.lowerPriority(2) ? own() : -1);
        assertEquals(Math.min(19, first + 2), lowered);
        assertEquals(before, own());
        assertEquals(first, nice(FIRST));
    }

    /// A worker may start the next one, which has its priority from the start.
    @Test
    void loweringAgainChangesNothing() throws Exception {
        int lowered =
                onThread(
                        () -> {
                            boolean _ = network.lowerPriority(2);
                            return onThread(() -> network.lowerPriority(2) ? own() : -1);
                        });
        assertEquals(Math.min(19, first + 2), lowered);
    }

    @Test
    void lowestPriorityIsNotPassed() throws Exception {
        assertEquals(19, onThread(() -> network.lowerPriority(19) ? own() : -1));
    }

    @Test
    void networkWithoutNativeAccessDoesNothing() throws Exception {
        assertFalse(onThread(() -> new NioNetwork().lowerPriority(5)));
    }
}
