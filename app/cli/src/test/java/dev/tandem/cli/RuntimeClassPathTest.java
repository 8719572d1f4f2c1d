package dev.tandem.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The product's runtime class path, as the build resolved it.
class RuntimeClassPathTest {
    /// A class folder or jar of the laboratory, or a library that only the laboratory needs.
    private static final Pattern LABORATORY =
            Pattern.compile(
                    ".*/lab/.*|.*/tandem-(lab-commands|experiments|charts|load|workloads"
                            + "|auction|bookstore|specweb)-.*"
                            + "|.*/(h2|mariadb-java-client|postgresql|HikariCP"
                            + "|HdrHistogram|jte-runtime|commons-numbers)-.*");

    @Test
    void hasNothingOfTheLaboratory() throws IOException {
        Path root = Path.of("../..").toAbsolutePath().normalize();
        String all = Files.readString(Path.of("target/runtime-class-path"));
        List<String> entries =
                Stream.of(all.split(File.pathSeparator))
                        .map(entry -> entry.replace(root.toString(), ""))
                        .toList();
        assertTrue(entries.stream().anyMatch(entry -> entry.contains("engine")), all);
        assertEquals(
                List.of(),
                entries.stream().filter(entry -> LABORATORY.matcher(entry).matches()).toList());
    }
}
