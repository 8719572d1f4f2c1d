package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ProcessorGroupTest {
    private static ProcessorGroup made(String name) {
        try {
            return ProcessorGroup.make(name);
        } catch (LabException e) {
            return abort("needs control groups: " + e.getMessage());
        }
    }

    @Test
    void runningProcessIsMovedIntoTheGroup() throws Exception {
        Process process = new ProcessBuilder("sleep", "60").start();
        try (ProcessorGroup group = made("moved")) {
            group.limit(0.25);
            group.add(process.pid());
            String groups = Files.readString(Path.of("/proc/" + process.pid() + "/cgroup"));
            assertTrue(groups.contains("-moved"), groups);
            process.destroyForcibly().waitFor();
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void processThatHasEndedIsAnErrorOfTheLab() throws Exception {
        Process process = new ProcessBuilder("true").start();
        process.waitFor();
        try (ProcessorGroup group = made("ended")) {
            assertThrows(LabException.class, () -> group.add(process.pid()));
        }
    }
}
