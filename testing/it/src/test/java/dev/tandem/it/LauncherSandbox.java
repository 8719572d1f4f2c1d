package dev.tandem.it;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// A project of its own for the launcher, in a temporary folder: the real scripts, and a Maven and
/// a JDK that only record how they were called. So a test of the launcher takes milliseconds.
final class LauncherSandbox {
    private static final int PATIENCE_SECONDS = 30;

    /// The programs that the scripts need in addition to a shell.
    private static final List<String> TOOLS =
            List.of(
                    "sh",
                    "find",
                    "readlink",
                    "dirname",
                    "mkdir",
                    "ln",
                    "rm",
                    "mv",
                    "touch",
                    "cp",
                    "env",
                    "grep",
                    "sed",
                    "tail",
                    "head",
                    "date",
                    "sleep",
                    "cat");

    /// Makes the requested jars. Writes into `calls` that it ran; waits for the file `go` if there
    /// is a file `wait`.
    private static final String MAVEN =
            """
            #!/bin/sh
            echo maven >>"$SANDBOX/calls"
            if [ -e "$SANDBOX/wait" ]; then
                until [ -e "$SANDBOX/go" ]; do sleep 0.05; done
            fi
            if [ -e "$SANDBOX/broken" ]; then
                echo '[ERROR] module/A.java:[1,1] it is broken'
                exit 1
            fi
            for word in "$@"; do
                case $word in
                    -Dtandem.lib=*) lib=${word#*=} ;;
                    -Dtandem.laboratory=*) laboratory=${word#*=} ;;
                esac
            done
            cd "$SANDBOX/project"
            mkdir -p "$lib" app/cli/target
            touch "$lib/module.jar" app/cli/target/tandem-cli-1.jar
            if [ -n "$laboratory" ]; then
                mkdir -p "$laboratory" lab/commands/target
                mkdir -p lab/auction/target/tandem-auction-1 lab/specweb/target/tandem-specweb-1
                touch "$laboratory/module.jar" "$laboratory/shop.jar"
                touch lab/commands/target/tandem-lab-commands-1.jar
                touch lab/auction/target/auction-classes.jar
            fi
            """;

    /// As the server, prints its process id, its supervisor's socket and each argument; as the
    /// rehearsal, leaves a cache.
    private static final String JAVA =
            """
            #!/bin/sh
            for word in "$@"; do
                case $word in
                    -XX:AOTCacheOutput=*)
                        echo "rehearsal$NOTIFY_SOCKET" >>"$SANDBOX/calls"
                        touch "${word#*=}"
                        [ -e "$SANDBOX/stumble" ] && exit 1
                        exit 0
                        ;;
                esac
            done
            echo "process=$$"
            echo "supervisor=$NOTIFY_SOCKET"
            for word in "$@"; do echo "<$word>"; done
            """;

    private final Path folder;
    private final Path project;
    private final Path tools;

    /// The result of a run.
    record Ended(long process, int status, String out, String err) {}

    /// @param scripts the root of the project whose launcher is tested
    /// @param folder empty
    LauncherSandbox(Path scripts, Path folder) throws IOException {
        this.folder = folder;
        project = Files.createDirectory(folder.resolve("project"));
        tools = Files.createDirectory(folder.resolve("tools"));
        for (String tool : TOOLS) {
            Files.createSymbolicLink(tools.resolve(tool), realTool(tool));
        }
        executable(tools.resolve("mvn"), MAVEN);
        jdk("25.0.1+8");
        executable(jdk().resolve("bin/java"), JAVA);
        executable(jdk().resolve("bin/javac"), "#!/bin/sh\n");
        copy(scripts.resolve("tandem"), project.resolve("tandem"));
        Files.createDirectory(project.resolve("bin"));
        try (Stream<Path> parts = Files.list(scripts.resolve("bin"))) {
            for (Path part : parts.toList()) {
                copy(part, project.resolve("bin").resolve(part.getFileName()));
            }
        }
        Files.writeString(project.resolve("pom.xml"), "<project/>");
        Files.createDirectories(source().getParent());
        Files.writeString(source(), "class A {}");
        Files.createDirectories(laboratorySource().getParent());
        Files.writeString(laboratorySource(), "class B {}");
    }

