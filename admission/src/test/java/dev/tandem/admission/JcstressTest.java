package dev.tandem.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import joptsimple.OptionParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jcstress.Main;

/// Has jcstress race pairs of threads for a place, some ten thousand times each, in JVMs of its
/// own. What it makes of such a test is neither a module nor free of warnings, so it is compiled
/// here.
class JcstressTest {
    private static final Path SOURCES = Path.of("src/test/jcstress");
    private static final int SECONDS_MAX = 120;

    /// One JVM for each test, for 0.3 s.
    private static final List<String> OPTIONS =
            List.of(
                    "-m",
                    "quick",
                    "-f",
                    "1",
                    "-iters",
                    "1",
                    "-time",
                    "300",
                    "-af",
                    "GLOBAL",
                    "-sc",
                    "false",
                    "-jvmArgs",
                    "-XX:+UseSerialGC");

    @Test
    void noPlaceIsLostOrGivenTwice(@TempDir Path folder) throws IOException, InterruptedException {
        String path = classPath();
        compile(path, folder);
        Path output = folder.resolve("output.txt");
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-cp", folder + File.pathSeparator + path, Main.class.getName()));
        command.addAll(List.of("-r", folder.resolve("results").toString()));
        command.addAll(OPTIONS);
        Process process =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        boolean hasEnded = process.waitFor(SECONDS_MAX, TimeUnit.SECONDS);
        process.destroyForcibly();
        String said = Files.readString(output);
        assertTrue(hasEnded, said);
        assertEquals(0, process.exitValue(), said);
        assertTrue(said.contains("4 planned; 4 passed, 0 failed"), said);
    }

    private static void compile(String path, Path folder) throws IOException {
        try (Stream<Path> sources = Files.walk(SOURCES)) {
            String[] files =
                    sources.map(Path::toString)
                            .filter(name -> name.endsWith(".java"))
                            .toArray(String[]::new);
            assertEquals(1, files.length);
            int result =
                    ToolProvider.getSystemJavaCompiler()
                            .run(
                                    null,
                                    null,
                                    null,
                                    "-proc:full",
                                    "-nowarn",
                                    "-d",
                                    folder.toString(),
                                    "-cp",
                                    path,
                                    files[0]);
            assertEquals(0, result);
        }
    }

    /// Of what is tested, and of jcstress.
    private static String classPath() {
        return Stream.of(Admission.class, Main.class, OptionParser.class)
                .map(type -> type.getProtectionDomain().getCodeSource().getLocation().getPath())
                .collect(Collectors.joining(File.pathSeparator));
    }
}
