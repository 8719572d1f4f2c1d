package dev.tandem.testkit;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/// Runs a module's jcstress tests: those in its `src/test/jcstress`, all in one JVM of their own.
/// The code that jcstress generates is neither a module nor free of warnings, so it is compiled
/// here. The module has jcstress among its test dependencies.
public final class Races {
    private static final Path OF_ROOM = Path.of("src/test/jcstress");
    private static final Path RUN = Path.of("../../testing/testkit/src/jcstress");
    private static final int SECONDS_MAX = 120;

    /// 0.1 s for each race: some thousand runs. A waiting thread yields, since there may be
    /// fewer processors than threads.
    private static final List<String> OPTIONS =
            List.of("-iters", "1", "-time", "100", "-spinStyle", "THREAD_YIELD");

    private Races() {}

    /// @param folder for the compiled classes
    /// @param options of jcstress, in addition to the time
    /// @throws AssertionError with the whole output, if one of them fails
    public static void run(Path folder, List<String> options)
            throws IOException, InterruptedException {
        String path = classPath();
        compile(path, folder);
        Path output = folder.resolve("output.txt");
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-cp", folder + File.pathSeparator + path));
        command.add("dev.tandem.testkit.RaceRun");
        command.addAll(OPTIONS);
        command.addAll(options);
        Process process =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        boolean hasEnded = process.waitFor(SECONDS_MAX, TimeUnit.SECONDS);
        process.destroyForcibly();
        if (!hasEnded || process.exitValue() != 0) {
            throw new AssertionError(
                    (hasEnded ? "" : "not over after 120 s: ") + Files.readString(output));
        }
    }

    /// The class path of this JVM, including named modules.
    private static String classPath() {
        Stream<String> entries =
                Stream.of("jdk.module.path", "java.class.path")
                        .flatMap(
                                name ->
                                        Arrays.stream(
                                                System.getProperty(name, "")
                                                        .split(File.pathSeparator)));
        return String.join(
                File.pathSeparator, entries.filter(Predicate.not(String::isEmpty)).toList());
    }

    private static void compile(String path, Path folder) throws IOException {
        var arguments = new ArrayList<String>();
        arguments.addAll(List.of("-proc:full", "-nowarn", "-d", folder.toString(), "-cp", path));
        for (Path root : List.of(OF_ROOM, RUN)) {
            try (Stream<Path> sources = Files.walk(root)) {
                sources.map(Path::toString)
                        .filter(name -> name.endsWith(".java"))
                        .forEach(arguments::add);
            }
        }
        int result =
                ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, arguments.toArray(String[]::new));
        if (result != 0) {
            throw new AssertionError("races do not compile");
        }
    }
}
