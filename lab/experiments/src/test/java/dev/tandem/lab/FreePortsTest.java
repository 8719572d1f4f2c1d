package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.FreePort;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class FreePortsTest {
    /// 32,768 is where Linux begins to assign ports to clients.
    @Test
    void eachPortIsAnotherOneThatNoClientGets() throws Exception {
        TreeSet<Integer> ports = take(100);
        assertEquals(100, ports.size());
        assertTrue(ports.first() >= 20_000 && ports.last() < 32_768, "" + ports);
    }

    /// Tests have a class of their own, since the laboratory does not depend on the test kit.
    @Test
    void portsOfTestsAreOthers() throws Exception {
        TreeSet<Integer> ours = take(2_000);
        for (int i = 0; i < 500; i++) {
            int theirs = FreePort.find();
            assertFalse(ours.contains(theirs), "both have " + theirs);
        }
    }

    /// By chance alone, a third of the other's ports would be ours.
    @Test
    void anotherProcessTakesNoneOfThem() throws Exception {
        TreeSet<Integer> ours = take(4_000);
        Process other =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-XX:+UseSerialGC",
                                "-cp",
                                System.getProperty("java.class.path"),
                                FreePortsTest.class.getName(),
                                "1000")
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        List<Integer> theirs;
        try (var lines = other.inputReader()) {
            theirs = lines.lines().map(Integer::valueOf).toList();
        } finally {
            other.destroy();
        }
        assertEquals(1_000, theirs.size());
        assertTrue(theirs.stream().noneMatch(ours::contains), "both have a port");
    }

    /// The other process: prints as many ports as its argument says.
    public static void main(String[] args) throws Exception {
        take(Integer.parseInt(args[0])).forEach(System.out::println);
    }

    private static TreeSet<Integer> take(int count) throws LabException {
        var ports = new TreeSet<Integer>();
        for (int i = 0; i < count; i++) {
            ports.add(FreePorts.next());
        }
        return ports;
    }
}
