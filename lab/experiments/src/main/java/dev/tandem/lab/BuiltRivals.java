package dev.tandem.lab;

import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/// Location of the rivals from Maven Central: sources in `lab/rivals`, build output in
/// `.tandem/rivals`, a folder each with a jar and the `lib` that it needs.
///
/// @param home the folder that Tandem was built in
record BuiltRivals(Path home) {
    /// Time limit for downloads and builds.
    private static final int BUILD_SECONDS_MAX = 900;

    private static final int LOOK_SECONDS = 5;

    /// Uses the launcher's folder, else that of this process.
    static BuiltRivals ofProcess() {
        return new BuiltRivals(Path.of(System.getProperty("tandem.home", ".")).toAbsolutePath());
    }

    private Path sources() {
        return home.resolve("lab/rivals/pom.xml");
    }

    private Path built() {
        return home.resolve(".tandem/rivals");
    }

    /// @throws LabException if it is not built; the message says how to build it
    Path folder(String name) throws LabException {
        Path folder = built().resolve(name);
        if (!Files.exists(folder.resolve(name + ".jar")) || !Files.isDirectory(lib(name))) {
            throw new LabException("needs " + name + ": tandem lab rivals --install yes");
        }
        return folder;
    }

    private Path lib(String name) {
        return built().resolve(name).resolve("lib");
    }

    /// The version in the name of a jar such as `tomcat-embed-core-11.0.26.jar`.
    ///
    /// @param jar its name without the version
    String version(String name, String jar) throws LabException {
        folder(name);
        try (var names = Files.list(lib(name))) {
            return names.map(path -> path.getFileName().toString())
                    .filter(file -> file.matches(jar + "-\\d.*\\.jar"))
                    .map(file -> file.substring(jar.length() + 1, file.length() - 4))
                    .findFirst()
                    .orElse("?");
        } catch (IOException e) {
            throw new LabException("cannot look into " + lib(name) + ": " + e.getMessage());
        }
    }

    /// Downloads and builds all. Prints its progress every few seconds.
    ///
    /// @throws LabException if it cannot; names the log
    void install(Toolbox tools, PrintStream out) throws LabException, InterruptedException {
        Path maven = tools.need("mvn", "apt-get install maven");
        if (!Files.isReadable(sources())) {
            throw new LabException("needs " + sources() + ": run it from Tandem's own folder");
        }
        Path log = built().resolve("build.log");
        try {
            Files.createDirectories(built());
            out.println("building rivals from Maven Central; the first time downloads about 40 MB");
            Process build = start(maven, log);
            try {
                await(build, out);
            } finally {
                build.destroyForcibly();
            }
            if (build.exitValue() != 0) {
                throw new LabException(
                        "the rivals could not be built: " + firstError(log) + "; see " + log);
            }
        } catch (IOException e) {
            throw new LabException("cannot build in " + built() + ": " + e.getMessage());
        }
    }

    private Process start(Path maven, Path log) throws IOException {
        var builder =
                new ProcessBuilder(
                        maven.toString(),
                        "-B",
                        "-ntp",
                        "-f",
                        sources().toString(),
                        "-Drivals.folder=" + built(),
                        "package");
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        return builder.redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                .redirectOutput(log.toFile())
                .start();
    }

    private static void await(Process build, PrintStream out)
            throws LabException, InterruptedException {
        for (int seconds = 0; !build.waitFor(LOOK_SECONDS, TimeUnit.SECONDS); ) {
            seconds += LOOK_SECONDS;
            out.println("  still building after " + seconds + " s");
            if (seconds >= BUILD_SECONDS_MAX) {
                throw new LabException("the rivals' build took more than " + seconds + " s");
            }
        }
    }

    private static String firstError(Path log) throws IOException {
        return Files.readString(log, StandardCharsets.ISO_8859_1)
                .lines()
                .filter(line -> line.startsWith("[ERROR]"))
                .findFirst()
                .orElse("no output from Maven")
                .replace("[ERROR] ", "");
    }
}
