package dev.tandem.net.epoll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StandBehindTest {
    private static final Path STAT = Path.of("/proc/thread-self/stat");

    /// The 19th field of `proc_pid_stat(5)`; the second is in parentheses, and may have spaces.
    private static int nice() throws Exception {
        String line = Files.readString(STAT);
        String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ");
        return Integer.parseInt(fields[19 - 3]);
    }

    private static <T> T onThread(Callable<T> call) throws Exception {
        var task = new FutureTask<>(call);
        Thread.ofPlatform().start(task);
        return task.get(20, TimeUnit.SECONDS);
    }

    @Test
    void onlyWhoAsksStandsBehindAndWhomItStarts() throws Exception {
        var network = new EpollNetwork();
        assumeTrue(network.isUsable(), "epoll is not usable here");
        int own = nice();
        int behind = Math.min(19, own + EpollNetwork.BEHIND);
        assertEquals(
                behind,
                onThread(
                        () -> {
                            network.standBehind();
                            assertEquals(behind, nice());
                            return onThread(StandBehindTest::nice);
                        }));
        assertEquals(own, nice());
    }

    @Test
    void oneStartedByOneThatStandsBehindStandsNoFurther() throws Exception {
        var network = new EpollNetwork();
        assumeTrue(network.isUsable(), "epoll is not usable here");
        int behind = Math.min(19, nice() + EpollNetwork.BEHIND);
        Callable<Integer> stands =
                () -> {
                    network.standBehind();
                    return nice();
                };
        assertEquals(
                behind,
                onThread(
                        () -> {
                            network.standBehind();
                            return onThread(stands);
                        }));
    }
}
