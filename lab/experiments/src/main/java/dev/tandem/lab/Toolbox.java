package dev.tandem.lab;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Finds and runs other programs.
///
/// @param folders of programs, in search order
record Toolbox(List<Path> folders) {

    /// Servers are in folders that are not on every user's path.
    private static final List<String> SYSTEM = List.of("/usr/sbin", "/usr/local/sbin", "/sbin");

    static Toolbox ofProcess() {
        String path = System.getenv("PATH");
        var names = new ArrayList<String>();
        if (path != null) {
            names.addAll(List.of(path.split(File.pathSeparator)));
        }
        names.addAll(SYSTEM);
        var folders = new ArrayList<Path>();
        for (String name : names) {
            if (!name.isEmpty()) {
                folders.add(Path.of(name));
            }
        }
        return new Toolbox(folders);
    }

    @Nullable Path find(String name) {
        for (Path folder : folders) {
            Path file = folder.resolve(name);
            if (Files.isRegularFile(file) && Files.isExecutable(file)) {
                return file;
            }
        }
        return null;
    }

    /// @param wayOut how to get it
    /// @throws LabException if it is not there
    Path need(String name, String wayOut) throws LabException {
        Path file = find(name);
        if (file == null) {
            throw new LabException("needs " + name + ": " + wayOut);
        }
        return file;
    }

    /// The JDK's own `jcmd`, which reads other JVMs' memory statistics.
    static Path jcmd() throws LabException {
        Path file = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        if (!Files.isExecutable(file)) {
            throw new LabException("needs jcmd: run with a whole JDK in place of a JRE");
        }
        return file;
    }

    /// Runs a program to its end. Its output is in a file until then, so that it can neither block
    /// the program nor outlast its time limit.
    ///
    /// @param limitSeconds after which it is killed
    /// @return its output, standard error included
    /// @throws LabException if it cannot be started or runs for too long
    static String output(int limitSeconds, List<String> command)
            throws LabException, InterruptedException {
        Process process = null;
        Path said = null;
        try {
            said = Files.createTempFile("tandem-lab-", ".out");
            process =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                            .redirectOutput(said.toFile())
                            .start();
            if (!process.waitFor(limitSeconds, TimeUnit.SECONDS)) {
                throw new LabException(
                        command.getFirst() + " did not end within " + limitSeconds + " s");
            }
            return Files.readString(said, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new LabException("cannot run " + command.getFirst() + ": " + e.getMessage());
        } finally {
            if (process != null) {
                process.destroyForcibly();
            }
            delete(said);
        }
    }

    /// The first line of a program's version output; `?` if there is none.
    static String firstLine(List<String> command) throws InterruptedException {
        try {
            return output(10, command).strip().lines().findFirst().orElse("?");
        } catch (LabException e) {
            return "?";
        }
    }

    private static void delete(@Nullable Path file) {
        try {
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            // In the temporary folder, and small: the system deletes it.
        }
    }
}
