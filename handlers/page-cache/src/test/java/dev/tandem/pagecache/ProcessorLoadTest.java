package dev.tandem.pagecache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessorLoadTest {
    private static final double OTHERWISE = 0.125;

    private final Path proc;

    ProcessorLoadTest(@TempDir Path proc) {
        this.proc = proc;
    }

    private void allowed(String list) throws IOException {
        Files.createDirectories(proc.resolve("self"));
        Files.writeString(
                proc.resolve("self/status"),
                "Name:\tjava\nCpus_allowed:\tf\nCpus_allowed_list:\t" + list + "\nMems:\t1\n");
    }

    /// Sets the two processors' ticks.
    private void ticks(long user0, long user1, long idle) throws IOException {
        Files.writeString(
                proc.resolve("stat"),
                "cpu  9 9 9 9 9 9 9 9 9 9\n"
                        + ("cpu0 " + user0 + " 0 0 " + idle + " 0 0 0 0 0 0\n")
                        + ("cpu1 " + user1 + " 0 0 " + idle + " 5 0 0 0 0 0\n")
                        + "intr 1 2 3\n");
    }

    private ProcessorLoad load() {
        return new ProcessorLoad(proc, () -> OTHERWISE);
    }

    @Test
    void loadIsThatOfAllowedProcessorsOnly() throws IOException {
        allowed("1");
        ticks(0, 0, 0);
        ProcessorLoad load = load();
        ticks(500, 100, 300);
        assertEquals(0.25, load.getAsDouble(), 1e-9);
        ticks(900, 400, 300);
        assertEquals(1, load.getAsDouble(), 1e-9);
    }

    @Test
    void loadIsTheMeanOfAllowedProcessors() throws IOException {
        allowed("0-1,7");
        ticks(0, 0, 0);
        ProcessorLoad load = load();
        ticks(100, 0, 100);
        assertEquals(100 / 300.0, load.getAsDouble(), 1e-9);
    }

    @Test
    void unknownLoadIsThatOfTheFallback() throws IOException {
        assertEquals(OTHERWISE, load().getAsDouble());
        allowed("0");
        ticks(0, 0, 0);
        assertEquals(OTHERWISE, load().getAsDouble(), "no time has passed");
        allowed("x-,9999999,-");
        ticks(10, 10, 10);
        assertEquals(OTHERWISE, load().getAsDouble());
    }

    @Test
    void loadIsCorrectAgainAfterAProcessorWasRemoved() throws IOException {
        allowed("0-1");
        ticks(100, 100, 100);
        ProcessorLoad load = load();
        allowed("0");
        ticks(110, 110, 110);
        assertEquals(OTHERWISE, load.getAsDouble());
        ticks(120, 110, 110);
        assertEquals(1, load.getAsDouble(), 1e-9);
    }

    @Test
    void loadOfThisMachineIsKnown() {
        var load = new ProcessorLoad(Path.of("/proc"), () -> -1);
        double busy = load.getAsDouble();
        assertTrue(busy >= -1 && busy <= 1, () -> "" + busy);
    }
}
