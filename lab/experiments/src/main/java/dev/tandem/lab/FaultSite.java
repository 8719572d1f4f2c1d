package dev.tandem.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// A [FaultTarget] and its folder.
///
/// @param child its process
/// @param managePort of its management address
/// @param folder of what it keeps
record FaultSite(Child child, int managePort, Path folder) implements AutoCloseable {
    static final String CACHE = "-XX:AOTCache=";

    private static final int SIGNAL_SECONDS_MAX = 10;

    /// How a target is started.
    ///
    /// @param folder of what it keeps
    /// @param prefix of the command, such as another program that starts it
    /// @param flags of the JVM
    /// @param arguments after the folder: upstream, PHP, database
    record Start(Path folder, List<String> prefix, List<String> flags, List<String> arguments) {
        static Start in(Path folder) {
            return new Start(folder, List.of(), List.of(), List.of("-", "-"));
        }

        Start withPrefix(String... words) {
            return new Start(folder, List.of(words), flags, arguments);
        }

        Start withFlags(String... words) {
            return new Start(folder, prefix, List.of(words), arguments);
        }

        Start with(String... words) {
            return new Start(folder, prefix, flags, List.of(words));
        }
    }

    static FaultSite start(Run run, Start how) throws LabException, InterruptedException {
        return start(run, how, FreePorts.next());
    }

    static FaultSite start(Run run, Start how, int port) throws LabException, InterruptedException {
        int managePort = FreePorts.next();
        var command = new ArrayList<>(how.prefix());
        List<String> words = run.environment().target().words();
        command.add(words.getFirst());
        command.addAll(how.flags());
        boolean hasCache = how.flags().stream().anyMatch(flag -> flag.startsWith(CACHE));
        for (String word : words.subList(1, words.size() - 1)) {
            if (!hasCache || !word.startsWith(CACHE)) {
                command.add(word);
            }
        }
        command.add(FaultTarget.class.getName());
        command.addAll(List.of(Integer.toString(port), Integer.toString(managePort)));
        command.add(how.folder().toString());
        command.addAll(how.arguments());
        Path log = how.folder().resolveSibling(how.folder().getFileName() + "-" + port + ".log");
        var site =
                new FaultSite(Child.start("target", command, port, log), managePort, how.folder());
        try {
            site.child.awaitResponse("/hello");
        } catch (LabException | InterruptedException e) {
            site.close();
            throw e;
        }
        return site;
    }

    int port() {
        return child.port();
    }

    /// Returns the ids in the journal; a last line without its end was not acknowledged.
    Set<String> journal() throws LabException {
        try {
            Path file = folder.resolve("journal");
            return Files.exists(file) ? Set.copyOf(Files.readAllLines(file)) : Set.of();
        } catch (IOException e) {
            throw new LabException("the journal cannot be read: " + e.getMessage());
        }
    }

    /// Returns the names of uploads of a length.
    Set<String> uploads(long length) throws LabException {
        try (Stream<Path> files = Files.list(folder.resolve("uploads"))) {
            return Set.copyOf(
                    files.filter(file -> file.toFile().length() == length)
                            .map(file -> file.getFileName().toString())
                            .toList());
        } catch (IOException e) {
            throw new LabException("uploads cannot be listed: " + e.getMessage());
        }
    }

    /// Sends a signal, such as `STOP`, to a process.
    static void signal(String name, long pid) throws LabException, InterruptedException {
        Toolbox.output(SIGNAL_SECONDS_MAX, List.of("kill", "-" + name, Long.toString(pid)));
    }

    /// Kills the process with its children, and waits for its end.
    void kill() throws InterruptedException {
        kill(child);
    }

    static void kill(Child process) throws InterruptedException {
        List<ProcessHandle> others = process.handle().descendants().toList();
        process.handle().destroyForcibly();
        others.forEach(ProcessHandle::destroyForcibly);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SIGNAL_SECONDS_MAX);
        while (process.handle().isAlive() && System.nanoTime() - end < 0) {
            Thread.sleep(5);
        }
    }

    /// Returns what the management address says: `well`, or what is wrong.
    String health() {
        for (String path : List.of("/health", "/metrics")) {
            try (var caller = Caller.connect(managePort)) {
                int status = caller.get(path).status();
                if (status != 200) {
                    return path + " " + status;
                }
            } catch (IOException e) {
                return path + ": " + e.getMessage();
            }
        }
        return "well";
    }

    /// Writes a program that may be run.
    static void program(Path file, String text) throws LabException {
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        } catch (IOException e) {
            throw new LabException("cannot write " + file + ": " + e.getMessage());
        }
    }

    @Override
    public void close() {
        child.close();
    }
}
