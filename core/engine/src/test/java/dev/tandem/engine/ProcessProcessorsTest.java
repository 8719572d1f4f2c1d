package dev.tandem.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessProcessorsTest {
    private static final int ALL = Runtime.getRuntime().availableProcessors();

    private final Path stat;
    private final Path groups;
    private final Path own;
    private final ProcessProcessors process;

    ProcessProcessorsTest(@TempDir Path folder) {
        stat = folder.resolve("stat");
        groups = folder.resolve("groups");
        own = folder.resolve("own");
        process = new ProcessProcessors(stat, groups, own);
    }

    @Test
    void nameOfAProcessMayHaveAnyCharacters() throws IOException {
        Files.writeString(stat, "7 (a b) 1) S 1 7 7 0 -1 4194304 1 0 0 0 250 50 0 0 20 0 33 0\n");
        assertEquals(3_000_000_000L, process.usedNanos());
    }

    @Test
    void timeOfASystemWithoutTheFileIsNotKnown() throws IOException {
        assertEquals(-1, process.usedNanos());
        Files.writeString(stat, "7 (java) S 1");
        assertEquals(-1, process.usedNanos());
    }

    @Test
    void quotaOfVersionTwoMayBeAPartOfAProcessor() throws IOException {
        Files.writeString(own, "0::/shop/one\n");
        write("shop/one/cpu.max", "max 100000\n");
        write("shop/cpu.max", "50000 100000\n");
        assertEquals(0.5, process.count());
        write("shop/cpu.max", "max 100000\n");
        assertEquals(ALL, process.count(), "the limit was removed while the server runs");
    }

    @Test
    void quotaOfVersionOneIsRead() throws IOException {
        Files.writeString(own, "9:name=systemd:/\n4:cpu,cpuacct:/docker/id\n0::/\n");
        write("cpu/cpu.cfs_quota_us", "25000\n");
        write("cpu/cpu.cfs_period_us", "100000\n");
        assertEquals(0.25, process.count(), "in a container the group is at the root");
        write("cpu/cpu.cfs_quota_us", "-1\n");
        assertEquals(ALL, process.count());
    }

    @Test
    void withoutControlGroupsThereAreAllProcessors() throws IOException {
        assertEquals(ALL, process.count());
        Files.writeString(own, "nonsense\n0::/../../etc\n");
        assertEquals(ALL, process.count());
    }

    @Test
    void thisProcessHasUsedSomeTime() {
        var real = new ProcessProcessors();
        if (Files.exists(Path.of("/proc/self/stat"))) {
            assertTrue(real.usedNanos() > 0);
        }
        assertTrue(real.count() > 0);
    }

    private void write(String path, String text) throws IOException {
        Path file = groups.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
