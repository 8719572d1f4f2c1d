package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class TargetCommandTest {
    private static final List<String> ARGUMENTS =
            List.of("-Xmx1g", "-XX:AOTCache=/x/y/t.aot", "-cp", "/a:/b", "a.Main", "lab", "speed");

    @Test
    void commandEndsWithTheMainClass() throws LabException {
        var command = TargetCommand.of("/jdk/java", ARGUMENTS, "a.Main lab speed");
        assertEquals(
                List.of("/jdk/java", "-Xmx1g", "-XX:AOTCache=/x/y/t.aot", "-cp", "/a:/b", "a.Main"),
                command.words());
    }

    @Test
    void jarStandsForTheMainClass() throws LabException {
        var command = TargetCommand.of("java", List.of("-jar", "/a b.jar", "lab"), "/a b.jar lab");
        assertEquals(List.of("java", "-jar", "/a b.jar"), command.words());
    }

    @Test
    void inconsistentCommandIsRejected() {
        assertThrows(
                LabException.class, () -> TargetCommand.of("java", ARGUMENTS, "b.Main lab speed"));
    }

    @Test
    void targetGetsItsPortAndFolder() {
        var command = new TargetCommand(List.of("java", "a.Main"));
        assertEquals(
                List.of(
                        "java",
                        "a.Main",
                        "lab",
                        "target",
                        "--listen",
                        "127.0.0.1:1",
                        "--root",
                        "/r"),
                command.at(1, Path.of("/r")));
    }

    @Test
    void flagsForTheReportHaveNoPaths() throws LabException {
        var command = TargetCommand.of("/jdk/java", ARGUMENTS, "a.Main lab speed");
        assertEquals("-Xmx1g -XX:AOTCache=t.aot", command.flags());
    }
}
