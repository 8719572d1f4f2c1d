package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.Patience;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class LoadThreadsTest {
    @Test
    void onlyNewerThreadsGetALowerPriority() throws Exception {
        var end = new CountDownLatch(1);
        Thread old = started("load-old", end);
        Patience.until("it is known", () -> !LoadThreads.now().numbers().isEmpty());
        LoadThreads before = LoadThreads.now();
        Thread fresh = started("load-new", end);
        try {
            Patience.until(
                    "the new one is known",
                    () -> !before.numbers().containsAll(LoadThreads.now().numbers()));
            before.newOnesGiveWay();
            Set<String> news = new HashSet<>(LoadThreads.now().numbers());
            news.removeAll(before.numbers());
            assertEquals(1, news.size());
            assertEquals(10, nice(news.iterator().next()));
            for (String number : before.numbers()) {
                assertTrue(nice(number) < 10);
            }
        } finally {
            end.countDown();
            old.join();
            fresh.join();
        }
    }

    private static Thread started(String name, CountDownLatch end) {
        return Thread.ofPlatform()
                .name(name)
                .start(
                        () -> {
                            try {
                                end.await();
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                        });
    }

    /// Returns the nineteenth field, of which the second may have spaces (proc(5)).
    private static int nice(String number) throws Exception {
        String stat = Files.readString(Path.of("/proc/self/task", number, "stat"));
        String[] behindName = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return Integer.parseInt(behindName[16]);
    }
}
