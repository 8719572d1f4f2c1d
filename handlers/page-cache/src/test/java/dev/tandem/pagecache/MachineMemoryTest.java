package dev.tandem.pagecache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineMemoryTest {
    @TempDir Path dir;

    @BeforeEach
    void machine() throws IOException {
        write("proc/meminfo", "MemTotal: 1000 kB\nMemFree: 1 kB\nMemAvailable: 600 kB\n");
    }

    private void write(String name, String text) throws IOException {
        Path file = dir.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private MachineMemory memory() {
        return new MachineMemory(dir.resolve("proc"), dir.resolve("cgroup"));
    }

    @Test
    void limitWithoutGroupsIsTheMachines() {
        assertEquals(1_024_000, memory().limit());
        assertEquals(614_400, memory().available());
    }

    @Test
    void limitOfVersionOneIsTheLowestOfItsFolders() throws IOException {
        write("proc/self/cgroup", "5:cpu:/x\n4:memory:/a/b\n0::/\n");
        write("cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
        write("cgroup/memory/a/memory.limit_in_bytes", "500000\n");
        write("cgroup/memory/a/memory.usage_in_bytes", "400000\n");
        write("cgroup/memory/a/memory.stat", "cache 5\ntotal_inactive_file 50000\n");
        write("cgroup/memory/a/b/memory.limit_in_bytes", "700000\n");
        assertEquals(500_000, memory().limit());
        assertEquals(150_000, memory().available());
    }

    @Test
    void limitOfVersionTwoApplies() throws IOException {
        write("proc/self/cgroup", "0::/s/t\n");
        write("cgroup/s/memory.max", "max\n");
        write("cgroup/s/t/memory.max", "300000\n");
        write("cgroup/s/t/memory.current", "290000\n");
        write("cgroup/s/t/memory.stat", "anon 1\ninactive_file 1000\n");
        assertEquals(300_000, memory().limit());
        assertEquals(11_000, memory().available());
    }

    @Test
    void limitThatIsLoweredIsSeen() throws IOException {
        write("proc/self/cgroup", "0::/s\n");
        write("cgroup/s/memory.max", "300000\n");
        write("cgroup/s/memory.current", "200000\n");
        MachineMemory memory = memory();
        assertEquals(100_000, memory.available());
        write("cgroup/s/memory.max", "210000\n");
        assertEquals(10_000, memory.available());
        write("cgroup/s/memory.max", "150000\n"); // version 2 accepts one below what is used
        assertEquals(0, memory.available());
    }

    @Test
    void pageCacheGetsAQuarterOfAMachineAndMostOfAGroup() throws IOException {
        write("proc/meminfo", "MemTotal: 1048576 kB\nMemAvailable: 600 kB\n");
        assertEquals(256 << 20, memory().pageCacheBytes(64 << 20));
        write("proc/self/cgroup", "0::/s\n");
        write("cgroup/s/memory.max", (384 << 20) + "\n");
        assertEquals((384 - 64 - 96) / 4 * 3 << 20, memory().pageCacheBytes(64 << 20));
        assertEquals(
                48 << 20, memory().pageCacheBytes(300 << 20), "an eighth if the heap takes all");
    }

    @Test
    void thisMachineHasMemory() {
        assertTrue(MachineMemory.current().limit() > 1 << 20);
        assertTrue(MachineMemory.current().available() > 0);
    }
}