    Path project() {
        return project;
    }

    Path folder() {
        return folder;
    }

    Path launcher() {
        return project.resolve("tandem");
    }

    /// A source file that Maven would compile.
    Path source() {
        return project.resolve("core/module/src/main/java/A.java");
    }

    /// A source file that Maven would compile for the laboratory.
    Path laboratorySource() {
        return project.resolve("lab/module/src/main/java/B.java");
    }

    /// Makes a file that the scripts of the sandbox check for.
    void mark(String name) throws IOException {
        Files.writeString(folder.resolve(name), "");
    }

    void unmark(String name) throws IOException {
        Files.delete(folder.resolve(name));
    }

    void removeMaven() throws IOException {
        Files.delete(tools.resolve("mvn"));
    }

    /// Sets the version of the JDK.
    void jdk(String version) throws IOException {
        Files.createDirectories(jdk().resolve("bin"));
        Files.writeString(jdk().resolve("release"), "JAVA_RUNTIME_VERSION=\"" + version + "\"\n");
    }

    /// Makes the source newer than any build until now.
    static void touch(Path source) throws IOException {
        Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(2)));
    }

    /// Returns what ran in addition to the server, in order.
    List<String> calls() throws IOException {
        Path calls = folder.resolve("calls");
        return Files.exists(calls) ? Files.readAllLines(calls) : List.of();
    }

    /// Runs a command there to its end.
    Ended run(Path at, String... command) throws IOException, InterruptedException {
        return end(start(at, "", command));
    }

    /// Runs a command to its end as a user without write access to the project.
    Ended runUnprivileged(String... command) throws IOException, InterruptedException {
        Path work = project.resolve(".tandem");
        Files.setPosixFilePermissions(work, PosixFilePermissions.fromString("r-xr-xr-x"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        var words = new ArrayList<String>();
        if (System.getProperty("user.name").equals("root")) {
            String user = "65534";
            String tool = realTool("setpriv").toString();
            words.addAll(List.of(tool, "--reuid", user, "--regid", user, "--clear-groups"));
        }
        words.addAll(List.of(command));
        try {
            return run(project, words.toArray(String[]::new));
        } finally {
            Files.setPosixFilePermissions(work, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    /// @param javaOptions the environment's JAVA_OPTS
    Process start(Path at, String javaOptions, String... command) throws IOException {
        var builder = new ProcessBuilder(command).directory(at.toFile());
        builder.environment().clear();
        builder.environment().put("PATH", tools.toString());
        builder.environment().put("JAVA_HOME", jdk().toString());
        builder.environment().put("JAVA_OPTS", javaOptions);
        builder.environment().put("SANDBOX", folder.toString());
        return builder.redirectInput(new File("/dev/null")).start();
    }

    static Ended end(Process process) throws IOException, InterruptedException {
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException("still running after " + PATIENCE_SECONDS + " s");
        }
        var out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        var err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.pid(), process.exitValue(), out, err);
    }

    private Path jdk() {
        return folder.resolve("jdk");
    }

    private static Path realTool(String name) throws IOException {
        var tried = new ArrayList<Path>();
        for (String at : List.of("/usr/bin", "/bin")) {
            Path tool = Path.of(at, name);
            if (Files.exists(tool)) {
                return tool;
            }
            tried.add(tool);
        }
        throw new IOException("none of " + tried + " exists");
    }

    private static void copy(Path from, Path to) throws IOException {
        executable(to, Files.readString(from));
    }

    private static void executable(Path file, String text) throws IOException {
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
